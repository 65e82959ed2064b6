/**
 * @module Every way in which a content model changes: attributes, components and content types that are renamed, removed, of
 * another type or kind, localized or not, with another target. Each comes with content before it, what has to be left of it
 * after it and what is lost, and those of an attribute with every way of indexing. The table is data: who plays it makes
 * tables, fills them and changes them.
 */
import { attributeChanges } from './changes/attributes.ts';
import type { Change } from './changes/change.ts';
import { componentValueChanges } from './changes/component-values.ts';
import { componentChanges } from './changes/components.ts';
import type { Model, Side } from './changes/content.ts';
import { uidChanges } from './changes/elsewhere.ts';
import { ownerChanges } from './changes/owners.ts';
import { relationChanges } from './changes/relations.ts';
import { typeChanges } from './changes/types.ts';
import { versionChanges } from './changes/versions.ts';

/** A change as it is played: what the project declares before and after it. */
export interface AttributeChange extends Omit<Change, 'before' | 'after'> {
  readonly before: Model;
  readonly after: Model;
}

/** `indexes` and `search` of the settings: the terms of the index over an attribute, and whether there is a search index. */
const INDEXINGS = {
  'no index': { terms: () => [], search: false },
  'an ascending index': { terms: (name: string) => [[name]], search: false },
  'a descending index': { terms: (name: string) => [[`${name}:desc`]], search: false },
  'a composite index': { terms: (name: string) => [['title', `${name}:desc`]], search: false },
  'a search index': { terms: () => [], search: true },
  'a descending index and a search index': { terms: (name: string) => [[`${name}:desc`]], search: true },
} as const;

export type Indexing = keyof typeof INDEXINGS;

export const ALL_INDEXINGS = Object.keys(INDEXINGS) as readonly Indexing[];

function modelOf({ types, components, uid, indexed }: Side, indexing: Indexing): Model {
  const { terms, search } = INDEXINGS[indexing];
  const declared: readonly (readonly string[])[] = indexed === undefined ? [] : terms(indexed);
  return {
    types,
    components,
    indexes: uid !== undefined && declared.length > 0 ? { [uid]: declared } : {},
    search: uid !== undefined && search ? [uid] : [],
  };
}

/** A change with an index over the attribute before and after it, or over the rank where none can be. */
export const withIndexing = ({ before, after, ...change }: Change, indexing: Indexing): AttributeChange => ({
  ...change,
  before: modelOf(before, indexing),
  after: modelOf(after, indexing),
});

const RANK = 'rank';

/**
 * Where no declared index can be over the attribute, one over another attribute stands for all of them, and none where the
 * change is not one of an attribute.
 */
export function isPlayedWith({ before, after }: Change, indexing: Indexing): boolean {
  if (before.indexed === undefined) return indexing === 'no index' || indexing === 'a search index';
  const isOver = before.indexed !== RANK || after.indexed !== RANK;
  return isOver || !['an ascending index', 'a descending index', 'a composite index'].includes(indexing);
}

/** Every change; each is to be played with those of `ALL_INDEXINGS` that `isPlayedWith` says. */
export const ATTRIBUTE_CHANGES: readonly Change[] = [
  ...attributeChanges,
  ...ownerChanges,
  ...typeChanges,
  ...uidChanges,
  ...relationChanges,
  ...componentChanges,
  ...componentValueChanges,
  ...versionChanges,
];
