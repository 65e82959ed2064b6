/**
 * @module Links from rows that an upload names to its files.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { LinkTable } from '../../plan/model/links.ts';
import type { ContentType } from '../../registry/model.ts';
import type { Status } from '../../request/query-params.ts';
import { assertion } from '../assertions.ts';
import { type Compiled, query } from '../compiled.ts';
import { nameList } from '../drizzle-pieces.ts';
import { columnOf } from '../pieces.ts';
import { toStatement } from '../render.ts';
import type { Statement } from '../statement.ts';
import { rowCondition, sidesOf, statusColumn } from '../versions.ts';
import { linkColumns, linkTableKey } from './links.ts';
import { nextPosition } from './next-position.ts';

/** A row by its number, or one version of a document. */
export type NamedRows =
  | { readonly id: number }
  | { readonly documentId: string; readonly locale: string; readonly status: Status };

const isNamed = (rows: NamedRows, type: ContentType): SQL =>
  'id' in rows ? sql`"$own"."id" = ${rows.id}` : rowCondition({ type, ...rows }, '$own');

const exist = (rows: NamedRows, { source }: LinkTable): SQL =>
  sql`exists (select 1 from ${sql.identifier(source.table)} as "$own" where ${isNamed(rows, source)})`;

/** Are there such rows? */
export const existingRows = (rows: NamedRows, table: LinkTable): Compiled<boolean> =>
  query(toStatement(sql`select ${exist(rows, table)} as "exist"`), ([row]) => row?.exist === 1);

/** Aborts the batch without such rows. */
export const assertRows = (rows: NamedRows, table: LinkTable, code: string): Statement =>
  assertion(exist(rows, table), code);

/** Unlinks rows, each in its version. */
export const detachFromRows = (rows: NamedRows, { name, source }: LinkTable): Statement =>
  toStatement(sql`
    delete from ${sql.identifier(name)}
    where ("source_document_id", "source_locale", "status") in (
      select "$own"."document_id", "$own"."locale", ${statusColumn('$own')}
      from ${sql.identifier(source.table)} as "$own"
      where ${isNamed(rows, source)}
    )`);

/** Links rows, each in its version, to a document without a locale, behind their other links. A link that is there stays. */
export function attachToRows(rows: NamedRows, documentId: string, table: LinkTable): Statement {
  const { name, source } = table;
  const status = statusColumn('$own');
  const { own, other } = sidesOf({ table, owner: true });
  const row = (column: string) => (column === 'status' ? status : columnOf('$own', column));
  const file: Readonly<Record<string, SQL>> = { document_id: sql`${documentId}`, locale: sql`''`, status };
  return toStatement(sql`
    insert into ${sql.identifier(name)} (${linkColumns(table)})
    select "$own"."document_id", "$own"."locale", ${documentId}, '', ${status},
      ${nextPosition(name, own, row)}, ${nextPosition(name, other, (column) => file[column] ?? sql`''`)}
    from ${sql.identifier(source.table)} as "$own"
    where ${isNamed(rows, source)}
    on conflict (${nameList(linkTableKey(table))}) do nothing`);
}
