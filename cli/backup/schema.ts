/**
 * @module The schema of a database as `sqlite_master` has it, sorted into what a backup copies and what a restore rebuilds.
 */
import { isReservedTable } from '../../src/schema/names.ts';
import { D1_MIGRATIONS } from '../core/sql/database.ts';
import { runOne } from '../core/sql/statements.ts';
import { RESTORE_PREFIX } from '../core/storage/unfinished.ts';

/** The name of a table while a restore fills it. */
export const stagingName = (name: string): string => `${RESTORE_PREFIX}${name}`;
const isStaging = (name: string): boolean => name.startsWith(RESTORE_PREFIX);

export interface SchemaEntry {
  readonly type: 'table' | 'index' | 'trigger' | 'view';
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string;
}

export const SCHEMA_SQL = `select "type", "name", "tbl_name", "sql" from sqlite_master where "sql" is not null order by "rowid"`;

export const readSchemaEntries = async (db: D1Database): Promise<readonly SchemaEntry[]> =>
  (await runOne(db, SCHEMA_SQL)) as unknown as readonly SchemaEntry[];

/** Of the tables in which SQLite stores a search index: what follows its name. */
const SHADOWS = ['data', 'idx', 'content', 'docsize', 'config'];

/** Leaves out what belongs to SQLite, D1 or an interrupted restore. `rest` are indexes, triggers and views. */
export function sortSchema(entries: readonly SchemaEntry[]) {
  const all = entries.filter(({ type, name, tbl_name }) => {
    const isOurs = !isReservedTable(name) || name === D1_MIGRATIONS;
    return isOurs && !isStaging(name) && !isStaging(tbl_name) && (type === 'table' || !isReservedTable(tbl_name));
  });
  const virtual = all.filter(({ sql }) => /^CREATE VIRTUAL TABLE/i.test(sql)).map(({ name }) => name);
  const hidden = [...virtual, ...virtual.flatMap((name) => SHADOWS.map((part) => `${name}_${part}`))];
  return {
    tables: all.filter(({ type, name }) => type === 'table' && !hidden.includes(name)).map(({ name }) => name),
    virtual,
    rest: all.filter(({ type }) => type !== 'table'),
  };
}

/** Returns the tables that an interrupted restore left: search indexes before the tables in which SQLite stores them. */
export const stagingTables = (entries: readonly SchemaEntry[]): readonly string[] =>
  entries.filter(({ type, name }) => type === 'table' && isStaging(name)).map(({ name }) => name);
