/**
 * @module Links that an upload makes: of rows that it names to its files.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { LinkTable } from '../../plan/model/links.ts';
import type { ContentType } from '../../registry/model.ts';
import type { Status } from '../../request/query-params.ts';
import { assert, columnOf } from '../pieces.ts';
import { toStatement } from '../render.ts';
import type { Statement } from '../statement.ts';
import { endsOf, rowCondition, statusOf } from '../versions.ts';
import { LINK_COLUMNS, lastPlace } from './links.ts';

/** Rows of a document as an upload names them: one by its number, or one version of a document. */
export type NamedRows =
  | { readonly id: number }
  | { readonly documentId: string; readonly locale: string; readonly status: Status };

const isNamed = (rows: NamedRows, type: ContentType): SQL =>
  'id' in rows ? sql`"$own"."id" = ${rows.id}` : rowCondition({ type, ...rows }, '$own');

/** Aborts the batch where there are no such rows. */
export const assertRows = (rows: NamedRows, { source }: LinkTable, code: string): Statement =>
  toStatement(
    assert(sql`exists (select 1 from ${sql.identifier(source.table)} as "$own" where ${isNamed(rows, source)})`, code),
  );

/** Takes from rows, each in its version, what they are linked to. */
export function detachFromRows(rows: NamedRows, { name, source }: LinkTable): Statement {
  const { near } = endsOf(true);
  return toStatement(sql`
    delete from ${sql.identifier(name)}
    where (${sql.identifier(near.documentId)}, ${sql.identifier(near.locale)}, "status") in (
      select "$own"."document_id", "$own"."locale", ${statusOf('$own')}
      from ${sql.identifier(source.table)} as "$own"
      where ${isNamed(rows, source)}
    )`);
}

/** Links rows, each in its version, to a document without a locale, behind what they are linked to. */
export function attachToRows(rows: NamedRows, documentId: string, { name, source }: LinkTable): Statement {
  const status = statusOf('$own');
  const { near, far } = endsOf(true);
  const own = (column: string) => (column === 'status' ? status : columnOf('$own', column));
  const file: Readonly<Record<string, SQL>> = { document_id: sql`${documentId}`, locale: sql`''`, status };
  return toStatement(sql`
    insert into ${sql.identifier(name)} (${LINK_COLUMNS})
    select "$own"."document_id", "$own"."locale", ${documentId}, '', ${status},
      ${lastPlace(name, near, own)}, ${lastPlace(name, far, (column) => file[column] ?? sql`''`)}
    from ${sql.identifier(source.table)} as "$own"
    where ${isNamed(rows, source)}`);
}
