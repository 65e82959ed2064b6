/**
 * @module Statements that count, before a migration, the rows which hold a value of a component's attribute, in any column
 * and at any depth.
 */

import { columnIn, identifier, jsonPath, literal } from '../core/sql/sql-text.ts';
import { type BlocksPlace, blocksOf, type Layout, MAX_DEPTH } from './layout.ts';
import { countRows, type Work } from './migration-work.ts';

/** An attribute of a component, as it was before the migration. */
interface Wanted {
  readonly uid: string;
  readonly name: string;
  /** A condition on the JSON text of a value that is not empty; absent: each counts. */
  readonly goes?: (json: string) => string;
}

interface Search extends Wanted {
  readonly layout: Layout;
}

/** One condition; none if no value can be there. */
const anyOf = (conditions: readonly string[]): readonly string[] =>
  conditions.length > 0 ? [`(${conditions.join(' OR ')})`] : [];

function isHeld({ name, goes }: Wanted, source: string): string {
  const value = `${source} -> ${jsonPath(name)}`;
  const held = `coalesce(${value}, 'null') NOT IN ('null', '[]')`;
  return goes ? `(${held} AND ${goes(value)})` : held;
}

/** A condition on an instance of `uid`, the JSON `source`. */
function inInstance(search: Search, uid: string, source: string, depth: number): readonly string[] {
  const nested = blocksOf(search.layout.components[uid] ?? {}).flatMap(([name, place]) =>
    depth < MAX_DEPTH ? inBlocks(search, place, `${source} -> ${jsonPath(name)}`, depth + 1) : [],
  );
  return anyOf(uid === search.uid ? [isHeld(search, source), ...nested] : nested);
}

/** A condition on the JSON of a component or a zone. */
function inBlocks(search: Search, place: BlocksPlace, json: string, depth: number): readonly string[] {
  if (place.kind === 'component' && !place.repeatable) return inInstance(search, place.component, json, depth);
  const alias = identifier(`at${depth}`);
  const value = `${alias}."value"`;
  const inEntry = (uid: string) =>
    inInstance(search, uid, value, depth).map((is) => `(${value} ->> '$.__component' = ${literal(uid)} AND ${is})`);
  const found =
    place.kind === 'component'
      ? inInstance(search, place.component, value, depth)
      : anyOf(place.components.flatMap(inEntry));
  return found.map((condition) => `EXISTS (SELECT 1 FROM json_each(${json}) AS ${alias} WHERE ${condition})`);
}

/** One statement for each table. @param rows a condition for each table that counts; absent: all rows of all tables. */
export const instanceCounts = (work: Work, wanted: Wanted, rows?: ReadonlyMap<string, string>): readonly string[] =>
  Object.values(work.former.types).flatMap(({ table, attributes }) => {
    if (rows && !rows.has(table)) return [];
    const search = { layout: work.former, ...wanted };
    const places = blocksOf(attributes).map(([, place]) => place);
    const held = anyOf(places.flatMap((place) => inBlocks(search, place, columnIn(table, place.column), 0)));
    return held.map((condition) => countRows(table, rows ? `${rows.get(table)} AND ${condition}` : condition));
  });
