/**
 * @module The schema of a database as `sqlite_master` has it, sorted into what a backup copies and what a restore rebuilds.
 */
import { isReservedTable } from '../../src/registry/names.ts';
import type { Row } from '../../src/sql/statement.ts';
import { D1_MIGRATIONS } from '../core/sql/database.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { RESTORE_PREFIX } from '../core/storage/unfinished.ts';
import { UserError } from '../core/terminal.ts';

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

export const readEntries = async (db: D1Database): Promise<readonly SchemaEntry[]> =>
  (await db.prepare(SCHEMA_SQL).all<SchemaEntry & Row>()).results;

const isVirtual = ({ sql }: SchemaEntry): boolean => /^CREATE VIRTUAL TABLE/i.test(sql);

/** Of the tables in which SQLite stores a search index: what follows its name. */
const SHADOWS = ['data', 'idx', 'content', 'docsize', 'config'];

/** Leaves out what belongs to SQLite, D1 or an interrupted restore. */
export function partsOf(entries: readonly SchemaEntry[]) {
  const all = entries.filter(({ type, name, tbl_name }) => {
    const isOurs = !isReservedTable(name) || name === D1_MIGRATIONS;
    return isOurs && !isStaging(name) && !isStaging(tbl_name) && (type === 'table' || !isReservedTable(tbl_name));
  });
  const virtual = all.filter((item) => item.type === 'table' && isVirtual(item));
  const hidden = new Set(virtual.flatMap(({ name }) => SHADOWS.map((part) => `${name}_${part}`)));
  return {
    virtual,
    tables: all.filter((item) => item.type === 'table' && !isVirtual(item) && !hidden.has(item.name)),
    rest: all.filter(({ type, tbl_name }) => type !== 'table' && !hidden.has(tbl_name)),
  };
}

/** Returns the tables that an interrupted restore left, search indexes first. */
export function stagingTables(entries: readonly SchemaEntry[]): readonly string[] {
  const staging = entries.filter(({ type, name }) => type === 'table' && isStaging(name));
  return [...staging.filter(isVirtual), ...staging.filter((item) => !isVirtual(item))].map(({ name }) => name);
}

const FILL = /\bBEGIN INSERT INTO "[^"]+" (\("rowid", "text"\) SELECT .*); END$/s;

/**
 * A search index, which a restore rebuilds from the rows of its table, as the trigger does that maintains it.
 * @throws UserError for a virtual table that Edgewise did not make.
 */
function searchOf({ name, sql }: SchemaEntry, rest: readonly SchemaEntry[]) {
  const trigger = rest.find((item) => item.type === 'trigger' && item.name === `${name}_insert`);
  /** `("rowid", "text") SELECT …` of a row called `new`. */
  const fill = trigger && FILL.exec(trigger.sql)?.[1];
  if (!trigger || !fill)
    throw new UserError(`${name} is a virtual table that Edgewise did not make: it cannot be backed up`);
  return { name, sql, table: trigger.tbl_name, fill };
}

export type Search = ReturnType<typeof searchOf>;

/**
 * What a backup copies; `rest` are indexes, triggers and views, in the order of their creation.
 * @throws UserError for virtual tables that Edgewise did not make.
 */
export function schemaOf(entries: readonly SchemaEntry[]) {
  const { tables, virtual, rest } = partsOf(entries);
  return { tables, searches: virtual.map((item) => searchOf(item, rest)), rest };
}

export type Schema = ReturnType<typeof schemaOf>;

const NAMED = /^(CREATE (?:VIRTUAL )?TABLE\s*)("(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|\w+)/i;

/** Returns the statement that creates the same table under another name. */
export const createAs = (sql: string, name: string): string =>
  sql.replace(NAMED, (_, create: string) => `${create.trimEnd()} ${identifier(name)}`);
