/**
 * @module Puts links of a body into the order of a relation, thousands of them in linear time.
 */
import type { Link } from '../model/links.ts';
import type { Position } from './relation-input.ts';
import { linkKey } from './target-index.ts';

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
