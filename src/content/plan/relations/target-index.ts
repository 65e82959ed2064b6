/**
 * @module Links and target rows by key, so that thousands of them are planned in linear time.
 */
import { memoized } from '../../../common/cache.ts';
import type { Link, TargetRow } from '../model/links.ts';
import type { Position } from './relation-input.ts';

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

/** A link to insert at a position; without its anchor in the list, at the end. */
export interface Placement {
  readonly link: Link;
  readonly position: Position;
  readonly anchor: Link | undefined;
}

/** A node of a doubly linked ring; the one without a link is the end of the list, before the first link. */
class ListNode {
  before: ListNode = this;
  after: ListNode = this;
  readonly link: Link | undefined;

  constructor(link?: Link) {
    this.link = link;
  }

  insertBefore(next: ListNode): this {
    this.before = next.before;
    this.after = next;
    next.before.after = this;
    next.before = this;
    return this;
  }

  remove(): void {
    this.before.after = this.after;
    this.after.before = this.before;
  }
}

/** Inserts or moves links, one after the other. */
export function applyPlacements(present: readonly Link[], placements: readonly Placement[]): readonly Link[] {
  const end = new ListNode();
  const nodes = new Map(present.map((link) => [linkKey(link), new ListNode(link).insertBefore(end)]));
  const follower = ({ position, anchor }: Placement): ListNode => {
    if (position.at === 'start') return end.after;
    const node = anchor && position.at !== 'end' ? nodes.get(linkKey(anchor)) : undefined;
    if (!node) return end;
    return position.at === 'before' ? node : node.after;
  };
  for (const placement of placements) {
    const key = linkKey(placement.link);
    nodes.get(key)?.remove();
    nodes.delete(key);
    nodes.set(key, new ListNode(placement.link).insertBefore(follower(placement)));
  }
  const links: Link[] = [];
  for (let { link, after } = end.after; link; { link, after } = after) links.push(link);
  return links;
}
