/**
 * @module Reads rows for an export, page by page.
 */
import type { ContentType } from '../../registry/model.ts';
import type { Row } from '../../sql/statement.ts';
import { pages } from '../core/sql/pages.ts';
import { columnIn, identifier } from '../core/sql/sql-text.ts';

const PAGE = 100;
const SMALL_PAGE = 2_000;

async function* rows(db: D1Database, sql: string, key: string, limit: number): AsyncGenerator<Row> {
  for await (const page of pages(db, sql, key, limit)) yield* page;
}

/** Reads 64-bit integers as texts: JavaScript would round them. */
function columnsOf({ table, attributes }: ContentType): string {
  const big = [...attributes.values()].flatMap((attribute) =>
    attribute.kind === 'scalar' && attribute.type === 'biginteger' && !attribute.overflow ? [attribute.column] : [],
  );
  return ['*', ...big.map((column) => `cast(${columnIn(table, column)} as text) as ${identifier(column)}`)].join(', ');
}

/** Reads the rows of a type in the order of their ids. */
export const rowsOf = (db: D1Database, type: ContentType): AsyncGenerator<Row> =>
  rows(db, `select ${columnsOf(type)} from ${identifier(type.table)} where "id" > ? order by "id" limit ?`, 'id', PAGE);

/** Reads what identifies the versions of a type. */
export function versionsOf(db: D1Database, { table }: ContentType): AsyncGenerator<Row> {
  const columns = `"id", "document_id", "locale", "published_at" is not null as "published"`;
  const sql = `select ${columns} from ${identifier(table)} where "id" > ? order by "id" limit ?`;
  return rows(db, sql, 'id', SMALL_PAGE);
}

/** Reads the links of a table in the order of their creation. */
export function linksOf(db: D1Database, table: string): AsyncGenerator<Row> {
  const sql = `select *, "rowid" as "$row" from ${identifier(table)} where "rowid" > ? order by "rowid" limit ?`;
  return rows(db, sql, '$row', SMALL_PAGE);
}
