/**
 * @module Conditions of grants on the rows of a document: read before a write, asserted in its batch.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type DocumentRef, namedDocument } from '../../../schema/document-ref.ts';
import type { ContentType } from '../../../schema/model.ts';
import type { Condition } from '../../plan/model/read-plan.ts';
import type { RowRef } from '../../plan/model/write-plan.ts';
import { assertion } from '../assertions.ts';
import type { Compiled } from '../compiled.ts';
import { columnOf } from '../pieces.ts';
import { compileCondition } from '../read/conditions.ts';
import { type GrantConditions, isGranted, meetsCondition } from '../read/granted-rows.ts';
import { rowScope } from '../scope.ts';
import type { Statement } from '../statement.ts';
import { isDocument, ofAnyVersion, rowCondition } from '../versions.ts';
import { guardedLookup, type LookupResult } from './preconditions.ts';

/** A document, or the one that has a row with this id. */
export type RowOwner =
  | { readonly kind: 'document'; readonly document: DocumentRef }
  | { readonly kind: 'row'; readonly row: number };

/** The rows of a document in all its versions. */
type GrantedRows = GrantConditions & RowOwner;

function isOfDocument(rows: GrantedRows): SQL {
  if (rows.kind === 'document') return isDocument(rows);
  const { type, row } = rows;
  const { table } = type;
  const named = sql`(select "document_id" from ${sql.identifier(table)} where "id" = ${row})`;
  return ofAnyVersion(sql`${columnOf(table, 'document_id')} = ${named}`, type, table);
}

const COLUMNS = ['id', 'locale', 'published', 'allowed', 'visible'];

/** Returns the rows as `COLUMNS`, and a guard that all of them, and the values of the conditions, stay the same. */
export function compileGranted(rows: GrantedRows): Compiled<LookupResult<GrantedRows>> {
  const { type } = rows;
  const column = (name: string) => columnOf(type.table, name);
  const select = sql`
    select
      ${column('id')} as "id",
      ${column('locale')} as "locale",
      ${column('published_at')} is not null as "published",
      ${meetsCondition(rows.allowed, type)} as "allowed",
      ${meetsCondition(rows.visible, type)} as "visible"
    from ${sql.identifier(type.table)}
    where ${isOfDocument(rows)}
    order by ${column('id')}`;
  return guardedLookup(rows, select, COLUMNS);
}

/** Has the document that columns name rows in the locale that they name, which all meet both conditions? */
export function allGranted(conditions: GrantConditions, documentId: SQL, locale: SQL): SQL {
  const { type } = conditions;
  const { table, kind } = type;
  const isOf = sql`${columnOf(table, 'document_id')} = ${documentId}`;
  const isNamed = kind === 'singleType' ? sql`1` : ofAnyVersion(isOf, type, table);
  return sql`(
    select min(${isGranted(conditions)})
    from ${sql.identifier(table)}
    where ${isNamed} and ${columnOf(table, 'locale')} = ${locale}
  )`;
}

/** Aborts the batch with `code` unless a row of the table meets both conditions. */
const assertRow = ({ table }: ContentType, rows: SQL, holds: SQL, code: string): Statement =>
  assertion(sql`exists (select 1 from ${sql.identifier(table)} where ${rows} and ${holds})`, code);

/** Aborts the batch with `code` unless the row meets the condition. */
export const assertMatches = (row: RowRef, condition: Condition, code: string): Statement =>
  assertRow(row.type, rowCondition(row), compileCondition(condition, rowScope(row.type)), code);

/** Aborts the batch with `code` unless a row of the document meets the condition. */
export const assertVisible = (type: ContentType, documentId: string, condition: Condition, code: string): Statement =>
  assertRow(
    type,
    isDocument({ type, document: namedDocument(documentId) }),
    compileCondition(condition, rowScope(type)),
    code,
  );

/** Aborts the batch with `code` unless the document has a row in the locale. */
export const assertLocale = ({ type, document, locale }: Omit<RowRef, 'status'>, code: string): Statement =>
  assertRow(type, isDocument({ type, document }), sql`${columnOf(type.table, 'locale')} = ${locale}`, code);
