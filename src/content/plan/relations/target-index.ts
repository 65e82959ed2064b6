/**
 * @module Links and target rows by key, so that thousands of them are planned in linear time.
 */
import { memoized } from '../../../common/cache.ts';
import type { Link, TargetRow } from '../model/links.ts';

export const linkKey = ({ documentId, locale, type = '' }: Link): string => `${type}${locale}/${documentId}`;

/** Indexes target rows by what a body may name. */
export const indexOf = memoized((rows: readonly TargetRow[]) => {
  const draftsLast = [...rows].sort((a, b) => Number(b.published) - Number(a.published));
  const byVersion = new Map(draftsLast.map((row) => [linkKey(row), row]));
  const published = new Set(rows.filter((row) => row.published).map(linkKey));
  return {
    byId: new Map<number | undefined, TargetRow>(rows.map((row) => [row.id, row])),
    /** The first row of each document. */
    byDocumentId: new Map<unknown, TargetRow>(rows.toReversed().map((row) => [row.documentId, row])),
    /** Returns the draft if there is one. */
    find: (link: Link) => byVersion.get(linkKey(link)),
    isPublished: (link: Link) => published.has(linkKey(link)),
  };
}, new WeakMap());

/** Indexes the rows that the caller may find. */
export const visibleIndexOf = memoized(
  (rows: readonly TargetRow[]) => indexOf(rows.filter(({ isHidden }) => !isHidden)),
  new WeakMap(),
);

export function without(links: readonly Link[], removed: readonly Link[]): readonly Link[] {
  const keys = new Set(removed.map(linkKey));
  return links.filter((link) => !keys.has(linkKey(link)));
}

/** Drops repeated links, and keeps the first of each. */
export function unique(links: readonly Link[]): readonly Link[] {
  const first = new Map<string, Link>();
  for (const link of links) if (!first.has(linkKey(link))) first.set(linkKey(link), link);
  return [...first.values()];
}
