/**
 * @module Copies of tables in a database of this process, which a backup contains and from which an export is written: there
 * may be more rows than memory, and what refers to other rows finds them without a round trip.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Row } from '../../../src/content/sql/statement.ts';
import type { Stored } from '../../../src/schema/fields.ts';
import { UserError } from '../terminal.ts';
import { pages } from './pages.ts';
import { columnList } from './row-lists.ts';
import { identifier } from './sql-text.ts';
import { openTemporary } from './sqlite.ts';
import { runBatches } from './statements.ts';

/** As declared: `title`, `text`. */
type Column = readonly [name: string, type: string];

/** Reads 64-bit integers as texts, which numeric columns turn into numbers again: JavaScript would round them. */
function selected([name, type]: Column): string {
  const column = identifier(name);
  return /int|num|dec|bool|date|time/i.test(type)
    ? `case typeof(${column}) when 'integer' then cast(${column} as text) else ${column} end as ${column}`
    : column;
}

const COLUMNS = 'select "name", "type" from pragma_table_info(?)';

const columnsOf = (rows: readonly Row[] = []) => rows.map(({ name, type }): Column => [String(name), String(type)]);

/** As `sqlite_master` has it. */
const createSql = (table: string, columns: readonly Column[]): string =>
  `CREATE TABLE ${identifier(table)} (${columns.map(([name, type]) => `${identifier(name)} ${type}`).join(', ')})`;

/** @throws UserError for bytes, which neither a backup nor an archive can hold. */
function valuesOf(table: string, row: Row, names: readonly string[]): readonly Stored[] {
  const values = names.map((name) => row[name]);
  if (values.every((value) => value === null || typeof value !== 'object')) return values as Stored[];
  throw new UserError(`${table} has bytes in a column; they cannot be backed up or restored`);
}

/** Reads copied tables. */
export function copiesIn(db: DatabaseSync) {
  const columnsIn = (table: string): readonly Column[] => columnsOf(db.prepare(COLUMNS).all(table) as readonly Row[]);
  /** What to select of a table, here or where it was copied from. */
  const selection = (table: string): string => columnsIn(table).map(selected).join(', ');
  /** Rows in the order of their creation. */
  const rowsSql = (table: string): string => `select ${selection(table)} from ${identifier(table)} order by "_rowid_"`;
  const rows = (table: string) => db.prepare(rowsSql(table)).iterate() as Iterable<Row>;
  return {
    db,
    columnsIn,
    selection,
    rowsSql,
    rows,
    /** Each row as the JSON of a list. */
    *lists(table: string): Generator<string> {
      const names = columnsIn(table).map(([name]) => name);
      for (const row of rows(table)) yield JSON.stringify(valuesOf(table, row, names));
    },
    /** @param what counts where it is not null. */
    count: (table: string, what = '*'): number =>
      Number(db.prepare(`select count(${what}) as "count" from ${identifier(table)}`).get()?.count),
    /** The bytes of all values of a table. */
    bytes(table: string): number {
      const lengths = columnsIn(table).map(([name]) => `ifnull(octet_length(${identifier(name)}), 0)`);
      const sql = `select total(${lengths.join(' + ')}) as "bytes" from ${identifier(table)}`;
      return Number(db.prepare(sql).get()?.bytes);
    },
    /** Has the database nothing but tables as `openCopies` makes them? Then reading them executes nothing. */
    isPlain(): boolean {
      const tables = db.prepare('select "name", "sql" from sqlite_master').all() as readonly Row[];
      return tables.every(
        ({ name, sql }) =>
          String(sql).startsWith('CREATE TABLE ') && sql === createSql(String(name), columnsIn(String(name))),
      );
    },
  };
}

/**
 * Opens copies of tables, empty. They have no constraints: a row that moves while its table is read is there twice, until
 * the table is read again.
 * @param report gets how many rows were copied, each time.
 * @throws UserError for tables that the database does not have.
 */
export async function openCopies(db: D1Database, tables: readonly string[], report: (rows: number) => void) {
  const found = await runBatches(
    db,
    tables.map((table) => ({ sql: COLUMNS, params: [table] })),
  );
  if (found.some((columns) => columns.length === 0))
    throw new UserError('The database is not up to date: npx edgewise migrate');
  const copies = copiesIn(
    openTemporary(tables.map((table, index) => createSql(table, columnsOf(found[index]))).join(';')),
  );
  const clear = (table: string) => copies.db.exec(`delete from ${identifier(table)}`);
  const add = (table: string, rows: readonly Row[]): void => {
    const names = copies.columnsIn(table).map(([name]) => name);
    const values = names.map(() => '?').join(', ');
    const insert = copies.db.prepare(`insert into ${identifier(table)} (${columnList(names)}) values (${values})`);
    for (const row of rows) insert.run(...valuesOf(table, row, names));
    report(rows.length);
  };
  return {
    ...copies,
    tables,
    /** Takes rows for those of a table, in the place of an earlier copy. */
    replace(table: string, rows: readonly Row[]): void {
      clear(table);
      add(table, rows);
    },
    /** Copies a table, in the place of an earlier copy. */
    async read(table: string): Promise<void> {
      clear(table);
      for await (const rows of pages(db, table, copies.selection(table))) add(table, rows);
    },
    /** Writes all copies to a file; the last thing to do with them. */
    save(path: string): void {
      copies.db.exec('commit');
      copies.db.prepare('vacuum into ?').run(path);
    },
    close: () => copies.db.close(),
  };
}

export type Copies = Awaited<ReturnType<typeof openCopies>>;
