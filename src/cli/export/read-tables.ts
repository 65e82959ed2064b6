/**
 * @module What an export reads of tables.
 */
import type { ContentType } from '../../registry/model.ts';
import type { Row } from '../../sql/statement.ts';
import { pages } from '../core/sql/pages.ts';
import { columnIn, identifier } from '../core/sql/sql-text.ts';

const PAGE = 100;
const SMALL_PAGE = 2_000;

/** Whole numbers of 64 bits are read as texts: JavaScript would round them. */
function columnsOf({ table, attributes }: ContentType): string {
  const big = [...attributes.values()].flatMap((attribute) =>
    attribute.kind === 'scalar' && attribute.type === 'biginteger' && !attribute.overflow ? [attribute.column] : [],
  );
  return ['*', ...big.map((column) => `cast(${columnIn(table, column)} as text) as ${identifier(column)}`)].join(', ');
}

/** Every row of a type in the order of its `id`. */
export const rowsOf = (db: D1Database, type: ContentType): AsyncGenerator<readonly Row[]> =>
  pages(
    db,
    `select ${columnsOf(type)} from ${identifier(type.table)} where "id" > ? order by "id" limit ?`,
    'id',
    PAGE,
  );

/** What tells the versions of a type apart. */
export const versionsOf = (db: D1Database, { table }: ContentType): AsyncGenerator<readonly Row[]> =>
  pages(
    db,
    `select "id", "document_id", "locale", "published_at" is not null as "published" from ${identifier(table)} where "id" > ? order by "id" limit ?`,
    'id',
    SMALL_PAGE,
  );

/** Every link of a table in the order in which it was made. */
export const linksOf = (db: D1Database, table: string): AsyncGenerator<readonly Row[]> =>
  pages(
    db,
    `select *, "rowid" as "$row" from ${identifier(table)} where "rowid" > ? order by "rowid" limit ?`,
    '$row',
    SMALL_PAGE,
  );
