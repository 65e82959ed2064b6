/**
 * @module Links and the rows of their targets by key, so that thousands of them are planned in linear time.
 */
import type { Link, TargetRow } from '../model/links.ts';
import type { Position } from './relation-input.ts';

export const linkKey = ({ documentId, locale }: Link): string => `${locale}/${documentId}`;

/** The rows that were found, by what a body may call them. */
export interface TargetIndex {
  readonly byId: ReadonlyMap<number | undefined, TargetRow>;
  /** One row of each document, whichever locale it has. */
  readonly byDocumentId: ReadonlyMap<unknown, TargetRow>;
  /** A row of the document in this locale, a draft if there is one. */
  find(link: Link): TargetRow | undefined;
  /** Is it published? */
  isPublished(link: Link): boolean;
}

const indexes = new WeakMap<readonly TargetRow[], TargetIndex>();

function createIndex(rows: readonly TargetRow[]): TargetIndex {
  const draftsLast = [...rows].sort((a, b) => Number(b.published) - Number(a.published));
  const byVersion = new Map(draftsLast.map((row) => [linkKey(row), row]));
  const published = new Set(rows.filter((row) => row.published).map(linkKey));
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    byDocumentId: new Map(rows.toReversed().map((row) => [row.documentId, row])),
    find: (link) => byVersion.get(linkKey(link)),
    isPublished: (link) => published.has(linkKey(link)),
  };
}

export function indexOf(rows: readonly TargetRow[]): TargetIndex {
  const index = indexes.get(rows) ?? createIndex(rows);
  indexes.set(rows, index);
  return index;
}

export function without(links: readonly Link[], taken: readonly Link[]): readonly Link[] {
  const keys = new Set(taken.map(linkKey));
  return links.filter((link) => !keys.has(linkKey(link)));
}

/** The first of those that are the same. */
export const unique = (links: readonly Link[]): readonly Link[] => {
  const seen = new Set<string>();
  return links.filter((link) => {
    const key = linkKey(link);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
};

/** A link and where it goes; an anchor that is not in the list means the end. */
export interface Placement {
  readonly link: Link;
  readonly position: Position;
  readonly anchor: Link | undefined;
}

/** A node of a doubly linked list; the end of the list is one too, and stands before the first link. */
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

/** The links with others placed among them, one after the other; one that is there already is moved. */
export function placed(start: readonly Link[], placements: readonly Placement[]): readonly Link[] {
  const end = new ListNode();
  const nodes = new Map(start.map((link) => [linkKey(link), new ListNode(link).insertBefore(end)]));
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
