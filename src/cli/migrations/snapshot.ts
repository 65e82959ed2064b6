/**
 * @module Drizzle snapshots of the tables, and the statements between two of them. The only caller of drizzle-kit.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DrizzleSQLiteSnapshotJSON } from 'drizzle-kit/api';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import type { Registry } from '../../registry/model.ts';
import { UserError } from '../core/terminal.ts';
import { buildTables, linkTableOf, type Tables } from './tables.ts';

export type Snapshot = DrizzleSQLiteSnapshotJSON;
export type TableSnapshot = Snapshot['tables'][string];

/** It takes a second to load, which commands that compare no tables do not wait for. */
const kit = () => import('drizzle-kit/api');

/** drizzle-kit gives random ids; a fixed one keeps the file free of changes that mean nothing. */
export const SNAPSHOT_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Tables and indexes share their names in SQLite, and drizzle-kit drops one of two indexes of the same name silently.
 * @throws UserError that names the clash.
 */
function checkNames(tables: Tables): void {
  const owners = new Map<string, string>();
  for (const [table, built] of Object.entries(tables)) {
    const indexes = getTableConfig(built).indexes.map(({ config }) => config.name);
    for (const name of [table, ...indexes]) {
      const taken = owners.get(name.toLowerCase());
      if (taken !== undefined)
        throw new UserError(
          `content-types/: the tables ${taken} and ${table} both need the name ${name}; give an attribute or a collectionName another name`,
        );
      owners.set(name.toLowerCase(), table);
    }
  }
}

async function describe(tables: Tables): Promise<Snapshot> {
  const { generateSQLiteDrizzleJson } = await kit();
  const snapshot = await generateSQLiteDrizzleJson({ ...tables });
  return JSON.parse(JSON.stringify({ ...snapshot, id: SNAPSHOT_ID, prevId: SNAPSHOT_ID }));
}

/** The tables that a registry asks for, as drizzle-kit describes them; the same as when read from a file. */
export async function snapshotOf(registry?: Registry): Promise<Snapshot> {
  const tables = registry ? buildTables(registry) : {};
  checkNames(tables);
  return describe(tables);
}

/** One link table. */
export const linkTableSnapshot = (name: string): Promise<Snapshot> => describe({ [name]: linkTableOf(name) });

const pick = <T>(record: Readonly<Record<string, T>>, keep: (key: string, value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([key, value]) => keep(key, value)));

function tableWithout(table: TableSnapshot, next: TableSnapshot): TableSnapshot {
  return {
    ...table,
    columns: pick(table.columns, (name) => name in next.columns),
    indexes: pick(table.indexes, (name, index) => isDeepStrictEqual(index, next.indexes[name])),
  };
}

/** `previous` less the tables, columns and indexes that `next` does not have. */
function withoutDropped(previous: Snapshot, next: Snapshot): Snapshot {
  const tables: Record<string, TableSnapshot> = {};
  for (const [name, table] of Object.entries<TableSnapshot>(previous.tables)) {
    const wanted = next.tables[name];
    if (wanted) tables[name] = tableWithout(table, wanted);
  }
  return { ...previous, tables };
}

/** `previous` with the tables, columns and indexes that only `next` has; what both have stays as it is in `previous`. */
function withAdded(previous: Snapshot, next: Snapshot): Snapshot {
  const tables: Record<string, TableSnapshot> = {};
  for (const [name, wanted] of Object.entries<TableSnapshot>(next.tables)) {
    const table = previous.tables[name];
    tables[name] = table
      ? { ...table, columns: { ...wanted.columns, ...table.columns }, indexes: wanted.indexes }
      : wanted;
  }
  return { ...previous, tables };
}

/** D1 allows no more: https://developers.cloudflare.com/d1/platform/limits/ */
const MAX_COLUMNS = 100;

const additional = <T>(before: Readonly<Record<string, T>>, wanted: Readonly<Record<string, T>>): Record<string, T> =>
  pick(before, (name) => !(name in wanted));

function tableWithBoth(table: TableSnapshot, next: TableSnapshot | undefined): TableSnapshot {
  if (!next) return table;
  const columns = { ...next.columns, ...additional(table.columns, next.columns) };
  return { ...next, columns, indexes: { ...next.indexes, ...additional(table.indexes, next.indexes) } };
}

/** Tables and indexes share their names. */
function hasRoom(tables: Readonly<Record<string, TableSnapshot>>): boolean {
  const names = Object.entries(tables).flatMap(([name, { indexes }]) => [name, ...Object.keys(indexes)]);
  const distinct = new Set(names.map((name) => name.toLowerCase()));
  const widths = Object.values(tables).map(({ columns }) => Object.keys(columns).length);
  return distinct.size === names.length && widths.every((width) => width <= MAX_COLUMNS);
}

/** `next` with the tables, columns and indexes that only `previous` has; undefined where there is no room for them. */
export function withLeftovers(previous: Snapshot, next: Snapshot): Snapshot | undefined {
  const tables: Record<string, TableSnapshot> = { ...next.tables };
  for (const [name, table] of Object.entries<TableSnapshot>(previous.tables))
    tables[name] = tableWithBoth(table, next.tables[name]);
  return hasRoom(tables) ? { ...next, tables } : undefined;
}

/** A column of an index as drizzle-kit describes one that descends: the only expression that an index has. */
const DESCENDING = /^"([^"]+)" desc$/;

/** The columns of an index, by name. */
export const indexedColumns = (columns: readonly string[]): readonly string[] =>
  columns.map((column) => DESCENDING.exec(column)?.[1] ?? column);

/**
 * drizzle-kit ends some statements with a semicolon and some with a line break. It quotes a column that descends together
 * with its direction, or not at all once the index is in a snapshot that was read back.
 */
const bare = (statement: string): string =>
  statement
    .trim()
    .replace(/;$/, '')
    .replaceAll(/(`?)"([^"`]+)" desc\1/g, '`$2` DESC');

/** The statements of one step; drizzle-kit takes long to find that nothing changes. */
async function stepBetween(previous: Snapshot, next: Snapshot): Promise<readonly string[]> {
  if (isDeepStrictEqual(previous, next)) return [];
  const { generateSQLiteMigration } = await kit();
  return generateSQLiteMigration(previous, next);
}

/** `snapshot` without the tables that are the same in `other`. */
const changedTables = (snapshot: Snapshot, other: Snapshot): Snapshot => ({
  ...snapshot,
  tables: pick(snapshot.tables, (name, table: TableSnapshot) => !isDeepStrictEqual(table, other.tables[name])),
});

/**
 * The statements that turn the tables of `before` into those of `after`. They are found in three steps, drop, add,
 * alter: drizzle-kit asks on the terminal whether a dropped and an added name are a rename, and never sees both here.
 */
export async function diffSnapshots(before: Snapshot, after: Snapshot): Promise<string[]> {
  const [previous, next] = [changedTables(before, after), changedTables(after, before)];
  const dropped = withoutDropped(previous, next);
  const added = withAdded(dropped, next);
  const steps = [
    await stepBetween(previous, dropped),
    await stepBetween(dropped, added),
    await stepBetween(added, next),
  ];
  return steps.flat().map(bare);
}
