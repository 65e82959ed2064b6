/**
 * @module `sort` → terms, in every notation.
 */
import { invalid } from '../errors.ts';
import { isRawObject, type RawQuery, type RawValue } from './query-string.ts';

/** `sort=author.name:desc` */
export interface SortTerm {
  readonly path: readonly string[];
  /** As it was written: whether it is one is told after every name was looked at. */
  readonly direction?: string;
  /** Is only the name looked at? */
  readonly idle?: true;
}

function sortOfText(text: string): SortTerm[] {
  const terms = text.split(',').map((segment) => segment.split(':'));
  return terms.flatMap(([field = '', direction]) => {
    const path = field.trim().split('.');
    return field.trim() === '' ? [] : [{ path, ...(direction !== undefined && { direction }) }];
  });
}

/**
 * Without a direction nothing is sorted by, as in the reference; the name is checked all the same.
 * @throws ApiError 400 for one that is no text beside other names.
 */
function sortOfObject(raw: RawQuery, path: readonly string[] = []): SortTerm[] {
  const entries = Object.entries(raw);
  return entries.flatMap(([key, value]) => {
    const at = [...path, key];
    if (isRawObject(value)) return sortOfObject(value, at);
    if (typeof value !== 'string' && entries.length > 1)
      throw invalid('Invalid sort type expected object or string got object');
    return typeof value === 'string' && value.trim() !== ''
      ? [{ path: at, direction: value }]
      : [{ path: at, idle: true }];
  });
}

/** `sort=a:desc,b`, `sort[0]=a&sort[1]=b`, `sort[a]=desc`, `sort[0][a]=desc`: every notation, in its order. @throws ApiError 400 */
export function parseSort(raw: RawValue | undefined): readonly SortTerm[] {
  if (raw === undefined || raw === null) return [];
  if (typeof raw === 'string') return sortOfText(raw);
  if (isRawObject(raw)) return sortOfObject(raw);
  const items = raw as readonly RawValue[];
  if (items.every((item) => typeof item === 'string')) return items.flatMap(sortOfText);
  if (items.every(isRawObject)) return items.flatMap((item) => sortOfObject(item));
  // A list of both is read as an object whose first key is 0; of one thing that is neither nothing is left.
  return items.length > 1 ? [{ path: ['0'], idle: true }] : [];
}
