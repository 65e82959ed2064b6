/**
 * @module Where in the JSON of a component or zone column the instances stand that are chosen among, and the documents
 * that their relations and media name.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Condition, Order, Populate, PopulatedBlocks, Selection } from '../../plan/model/read-plan.ts';
import { columnOf, commaList } from '../pieces.ts';

type Reference = Extract<Populate, { kind: 'reference' }>;

export const isBlocks = (node: Populate): node is PopulatedBlocks =>
  node.kind === 'component' || node.kind === 'dynamiczone';

/** A place below a column, in each entry of the lists on the way to it. */
interface JsonPlace {
  /** `json_each(…) as j1_0`, one for each list. */
  readonly lists: readonly SQL[];
  readonly keys: readonly SQL[];
  /** What `path` starts from: the column, or an entry of the last list. */
  readonly json: SQL;
  readonly path: string;
}

export type Inner =
  /** A relation that a selection follows inside components, and the documentIds that it names there. */
  | {
      readonly kind: 'reference';
      readonly node: Reference;
      /** `json_each(…) as …, …`: an entry for each document that is named. */
      readonly lists: SQL;
      /** Its documentId. */
      readonly documentId: SQL;
    }
  /** The instances at a place of which those are shown that meet a condition, or in an order of their own. */
  | {
      readonly kind: 'instances';
      readonly where?: Condition | undefined;
      readonly order: readonly Order[];
      /** `json_each(…)` for each list, with the keys of their entries. */
      readonly lists: readonly SQL[];
      readonly keys: readonly SQL[];
      /** The JSON of one instance. */
      readonly json: SQL;
    };

const below = (place: JsonPlace, name: string): JsonPlace => ({ ...place, path: `${place.path}."${name}"` });

function entries({ lists, keys, json, path }: JsonPlace, item: string): JsonPlace {
  const alias = `${item}_${lists.length}`;
  const list = path === '$' ? sql`json_each(${json})` : sql`json_each(${json}, ${path})`;
  return {
    lists: [...lists, sql`${list} as ${sql.identifier(alias)}`],
    keys: [...keys, columnOf(alias, 'key')],
    json: columnOf(alias, 'value'),
    path: '$',
  };
}

export type InnerReference = Extract<Inner, { kind: 'reference' }>;

type Choice = Pick<Extract<Inner, { kind: 'instances' }>, 'where' | 'order'>;

/** Without a filter and an order every instance is shown, and nothing is asked. */
function chosenAt({ lists, keys, json, path }: JsonPlace, { where, order }: Choice): readonly Inner[] {
  if (!where && order.length === 0) return [];
  const instance = path === '$' ? json : sql`(${json} -> ${path})`;
  return [{ kind: 'instances', where, order, lists, keys, json: instance }];
}

function namedAt(place: JsonPlace, item: string): Omit<InnerReference, 'kind' | 'node'> {
  const { lists, json } = entries(place, item);
  return { lists: commaList(lists), documentId: sql`${json} ->> '$.documentId'` };
}

function inSelection({ populate }: Selection, place: JsonPlace, item: string): readonly Inner[] {
  return populate.flatMap((node) => {
    const at = below(place, node.name);
    if (node.kind === 'reference') return [{ kind: 'reference', node, ...namedAt(at, item) }];
    return isBlocks(node) ? inBlocks(node, at, item) : [];
  });
}

function inBlocks(node: PopulatedBlocks, place: JsonPlace, item: string): readonly Inner[] {
  if (node.kind === 'component') {
    const at = node.attribute.repeatable ? entries(place, item) : place;
    return [...chosenAt(at, node), ...inSelection(node.selection, at, item)];
  }
  const at = entries(place, item);
  return [...node.parts.values()].flatMap((part) => [
    ...chosenAt(at, { where: part.where, order: [] }),
    ...inSelection(part, at, item),
  ]);
}

/**
 * What has to be asked about the components of a column, in the order in which the reader takes it.
 * @param item prefix of the names that the lists get.
 */
export const innerOf = (node: PopulatedBlocks, json: SQL, item: string): readonly Inner[] =>
  inBlocks(node, { lists: [], keys: [], json, path: '$' }, item);

/** The relations alone. */
export const innerReferences = (node: PopulatedBlocks, json: SQL, item: string): readonly InnerReference[] =>
  innerOf(node, json, item).filter((inner) => inner.kind === 'reference');
