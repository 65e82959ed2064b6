/**
 * @module Links and the rows of their targets by key, so that thousands of them are planned in linear time.
 */
import type { Link, TargetRow } from '../model/links.ts';
import type { Position } from './relation-input.ts';

export const keyOf = ({ documentId, locale }: Link): string => `${locale}/${documentId}`;

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
  const byVersion = new Map(draftsLast.map((row) => [keyOf(row), row]));
  const published = new Set(rows.filter((row) => row.published).map(keyOf));
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    byDocumentId: new Map(rows.toReversed().map((row) => [row.documentId, row])),
    find: (link) => byVersion.get(keyOf(link)),
    isPublished: (link) => published.has(keyOf(link)),
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

/** A link among its neighbours; the end of the list is one too, and stands before the first link. */
interface Place {
  readonly link: Link | undefined;
  before: Place;
  after: Place;
}

function emptyList(): Place {
  const end = { link: undefined } as Place;
  end.before = end;
  end.after = end;
  return end;
}

function insert(link: Link, before: Place): Place {
  const place: Place = { link, before: before.before, after: before };
  before.before.after = place;
  before.before = place;
  return place;
}

function remove({ before, after }: Place): void {
  before.after = after;
  after.before = before;
}

function* linksOf(end: Place): Generator<Link> {
  for (let place = end.after; place.link; place = place.after) yield place.link;
}

/** The links with others placed among them, one after the other; one that is there already is moved. */
export function placed(start: readonly Link[], placements: readonly Placement[]): readonly Link[] {
  const end = emptyList();
  const places = new Map(start.map((link) => [keyOf(link), insert(link, end)]));
  const follower = ({ position, anchor }: Placement): Place => {
    if (position.at === 'start') return end.after;
    const place = anchor && position.at !== 'end' ? places.get(keyOf(anchor)) : undefined;
    if (!place) return end;
    return position.at === 'before' ? place : place.after;
  };
  for (const placement of placements) {
    const key = keyOf(placement.link);
    const present = places.get(key);
    if (present) remove(present);
    places.delete(key);
    places.set(key, insert(placement.link, follower(placement)));
  }
  return [...linksOf(end)];
}
