/**
 * @module Links from a row that an upload names to its files.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ContentType } from '../../../schema/model.ts';
import type { LinkTable } from '../../plan/model/links.ts';
import type { NamedRow, WriteOp } from '../../plan/model/write-plan.ts';
import { assertion } from '../assertions.ts';
import { type Compiled, query } from '../compiled.ts';
import { nameList } from '../drizzle-pieces.ts';
import { columnOf } from '../pieces.ts';
import { toStatement } from '../render.ts';
import type { Statement } from '../statement.ts';
import { rowCondition, sidesOf, statusColumn } from '../versions.ts';
import { deleteRows } from './change-rows.ts';
import { linkColumns, linkTableKey } from './links.ts';
import { nextPosition } from './next-position.ts';

/** The row, if it exists. */
export const namedRow = (row: NamedRow, type: ContentType, table: string = type.table): SQL =>
  row.kind === 'id' ? sql`${columnOf(table, 'id')} = ${row.id}` : rowCondition({ type, ...row }, table);

const exists = (row: NamedRow, { source }: LinkTable): SQL =>
  sql`exists (select 1 from ${sql.identifier(source.table)} as "$own" where ${namedRow(row, source, '$own')})`;

/** Is there such a row? */
export const existingRow = (row: NamedRow, table: LinkTable): Compiled<boolean> =>
  query(toStatement(sql`select ${exists(row, table)} as "exists"`), ([found]) => found?.exists === 1);

/** Aborts the batch without such a row. */
export const assertRow = (row: NamedRow, table: LinkTable, code: string): Statement =>
  assertion(exists(row, table), code);

/** Unlinks a row, in its version. */
const detachFromRow = (row: NamedRow, { name, source }: LinkTable): SQL =>
  deleteRows(
    name,
    sql`("source_document_id", "source_locale", "status") in (
      select "$own"."document_id", "$own"."locale", ${statusColumn('$own')}
      from ${sql.identifier(source.table)} as "$own"
      where ${namedRow(row, source, '$own')}
    )`,
  );

/** Links a row, in its version, to a document without a locale, behind its other links. A link that is there stays. */
function attachToRow(named: NamedRow, documentId: string, table: LinkTable): SQL {
  const { name, source } = table;
  const status = statusColumn('$own');
  const { own, other } = sidesOf({ table, owner: true });
  const row = (column: string) => (column === 'status' ? status : columnOf('$own', column));
  const file: Readonly<Record<string, SQL>> = { document_id: sql`${documentId}`, locale: sql`''`, status };
  return sql`
    insert into ${sql.identifier(name)} (${linkColumns(table)})
    select "$own"."document_id", "$own"."locale", ${documentId}, '', ${status},
      ${nextPosition(name, own, row)}, ${nextPosition(name, other, (column) => file[column] ?? sql`''`)}
    from ${sql.identifier(source.table)} as "$own"
    where ${namedRow(named, source, '$own')}
    on conflict (${nameList(linkTableKey(table))}) do nothing`;
}

export function attachFiles({ row, table, files, isList }: Extract<WriteOp, { kind: 'attach' }>): readonly SQL[] {
  const attached = (isList ? files : files.slice(-1)).map((documentId) => attachToRow(row, documentId, table));
  return isList ? attached : [detachFromRow(row, table), ...attached];
}
