/**
 * @module `fields` → names.
 */
import { invalid } from '../../common/errors.ts';
import type { RawValue } from './query-string.ts';

export interface Fields {
  readonly names: readonly string[];
  /** Is `*` among them? It selects all; the other names must exist. */
  readonly everything: boolean;
  /** Has an item of a list several names? It is malformed, but unknown names are reported first. */
  readonly hasCommaInItem?: boolean;
}

export const malformedFields = () => invalid('Invalid fields parameter. Expected a string or an array of strings');

/** `fields=a,b`, `fields[]=a&fields[]=b`, `fields=*`; undefined without a value. @throws ApiError 400 for anything else. */
export function parseFields(raw: RawValue | undefined): Fields | undefined {
  if (raw === undefined || raw === null) return undefined;
  const texts = [raw].flat().filter((item) => item !== null);
  if (!texts.every((item) => typeof item === 'string')) throw malformedFields();
  const parts = texts.flatMap((text) => text.split(','));
  const names = parts.filter((name) => name !== '*').map((name) => name.trim());
  const hasCommaInItem = Array.isArray(raw) && parts.length > texts.length;
  return { names: [...new Set(names)], everything: parts.includes('*'), ...(hasCommaInItem && { hasCommaInItem }) };
}
