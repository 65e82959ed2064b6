/**
 * @module The tables of a database as SQLite has noted them, sorted into what is copied and what is made anew.
 */
import { isReservedTable } from '../../registry/names.ts';
import { D1_MIGRATIONS } from '../core/sql/database.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { RESTORE_PREFIX } from '../core/storage/unfinished.ts';
import { UserError } from '../core/terminal.ts';

/** A table that a restore fills before it takes the place of another one. */
export const waiting = (name: string): string => `${RESTORE_PREFIX}${name}`;
const isWaiting = (name: string): boolean => name.startsWith(RESTORE_PREFIX);

export interface Noted {
  readonly type: 'table' | 'index' | 'trigger' | 'view';
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string;
}

export const SCHEMA_SQL = `select "type", "name", "tbl_name", "sql" from sqlite_master where "sql" is not null order by "rowid"`;

const isVirtual = ({ sql }: Noted): boolean => /^CREATE VIRTUAL TABLE/i.test(sql);

/** Tables in which SQLite keeps those of search indexes. */
const shadows = (virtual: readonly Noted[]): ReadonlySet<string> =>
  new Set(
    virtual.flatMap(({ name }) => ['data', 'idx', 'content', 'docsize', 'config'].map((part) => `${name}_${part}`)),
  );

export interface Parts {
  readonly tables: readonly Noted[];
  readonly virtual: readonly Noted[];
  /** Indexes, triggers and views. */
  readonly rest: readonly Noted[];
}

/** What a database has; what SQLite, D1 and an interrupted restore keep to themselves is left out. */
export function partsOf(noted: readonly Noted[]): Parts {
  const all = noted.filter(({ type, name, tbl_name }) => {
    const isOurs = !isReservedTable(name) || name === D1_MIGRATIONS;
    return isOurs && !isWaiting(name) && !isWaiting(tbl_name) && (type === 'table' || !isReservedTable(tbl_name));
  });
  const virtual = all.filter((item) => item.type === 'table' && isVirtual(item));
  const hidden = shadows(virtual);
  return {
    virtual,
    tables: all.filter((item) => item.type === 'table' && !isVirtual(item) && !hidden.has(item.name)),
    rest: all.filter(({ type, tbl_name }) => type !== 'table' && !hidden.has(tbl_name)),
  };
}

/** Tables that an interrupted restore left, those with a search index first. */
export const waitingTables = (noted: readonly Noted[]): readonly string[] => {
  const left = noted.filter(({ type, name }) => type === 'table' && isWaiting(name));
  const virtual = left.filter(isVirtual);
  const hidden = shadows(virtual);
  return [...virtual, ...left.filter((item) => !isVirtual(item) && !hidden.has(item.name))].map(({ name }) => name);
};

const FILL = /\bBEGIN INSERT INTO "[^"]+" (\("rowid", "text"\) SELECT .*); END$/s;

/** A search index: rebuilt from the rows of its table. */
export interface Search {
  readonly name: string;
  readonly sql: string;
  readonly table: string;
  /** `("rowid", "text") SELECT …` of a row called `new`. */
  readonly fill: string;
}

/** The trigger that keeps a search index says what the index has of each row. */
function searchOf({ name, sql }: Noted, rest: readonly Noted[]): Search {
  const trigger = rest.find((item) => item.type === 'trigger' && item.name === `${name}_insert`);
  const fill = trigger && FILL.exec(trigger.sql)?.[1];
  if (!trigger || !fill)
    throw new UserError(`${name} is a virtual table that Edgewise did not make: it cannot be kept`);
  return { name, sql, table: trigger.tbl_name, fill };
}

/** The tables of a database, without what is in them. */
export interface Schema {
  readonly tables: readonly Noted[];
  readonly searches: readonly Search[];
  /** Indexes, triggers and views, in the order in which they were made. */
  readonly rest: readonly Noted[];
}

/** @throws UserError for virtual tables of others. */
export function schemaOf(noted: readonly Noted[]): Schema {
  const { tables, virtual, rest } = partsOf(noted);
  return { tables, searches: virtual.map((item) => searchOf(item, rest)), rest };
}

const NAMED = /^(CREATE (?:VIRTUAL )?TABLE\s*)("(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|\w+)/i;

/** The statement that makes the same table under another name. */
export const madeAs = (sql: string, name: string): string =>
  sql.replace(NAMED, (_, create: string) => `${create.trimEnd()} ${identifier(name)}`);
