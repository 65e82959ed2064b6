/**
 * @module `sort` → terms, in every notation.
 */
import { isObject } from '../json.ts';
import type { RawQuery, RawValue } from './query-string.ts';

/** `sort=author.name:desc` */
export interface SortTerm {
  readonly path: readonly string[];
  /** As sent; validated after every name was resolved. */
  readonly direction?: string;
  /** Where only the name is looked at: its direction is empty, or no text at all. */
  readonly idle?: 'empty' | 'malformed';
}

function sortOfText(text: string): SortTerm[] {
  const terms = text.split(',').map((segment) => segment.split(':'));
  return terms.flatMap(([field = '', direction]) => {
    const path = field.trim().split('.');
    return field.trim() === '' ? [] : [{ path, ...(direction !== undefined && { direction: direction.trim() }) }];
  });
}

/** Without a direction nothing is sorted by, as in Strapi; the name is checked all the same. */
function sortOfObject(raw: RawQuery, above: readonly string[] = []): SortTerm[] {
  return Object.entries(raw).flatMap(([key, value]): SortTerm[] => {
    const path = [...above, key];
    if (isObject(value)) return sortOfObject(value, path);
    if (typeof value !== 'string') return [{ path, idle: 'malformed' }];
    return value.trim() === '' ? [{ path, idle: 'empty' }] : [{ path, direction: value.trim() }];
  });
}

/** `sort=a:desc,b`, `sort[0]=a&sort[1]=b`, `sort[a]=desc`, `sort[0][a]=desc`: every notation, in its order. */
export function parseSort(raw: RawValue | undefined): readonly SortTerm[] {
  if (raw === undefined || raw === null) return [];
  if (typeof raw === 'string') return sortOfText(raw);
  if (isObject(raw)) return sortOfObject(raw);
  if (raw.every((item) => typeof item === 'string')) return raw.flatMap(sortOfText);
  const objects = raw.filter((item) => isObject(item));
  if (objects.length === raw.length) return objects.flatMap((item) => sortOfObject(item));
  // A list of both is read as an object whose first key is 0; of one thing that is neither, or of nothing, nothing is left.
  return raw.length > 1 && raw.some((item) => item !== null) ? [{ path: ['0'], idle: 'empty' }] : [];
}
