/**
 * @module Rows of tables, page by page, so that no answer is larger than memory.
 */
import type { Row } from '../../../sql/statement.ts';

/**
 * Reads all rows of a statement.
 * @param sql binds the key of the last row of the page before, and how many rows a page has.
 * @param key the column by which rows are ordered: a number greater than 0.
 */
export async function* pages(db: D1Database, sql: string, key: string, limit: number): AsyncGenerator<readonly Row[]> {
  const statement = db.prepare(sql);
  for (let last = 0; ; ) {
    const { results } = await statement.bind(last, limit).all<Row>();
    if (results.length > 0) yield results;
    if (results.length < limit) return;
    last = Number(results.at(-1)?.[key]);
  }
}
