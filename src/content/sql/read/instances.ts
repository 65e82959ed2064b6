/**
 * @module The instances in a JSON column that a populate filters or sorts.
 */
import { type SQL, sql } from 'drizzle-orm';
import { isBlocks } from '../../plan/model/node-kinds.ts';
import type { Condition, Order, PopulatedBlocks, Selection } from '../../plan/model/read-plan.ts';
import { columnOf } from '../pieces.ts';

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

/** Instances with a filter or an order. */
export interface Instances extends Omit<Location, 'path'> {
  readonly where?: Condition | undefined;
  readonly order: readonly Order[];
}

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
function instancesAt(
  { path, ...location }: Location,
  where: Condition | undefined,
  order: readonly Order[],
): readonly Instances[] {
  if (!where && order.length === 0) return [];
  const json = path === '$' ? location.json : sql`(${location.json} -> ${path})`;
  return [{ where, order, ...location, json }];
}

const inSelection = ({ populate }: Selection, location: Location, item: string): readonly Instances[] =>
  populate
    .filter(isBlocks)
    .flatMap((node) => inBlocks(node, { ...location, path: `${location.path}."${node.name}"` }, item));

function inBlocks(node: PopulatedBlocks, location: Location, item: string): readonly Instances[] {
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

/** Returns the instances in the order in which `document/` reads them. @param json the column */
export const instancesOf = (node: PopulatedBlocks, json: SQL, item: string): readonly Instances[] =>
  inBlocks(node, { lists: [], keys: [], json, path: '$' }, item);
