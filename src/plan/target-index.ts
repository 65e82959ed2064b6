/**
 * @module Links and the rows of their targets by key, so that thousands of them are planned in linear time.
 */
import type { Link, TargetRow } from './plan-relations.ts';
import type { Position } from './relation-input.ts';

const keyOf = ({ documentId, locale }: Link): string => `${locale}/${documentId}`;

/** The rows that were found, by what a body may call them. */
export interface TargetIndex {
  readonly byId: ReadonlyMap<number | undefined, TargetRow>;
  /** One row of each document, whichever locale it has. */
  readonly byDocumentId: ReadonlyMap<unknown, TargetRow>;
  /** Is there a row of the document in this locale? */
  has(link: Link): boolean;
}

const indexes = new WeakMap<readonly TargetRow[], TargetIndex>();

function createIndex(rows: readonly TargetRow[]): TargetIndex {
  const keys = new Set(rows.map(keyOf));
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    byDocumentId: new Map(rows.toReversed().map((row) => [row.documentId, row])),
    has: (link) => keys.has(keyOf(link)),
  };
}

export function indexOf(rows: readonly TargetRow[]): TargetIndex {
  const index = indexes.get(rows) ?? createIndex(rows);
  indexes.set(rows, index);
  return index;
}

export function without(links: readonly Link[], taken: readonly Link[]): readonly Link[] {
  const keys = new Set(taken.map(keyOf));
  return links.filter((link) => !keys.has(keyOf(link)));
}

/** The first of those that are the same. */
export const unique = (links: readonly Link[]): readonly Link[] => {
  const seen = new Set<string>();
  return links.filter((link) => {
    const key = keyOf(link);
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

function placeOf(keys: readonly string[], { position, anchor }: Placement): number {
  if (position.at === 'start') return 0;
  const index = anchor ? keys.indexOf(keyOf(anchor)) : -1;
  if (position.at === 'end' || index < 0) return keys.length;
  return position.at === 'before' ? index : index + 1;
}

/** The links with others placed among them, one after the other; one that is there already is moved. */
export function placed(start: readonly Link[], placements: readonly Placement[]): readonly Link[] {
  const links = new Map([...start, ...placements.map(({ link }) => link)].map((link) => [keyOf(link), link]));
  const keys = start.map(keyOf);
  const present = new Set(keys);
  for (const placement of placements) {
    const key = keyOf(placement.link);
    if (present.has(key)) keys.splice(keys.indexOf(key), 1);
    present.add(key);
    keys.splice(placeOf(keys, placement), 0, key);
  }
  return keys.map((key) => links.get(key)).filter((link) => link !== undefined);
}
