/**
 * @module Copies of tables in a temporary database, from which a backup or an export is written: there may be more rows
 * than memory, and what refers to other rows finds them without a round trip.
 */
import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '../../../src/sql/statement.ts';
import { UserError } from '../terminal.ts';
import { runBatch } from './database.ts';
import { pages } from './pages.ts';
import { columnList } from './row-lists.ts';
import { identifier } from './sql-text.ts';
import { openTemporary } from './sqlite.ts';

/** As declared: `title`, `text`. */
type Column = readonly [name: string, type: string];

/** Reads 64-bit integers as texts, which numeric columns turn into numbers again: JavaScript would round them. */
function selected([name, type]: Column): string {
  const column = identifier(name);
  return /int|num|dec|bool|date|time/i.test(type)
    ? `case typeof(${column}) when 'integer' then cast(${column} as text) else ${column} end as ${column}`
    : column;
}

/**
 * Opens copies of tables, empty. They have no constraints: a row that moves while its table is read is there twice, until
 * the table is read again.
 * @param report gets how many rows were copied, each time.
 * @throws UserError for tables that the database does not have.
 */
export async function openCopies(db: D1Database, tables: readonly string[], report: (rows: number) => void) {
  const sql = 'select "name", "type" from pragma_table_info(?)';
  const found = await runBatch(
    db,
    tables.map((table) => ({ sql, params: [table] })),
  );
  if (found.some((columns) => columns.length === 0))
    throw new UserError('The database is not up to date: npm run migrate');
  const columnsOf = (rows: readonly Row[] = []) => rows.map(({ name, type }): Column => [String(name), String(type)]);
  const columns = new Map(tables.map((table, index) => [table, columnsOf(found[index])]));
  const copy = openTemporary(
    [...columns]
      .map(([table, own]) => [identifier(table), own.map(([name, type]) => `${identifier(name)} ${type}`).join(', ')])
      .map(([table, declared]) => `create table ${table} (${declared});`)
      .join('\n'),
  );
  const columnsIn = (table: string): readonly Column[] => columns.get(table) ?? [];
  const selection = (table: string): string => columnsIn(table).map(selected).join(', ');
  const add = (table: string, rows: readonly Row[]): void => {
    const names = columnsIn(table).map(([name]) => name);
    const values = names.map(() => '?').join(', ');
    const insert = copy.prepare(`insert into ${identifier(table)} (${columnList(names)}) values (${values})`);
    for (const row of rows) {
      if (names.some((name) => row[name] !== null && typeof row[name] === 'object'))
        throw new UserError(`${table} has bytes in a column; they cannot be backed up`);
      insert.run(...names.map((name) => row[name] as SQLInputValue));
    }
    report(rows.length);
  };
  return {
    db: copy,
    tables,
    columnsIn,
    /** What to select of a table for `add`. */
    selection,
    /** @throws UserError for bytes, which neither a backup nor an archive can hold. */
    add,
    /** Copies a table, in the place of an earlier copy. */
    async read(table: string): Promise<void> {
      copy.exec(`delete from ${identifier(table)}`);
      for await (const rows of pages(db, table, selection(table))) add(table, rows);
    },
    close: () => copy.close(),
  };
}

export type Copies = Awaited<ReturnType<typeof openCopies>>;
