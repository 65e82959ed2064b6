/**
 * @module Writes the rows of a backup into staging tables.
 */
import type { Statement } from '../../src/sql/statement.ts';
import type { Entry } from '../core/archive/entries.ts';
import { linesOf, parseLine } from '../core/archive/json-lines.ts';
import { runBatch } from '../core/sql/database.ts';
import { rowInserter } from '../core/sql/row-lists.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';
import type { TableEntry } from './backup-file.ts';
import { createAs, type Schema, type Search, stagingName } from './schema.ts';

type Values = readonly (string | number | null)[];

const isScalar = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'number';

/** @throws UserError for a line that is no row of the table. */
function rowOf(json: string, { columns }: TableEntry, name: string, number: number): Values {
  const values = parseLine(json, name, number);
  if (Array.isArray(values) && values.length === columns.length && values.every(isScalar)) return values as Values;
  throw new UserError(`${name}, line ${number}: not a list of ${columns.length} texts, numbers and nulls`);
}

/** Returns the statements that create the staging tables and their search indexes, empty. */
export const stagingStatements = ({ tables, searches }: Schema): readonly string[] =>
  [...tables, ...searches].map(({ sql, name }) => createAs(sql, stagingName(name)));

/** Adds a range of rows to a search index. The file has them in the order of their ids. */
const indexed = ({ name, table, fill }: Search, first = '', last = ''): Statement => ({
  sql: `insert into ${identifier(stagingName(name))} ${fill} from ${identifier(stagingName(table))} as new where new."id" between ? and ?`,
  params: [first, last],
});

export async function fillTable(
  table: TableEntry,
  { searches }: Schema,
  { bytes, name }: Entry,
  db: D1Database,
  report: (rows: number) => void,
): Promise<void> {
  const insert = rowInserter(stagingName(table.name), table.columns);
  const own = searches.filter((search) => search.table === table.name);
  const at = table.columns.indexOf('id');
  let number = 0;
  for await (const lines of linesOf(bytes, name)) {
    const rows = lines.map((json, index) => rowOf(json, table, name, number + index + 1));
    const [first, last] = [rows[0], rows.at(-1)].map((values) => String(values?.[at] ?? ''));
    await runBatch(db, [...insert(lines), ...own.map((search) => indexed(search, first, last))]);
    number += lines.length;
    report(lines.length);
  }
}
