/**
 * @module `sort` → terms, in every notation.
 */
import { invalid } from '../errors.ts';
import { isRawObject, type RawQuery, type RawValue } from './query-string.ts';

/** `sort=author.name:desc` */
export interface SortTerm {
  readonly path: readonly string[];
  readonly descending: boolean;
}

/** Is a direction checked, or, where nothing is sorted, any taken? */
export type Directions = 'checked' | 'any';

function isDescending(order: string, directions: Directions): boolean {
  const direction = order.trim().toLowerCase();
  if (direction !== 'asc' && direction !== 'desc' && directions === 'checked')
    throw invalid('Invalid order. order can only be one of asc|desc|ASC|DESC');
  return direction === 'desc';
}

function sortOfText(text: string, directions: Directions): SortTerm[] {
  const terms = text.split(',').map((segment) => segment.split(':'));
  return terms.flatMap(([field = '', order = 'asc']) =>
    field.trim() === '' ? [] : [{ path: field.trim().split('.'), descending: isDescending(order, directions) }],
  );
}

function sortOfObject(raw: RawQuery, path: readonly string[], directions: Directions): SortTerm[] {
  return Object.entries(raw).flatMap(([key, order]) => {
    const at = [...path, key];
    if (isRawObject(order)) return sortOfObject(order, at, directions);
    if (typeof order !== 'string') throw invalid(`Invalid sort type expected object or string got ${typeof order}`);
    return order.trim() === '' ? [] : [{ path: at, descending: isDescending(order, directions) }];
  });
}

/** `sort=a:desc,b`, `sort[0]=a&sort[1]=b`, `sort[a]=desc`, `sort[0][a]=desc`: every notation, in its order. */
export function parseSort(raw: RawValue | undefined, directions: Directions = 'checked'): readonly SortTerm[] {
  if (raw === undefined || raw === null) return [];
  if (typeof raw === 'string') return sortOfText(raw, directions);
  if (isRawObject(raw)) return sortOfObject(raw, [], directions);
  return (raw as readonly RawValue[]).flatMap((item) => {
    if (typeof item === 'string') return sortOfText(item, directions);
    return isRawObject(item) ? sortOfObject(item, [], directions) : [];
  });
}
