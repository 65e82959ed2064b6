/**
 * @module The invisible payload behind a text with a source map, decoded, so that recordings can be read and compared.
 */
import { vercelStegaCombine, vercelStegaDecode, vercelStegaSplit } from '@vercel/stega';

interface Mapped {
  readonly text: string;
  /** `documentId=…&type=…&path=…` */
  readonly source: string;
}

/** Returns the text with the payload behind it. */
export const withPayload = (text: string, source: string): string =>
  vercelStegaCombine(text, { strapiSource: source }, false);

/** Returns undefined for a text without a payload, and for one that the real encoder would write otherwise. */
export function mapped(value: string): Mapped | undefined {
  const { cleaned, encoded } = vercelStegaSplit(value);
  if (encoded === '') return undefined;
  const { strapiSource: source } = vercelStegaDecode<{ strapiSource: string }>(encoded) ?? {};
  if (source === undefined || withPayload(cleaned, source) !== value) return undefined;
  return { text: cleaned, source };
}
