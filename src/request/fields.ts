/**
 * @module `fields` → names.
 */
import { invalid } from '../errors.ts';
import type { RawValue } from './query-string.ts';

/** `fields=a,b`, `fields[]=a&fields[]=b`, `fields=*` (all: undefined). @throws ApiError 400 for an object. */
export function parseFields(raw: RawValue | undefined): readonly string[] | undefined {
  if (raw === undefined || raw === null) return undefined;
  const list = typeof raw === 'string' ? [raw] : raw;
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string'))
    throw invalid('Invalid fields parameter. Expected a string or an array of strings');
  const names = list.flatMap((item: string) => item.split(',')).map((name) => name.trim());
  return names.includes('*') ? undefined : [...new Set(names)];
}
