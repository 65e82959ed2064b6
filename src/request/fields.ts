/**
 * @module `fields` → names.
 */
import { invalid } from '../errors.ts';
import type { RawValue } from './query-string.ts';

export interface Fields {
  readonly names: readonly string[];
  /** `*` is among them: all are shown, and the others have to exist. */
  readonly everything: boolean;
  /** Does a text in a list have several names? It is refused, but their names are looked at first. */
  readonly crowded?: boolean;
}

export const malformedFields = () => invalid('Invalid fields parameter. Expected a string or an array of strings');

/** The texts of a list; what is sent without a value counts for nothing. */
function textsIn(list: readonly RawValue[]): readonly string[] {
  return list.flatMap((item) => {
    if (item === null) return [];
    if (typeof item !== 'string') throw malformedFields();
    return [item];
  });
}

/** `fields=a,b`, `fields[]=a&fields[]=b`, `fields=*`; undefined without a value. @throws ApiError 400 for anything else. */
export function parseFields(raw: RawValue | undefined): Fields | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw !== 'string' && !Array.isArray(raw)) throw malformedFields();
  const texts = typeof raw === 'string' ? [raw] : textsIn(raw as readonly RawValue[]);
  const parts = texts.flatMap((text) => text.split(','));
  const names = parts.filter((name) => name !== '*').map((name) => name.trim());
  const crowded = Array.isArray(raw) && parts.length > texts.length;
  return { names: [...new Set(names)], everything: parts.includes('*'), ...(crowded && { crowded }) };
}
