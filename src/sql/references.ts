/**
 * @module Where in the JSON of a component or zone column the documents stand that its relations and media name.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Populate, Selection } from '../plan/read-plan.ts';
import { columnOf, commaList, identifier } from './statement.ts';

type Reference = Extract<Populate, { kind: 'reference' }>;
type Blocks = Extract<Populate, { kind: 'component' | 'dynamiczone' }>;

/** A place below a column, in each entry of the lists on the way to it. */
interface JsonPlace {
  /** `json_each(…) as j1_0`, one for each list. */
  readonly lists: readonly SQL[];
  /** What `path` starts from: the column, or an entry of the last list. */
  readonly json: SQL;
  readonly path: string;
}

/** A relation that a selection follows inside components, and the documentIds that it names there. */
export interface InnerReference {
  readonly node: Reference;
  /** `json_each(…) as …, …`: an entry for each document that is named. */
  readonly lists: SQL;
  /** Its documentId. */
  readonly documentId: SQL;
}

const below = (place: JsonPlace, name: string): JsonPlace => ({ ...place, path: `${place.path}."${name}"` });

function entries({ lists, json, path }: JsonPlace, item: string): JsonPlace {
  const alias = `${item}_${lists.length}`;
  const list = path === '$' ? sql`json_each(${json})` : sql`json_each(${json}, ${path})`;
  return { lists: [...lists, sql`${list} as ${identifier(alias)}`], json: columnOf(alias, 'value'), path: '$' };
}

function namedAt(place: JsonPlace, item: string): Omit<InnerReference, 'node'> {
  const { lists, json } = entries(place, item);
  return { lists: commaList(lists), documentId: sql`${json} ->> '$.documentId'` };
}

function inSelection({ populate }: Selection, place: JsonPlace, item: string): readonly InnerReference[] {
  return populate.flatMap((node) => {
    const at = below(place, node.name);
    if (node.kind === 'reference') return [{ node, ...namedAt(at, item) }];
    return node.kind === 'component' || node.kind === 'dynamiczone' ? inBlocks(node, at, item) : [];
  });
}

function inBlocks(node: Blocks, place: JsonPlace, item: string): readonly InnerReference[] {
  if (node.kind === 'component')
    return inSelection(node.selection, node.attribute.repeatable ? entries(place, item) : place, item);
  return [...node.parts.values()].flatMap((part) => inSelection(part, entries(place, item), item));
}

/**
 * Every relation inside the components of a column, in the order in which the reader asks for them.
 * @param item prefix of the names that the lists get.
 */
export const innerReferences = (node: Blocks, json: SQL, item: string): readonly InnerReference[] =>
  inBlocks(node, { lists: [], json, path: '$' }, item);
