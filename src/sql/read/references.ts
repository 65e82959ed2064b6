/**
 * @module Components in a JSON column: the instances that a populate filters or sorts, and the documents that their
 * relations and media link to.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Condition, Order, Populate, PopulatedBlocks, Selection } from '../../plan/model/read-plan.ts';
import { columnOf, commaList, literal } from '../pieces.ts';

export const isBlocks = (node: Populate): node is PopulatedBlocks =>
  node.kind === 'component' || node.kind === 'dynamiczone';

export const selectionsOf = (node: Populate): readonly Selection[] => {
  if (node.kind === 'related') return [];
  if (node.kind === 'polymorphic') return node.parts.map(({ selection }) => selection);
  return node.kind === 'dynamiczone' ? [...node.parts.values()] : [node.selection];
};

/** A location below a column, in each entry of the lists on the way. */
interface Location {
  /** `json_each(…) as …`, one for each list. */
  readonly lists: readonly SQL[];
  /** The keys of their entries. */
  readonly keys: readonly SQL[];
  /** The start of `path`: the column, or an entry of the last list. */
  readonly json: SQL;
  readonly path: string;
}

/** A relation of components, and the documentIds that it links to. */
export interface InnerReference {
  readonly kind: 'reference';
  readonly node: Extract<Populate, { kind: 'reference' }>;
  /** `json_each(…) as …, …`: an entry for each linked document. */
  readonly lists: SQL;
  readonly documentId: SQL;
}

/** Instances with a filter or an order. */
export interface InnerInstances extends Omit<Location, 'path'> {
  readonly kind: 'instances';
  readonly where?: Condition | undefined;
  readonly order: readonly Order[];
}

export type Inner = InnerReference | InnerInstances;

function entries({ lists, keys, json, path }: Location, item: string): Location {
  const alias = `${item}_${lists.length}`;
  const list = path === '$' ? sql`json_each(${json})` : sql`json_each(${json}, ${path})`;
  return {
    lists: [...lists, sql`${list} as ${sql.identifier(alias)}`],
    keys: [...keys, columnOf(alias, 'key')],
    json: columnOf(alias, 'value'),
    path: '$',
  };
}

/** Without a filter and an order, a response shows every instance, without a query. */
function instancesAt({ path, ...location }: Location, where: Condition | undefined, order: readonly Order[]): Inner[] {
  if (!where && order.length === 0) return [];
  const json = path === '$' ? location.json : sql`(${location.json} -> ${path})`;
  return [{ kind: 'instances', where, order, ...location, json }];
}

function inSelection({ populate }: Selection, location: Location, item: string): readonly Inner[] {
  return populate.flatMap((node): readonly Inner[] => {
    const below = { ...location, path: `${location.path}."${node.name}"` };
    if (isBlocks(node)) return inBlocks(node, below, item);
    const { lists, json } = entries(below, item);
    const documentId = sql`${json} ->> '$.documentId'`;
    if (node.kind === 'polymorphic')
      return node.parts.flatMap((part) => {
        if (part.kind !== 'reference') return [];
        const isOfType = sql`${json} ->> '$.type' = ${literal(part.target.uid)}`;
        return [
          {
            kind: 'reference',
            node: part,
            lists: commaList(lists),
            documentId: sql`iif(${isOfType}, ${documentId}, null)`,
          },
        ];
      });
    return node.kind === 'reference' ? [{ kind: 'reference', node, lists: commaList(lists), documentId }] : [];
  });
}

function inBlocks(node: PopulatedBlocks, location: Location, item: string): readonly Inner[] {
  if (node.kind === 'component') {
    const at = node.attribute.repeatable ? entries(location, item) : location;
    return [...instancesAt(at, node.where, node.order), ...inSelection(node.selection, at, item)];
  }
  const at = entries(location, item);
  return [...node.parts.values()].flatMap((part) => [
    ...instancesAt(at, part.where, []),
    ...inSelection(part, at, item),
  ]);
}

/** Returns what the components of a column need, in the order in which `document/` reads it. */
export const innerOf = (node: PopulatedBlocks, json: SQL, item: string): readonly Inner[] =>
  inBlocks(node, { lists: [], keys: [], json, path: '$' }, item);
