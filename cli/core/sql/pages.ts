/**
 * @module Rows of tables, page by page, so that no result is larger than memory.
 */
import type { Row } from '../../../src/content/sql/statement.ts';
import { identifier } from './sql-text.ts';
import { runOne } from './statements.ts';

/** A page has about so many characters. */
const PAGE_CHARACTERS = 1_000_000;
const MAX_ROWS = 2_000;
const FIRST_ROWS = 50;

/** Reads all rows of a table in the order of their ids. */
export async function* pages(db: D1Database, table: string, columns = '*'): AsyncGenerator<readonly Row[]> {
  const sql = `select "_rowid_" as "$row", ${columns} from ${identifier(table)} where "_rowid_" > ? order by "_rowid_" limit ?`;
  let limit = FIRST_ROWS;
  for (let last: unknown = Number.MIN_SAFE_INTEGER; ; ) {
    const results = await runOne(db, { sql, params: [last, limit] });
    if (results.length > 0) yield results;
    if (results.length < limit) return;
    last = results.at(-1)?.$row;
    const fitting = Math.floor((results.length * PAGE_CHARACTERS) / JSON.stringify(results).length);
    limit = Math.min(Math.max(fitting, 1), MAX_ROWS);
  }
}
