/**
 * @module Parses `sort`, in every notation.
 */
import { invalid } from '../../common/errors.ts';
import { isObject } from '../../common/json.ts';
import type { RawQuery, RawValue } from './query-string.ts';

/** `sort=author.name:desc` */
export interface SortTerm {
  readonly path: readonly string[];
  /** As sent; validated after all names. */
  readonly direction?: string;
  /** Only the name is checked, since the direction is empty or not a text. */
  readonly ignoredBecause?: 'empty' | 'malformed';
}

function sortOfText(text: string): SortTerm[] {
  const terms = text.split(',').map((segment) => segment.split(':'));
  return terms.flatMap(([field = '', direction]) => {
    const path = field.trim().split('.');
    return field.trim() === '' ? [] : [{ path, ...(direction !== undefined && { direction: direction.trim() }) }];
  });
}

/** Like Strapi, does not sort by terms without a direction, but checks their names. */
function sortOfObject(raw: RawQuery, above: readonly string[] = []): SortTerm[] {
  return Object.entries(raw).flatMap(([key, value]): SortTerm[] => {
    const path = [...above, key];
    if (isObject(value)) return sortOfObject(value, path);
    if (typeof value !== 'string') return [{ path, ignoredBecause: 'malformed' }];
    return value.trim() === '' ? [{ path, ignoredBecause: 'empty' }] : [{ path, direction: value.trim() }];
  });
}

/** `sort=a:desc,b`, `sort[0]=a&sort[1]=b`, `sort[a]=desc`, `sort[0][a]=desc` */
export function parseSort(raw: RawValue | undefined): readonly SortTerm[] {
  if (raw === undefined || raw === null) return [];
  if (typeof raw === 'string') return sortOfText(raw);
  if (isObject(raw)) return sortOfObject(raw);
  if (raw.every((item) => typeof item === 'string')) return raw.flatMap(sortOfText);
  const objects = raw.filter((item) => isObject(item));
  if (objects.length === raw.length) return objects.flatMap((item) => sortOfObject(item));
  // Strapi reads a mixed list as an object whose first key is 0, and ignores a list of one other value.
  return raw.length > 1 && raw.some((item) => item !== null) ? [{ path: ['0'], ignoredBecause: 'empty' }] : [];
}

const RANK = '_rank';

export const isRank = ({ path: [first, ...others] }: SortTerm): boolean => first === RANK && others.length === 0;

/**
 * Sorts a search by its rank if by nothing else, and by rank with the best first.
 * @throws ApiError 400 for a rank without a search
 */
export function byRank(terms: readonly SortTerm[], isSearch: boolean): readonly SortTerm[] {
  const message = `Invalid parameter at 'sort'. Expected ${RANK} only beside 'search'`;
  if (!isSearch && terms.some(isRank)) throw invalid(message, { source: 'query', param: 'sort' });
  const given = isSearch && terms.length === 0 ? [{ path: [RANK] }] : terms;
  return given.map((term) => (isRank(term) && !term.ignoredBecause ? { direction: 'desc', ...term } : term));
}
