/**
 * @module Statements that count, before a migration, the rows which hold a value of a component's attribute, in any column
 * and at any depth.
 */

import { columnIn, identifier, jsonPath, literal } from '../core/sql/sql-text.ts';
import { type BlocksPlace, blocksOf, type Layout, MAX_DEPTH, type TypeLayout } from './layout.ts';
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

const anyOf = (conditions: readonly string[]): string | undefined =>
  conditions.length > 0 ? `(${conditions.join(' OR ')})` : undefined;

const present = (condition: string | undefined): readonly string[] => (condition === undefined ? [] : [condition]);

function isHeld({ name, goes }: Wanted, source: string): string {
  const value = `${source} -> ${jsonPath(name)}`;
  const held = `coalesce(${value}, 'null') NOT IN ('null', '[]')`;
  return goes ? `(${held} AND ${goes(value)})` : held;
}

/** A condition on an instance of `uid`, the JSON `source`; undefined: it cannot hold the attribute. */
function inInstance(search: Search, uid: string, source: string, depth: number): string | undefined {
  const nested = blocksOf(search.layout.components[uid] ?? {}).flatMap(([name, place]) =>
    depth < MAX_DEPTH ? present(inBlocks(search, place, `${source} -> ${jsonPath(name)}`, depth + 1)) : [],
  );
  return anyOf(uid === search.uid ? [isHeld(search, source), ...nested] : nested);
}

/** A condition on the JSON of a component or a zone. */
function inBlocks(search: Search, place: BlocksPlace, json: string, depth: number): string | undefined {
  if (place.kind === 'component' && !place.repeatable) return inInstance(search, place.component, json, depth);
  const alias = identifier(`at${depth}`);
  const value = `${alias}."value"`;
  const condition =
    place.kind === 'component'
      ? inInstance(search, place.component, value, depth)
      : anyOf(
          place.components.flatMap((uid) => {
            const inEntry = inInstance(search, uid, value, depth);
            return inEntry ? [`(${value} ->> '$.__component' = ${literal(uid)} AND ${inEntry})`] : [];
          }),
        );
  return condition && `EXISTS (SELECT 1 FROM json_each(${json}) AS ${alias} WHERE ${condition})`;
}

const inAnyColumn = (search: Search, { table, attributes }: TypeLayout): string | undefined =>
  anyOf(
    blocksOf(attributes).flatMap(([, place]) => present(inBlocks(search, place, columnIn(table, place.column), 0))),
  );

/** The rows to count: some of some tables. */
interface Rows {
  readonly tables: ReadonlySet<string>;
  readonly where: (table: string) => string;
}

/** One statement for each table. @param rows absent: all rows of all tables. */
export function instanceCounts(work: Work, wanted: Wanted, rows?: Rows): readonly string[] {
  const search = { layout: work.former, ...wanted };
  return Object.values(work.former.types).flatMap((type) => {
    const { table } = type;
    const condition = rows && !rows.tables.has(table) ? undefined : inAnyColumn(search, type);
    return condition ? [countRows(table, rows ? `${rows.where(table)} AND ${condition}` : condition)] : [];
  });
}
