/**
 * @module Snapshots of the tables, in the form of drizzle-kit.
 */
import { isDeepStrictEqual } from 'node:util';
import { MAX_COLUMNS } from '../../src/common/d1-limits.ts';
import type { Registry } from '../../src/schema/model.ts';
import { UserError } from '../core/terminal.ts';
import type { Snapshot, TableSnapshot } from './drizzle-kit.ts';
import { type Index, linkTableOf, type Table, tablesOf } from './tables.ts';

/** The id of the snapshot before the first one, and of all snapshots in memory. */
export const SNAPSHOT_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Tables and indexes share their names in SQLite, and drizzle-kit drops one of two indexes of the same name silently.
 * @throws UserError that names the clash.
 */
function checkNames(tables: readonly Table[]): void {
  const owners = new Map<string, string>();
  for (const { name: table, indexes } of tables)
    for (const { name } of [{ name: table }, ...indexes]) {
      const taken = owners.get(name.toLowerCase());
      const advice = 'give an attribute or a collectionName another name';
      if (taken !== undefined)
        throw new UserError(`content-types/: the tables ${taken} and ${table} both need the name ${name}; ${advice}`);
      owners.set(name.toLowerCase(), table);
    }
}

const byName = <T extends { readonly name: string }, U>(all: readonly T[], map: (item: T) => U): Record<string, U> =>
  Object.fromEntries(all.map((item) => [item.name, map(item)]));

const indexedColumn = ({ column, descending }: Index['columns'][number]): string =>
  descending ? `"${column}" desc` : column;

function tableSnapshot({ name: table, columns, primaryKey, indexes }: Table): TableSnapshot {
  const key = primaryKey && { name: `${table}_${primaryKey.join('_')}_pk`, columns: [...primaryKey] };
  return {
    name: table,
    columns: byName(
      columns,
      ({ name, type, primaryKey = false, notNull = false, autoincrement = false, ...column }) => ({
        ...{ name, type, primaryKey, notNull, autoincrement },
        ...(column.default !== undefined && { default: `'${column.default}'` }),
      }),
    ),
    indexes: byName(indexes, ({ name, isUnique, columns: indexed, rows }) => ({
      ...{ name, columns: indexed.map(indexedColumn), isUnique },
      ...(rows && { where: `"${table}"."published_at" is ${rows === 'draft' ? '' : 'not '}null` }),
    })),
    foreignKeys: {},
    compositePrimaryKeys: key ? { [key.name]: key } : {},
    uniqueConstraints: {},
    checkConstraints: {},
  };
}

/** The columns of indexes that are expressions, as drizzle-kit lists them. */
function expressionsIn(tables: readonly Table[]) {
  const indexes = tables
    .flatMap((table) => table.indexes)
    .map(({ name, columns }) => {
      const descending = columns.filter((column) => column.descending).map(indexedColumn);
      return [
        name,
        { columns: Object.fromEntries(descending.map((column) => [column, { isExpression: true }])) },
      ] as const;
    });
  return Object.fromEntries(indexes.filter(([, { columns }]) => Object.keys(columns).length > 0));
}

const describe = (tables: readonly Table[]): Snapshot => ({
  ...{ version: '6', dialect: 'sqlite', id: SNAPSHOT_ID, prevId: SNAPSHOT_ID },
  tables: byName(tables, tableSnapshot),
  views: {},
  enums: {},
  _meta: { tables: {}, columns: {} },
  internal: { indexes: expressionsIn(tables) },
});

export const EMPTY_SNAPSHOT: Snapshot = describe([]);

/** The tables of a registry as drizzle-kit describes them. */
export function snapshotOf(registry: Registry): Snapshot {
  const tables = tablesOf(registry);
  checkNames(tables);
  return describe(tables);
}

export const linkTableSnapshot = (name: string): Snapshot => describe([linkTableOf(name)]);

const pick = <T>(record: Readonly<Record<string, T>>, keep: (key: string, value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([key, value]) => keep(key, value)));

/** The tables, columns and indexes of both, as in `previous`. */
export function commonOf(previous: Snapshot, next: Snapshot): Snapshot {
  const tables: Record<string, TableSnapshot> = {};
  for (const [name, table] of Object.entries<TableSnapshot>(previous.tables)) {
    const wanted = next.tables[name];
    if (!wanted) continue;
    const columns = pick(table.columns, (column) => Object.hasOwn(wanted.columns, column));
    const indexes = pick(table.indexes, (index, value) => isDeepStrictEqual(value, wanted.indexes[index]));
    tables[name] = { ...table, columns, indexes };
  }
  return { ...previous, tables };
}

/** The values of either, those of `next` first. */
const withAll = <T>(before: Readonly<Record<string, T>>, next: Readonly<Record<string, T>>): Record<string, T> => ({
  ...next,
  ...pick(before, (name) => !Object.hasOwn(next, name)),
});

/** The tables, columns and indexes of either, those of both as in `next`; undefined if D1 has no room for them. */
export function unionOf(previous: Snapshot, next: Snapshot): Snapshot | undefined {
  const tables: Record<string, TableSnapshot> = { ...next.tables };
  for (const [name, table] of Object.entries<TableSnapshot>(previous.tables)) {
    const wanted = next.tables[name] ?? table;
    const columns = withAll(table.columns, wanted.columns);
    tables[name] = { ...wanted, columns, indexes: withAll(table.indexes, wanted.indexes) };
  }
  // Tables and indexes share their names.
  const names = Object.entries(tables).flatMap(([name, { indexes }]) => [name, ...Object.keys(indexes)]);
  const distinct = new Set(names.map((name) => name.toLowerCase()));
  const widths = Object.values(tables).map(({ columns }) => Object.keys(columns).length);
  const hasRoom = distinct.size === names.length && Math.max(0, ...widths) <= MAX_COLUMNS;
  return hasRoom ? { ...next, tables } : undefined;
}

/** The columns of an index, by name. A descending one is an expression, the only one that an index has. */
export const indexedColumns = (columns: readonly string[]): readonly string[] =>
  columns.map((column) => /^"([^"]+)" desc$/.exec(column)?.[1] ?? column);
