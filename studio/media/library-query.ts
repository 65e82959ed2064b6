/**
 * @module What a page of the media library shows, and the request for it.
 */
import type { Query } from '../api/query-string.ts';
import * as files from '../model/file-entry.ts';

/** What a page of the library shows; the address of the screen has the same names. `days`: no older files. */
export type View = Readonly<
  Partial<Record<'q' | 'kind' | 'days' | 'size' | 'only' | 'sort' | 'page' | 'look' | 'folder' | 'file', string>>
>;

export const TIMES = { 1: 'Since yesterday', 7: 'Last 7 days', 30: 'Last 30 days', 365: 'Last year' } as const;
/** From and to, in thousands of bytes. */
export const SIZES = {
  '0-100': 'Up to 100 kB',
  '100-1000': '100 kB to 1 MB',
  '1000-10000': '1 to 10 MB',
  '10000-': 'Over 10 MB',
} as const;
export const SORTS = {
  'createdAt:asc': 'Oldest first',
  'updatedAt:desc': 'Last changed',
  'name:asc': 'By name',
  'size:desc': 'Largest first',
  'size:asc': 'Smallest first',
} as const;
export const CONDITIONS = { unused: 'Unused', text: 'Without alternative text', private: 'Private' } as const;
const FILTERS = {
  text: {
    $and: [files.kindFilter(['images']), { $or: [{ alternativeText: { $null: true } }, { alternativeText: '' }] }],
  },
  private: { hash: { $endsWith: '-private' } },
} as const;
const DAY = 86_400_000;

/** @param kinds the kinds that may be shown at all */
export function libraryQuery(
  { q, kind, days, size = '', only, sort, page }: View,
  kinds: readonly files.Kind[],
): Query {
  const since = (Math.floor(Date.now() / DAY) - Number(days)) * DAY;
  const [from, to] = Object.hasOwn(SIZES, size) ? size.split('-') : [];
  const filters = [
    files.kindFilter(kinds.filter((one) => !kind || one === kind)),
    days && Object.hasOwn(TIMES, days) && { createdAt: { $gte: new Date(since).toISOString() } },
    from && { size: { $gte: from, ...(to && { $lt: to }) } },
    (only === 'text' || only === 'private') && FILTERS[only],
  ];
  return {
    _q: q || null,
    unused: only === 'unused' || null,
    filters: { $and: filters.filter(Boolean) },
    sort: [sort || 'createdAt:desc', 'id'],
    pagination: { page: page || 1, pageSize: 36 },
  };
}
