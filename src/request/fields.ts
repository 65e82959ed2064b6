/**
 * @module `fields` → names.
 */
import { invalid } from '../errors.ts';
import type { RawValue } from './query-string.ts';

export interface Fields {
  readonly names: readonly string[];
  /** `*` is among them: all are shown, and the others have to exist. */
  readonly everything: boolean;
}

const malformed = () => invalid('Invalid fields parameter. Expected a string or an array of strings');

/** The texts of a list; what is sent without a value counts for nothing. A text in a list is one name. */
function namesIn(list: readonly RawValue[]): readonly string[] {
  return list.flatMap((item) => {
    if (item === null) return [];
    if (typeof item !== 'string' || item.includes(',')) throw malformed();
    return [item];
  });
}

/** `fields=a,b`, `fields[]=a&fields[]=b`, `fields=*`; undefined without a value. @throws ApiError 400 for anything else. */
export function parseFields(raw: RawValue | undefined): Fields | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw !== 'string' && !Array.isArray(raw)) throw malformed();
  const texts = typeof raw === 'string' ? raw.split(',') : namesIn(raw as readonly RawValue[]);
  const names = texts.filter((name) => name !== '*').map((name) => name.trim());
  return { names: [...new Set(names)], everything: texts.includes('*') };
}
