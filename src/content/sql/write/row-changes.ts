/**
 * @module The rows that a write deletes, and those of other locales that it changes.
 */
import { type SQL, sql } from 'drizzle-orm';
import { namedDocument } from '../../../schema/document-ref.ts';
import type { ContentType } from '../../../schema/model.ts';
import {
  changeOf,
  type DocumentChange,
  type Operation,
  type Removal,
  type SharedChange,
} from '../../plan/model/change.ts';
import { type Compiled, query } from '../compiled.ts';
import { columnOf } from '../pieces.ts';
import { toStatement } from '../render.ts';
import { statusColumn } from '../versions.ts';
import { deletedRows } from './links.ts';
import { otherLocales } from './locale-links.ts';

const selectChanges = (operation: Operation, type: ContentType, where: SQL): Compiled<readonly DocumentChange[]> => {
  const select = sql`
    select
      ${columnOf(type.table, 'document_id')}, ${columnOf(type.table, 'locale')},
      ${statusColumn(type.table)} as "status"
    from ${sql.identifier(type.table)}
    where ${where}
    order by ${columnOf(type.table, 'id')}`;
  return query(toStatement(select), (found) =>
    found.map((row) =>
      changeOf(operation, {
        type,
        document: namedDocument(String(row.document_id)),
        locale: String(row.locale),
        status: row.status === 'draft' ? 'draft' : 'published',
      }),
    ),
  );
};

/** Returns the rows that go. To be run before. */
export const selectRemovals = ({ operation, rows }: Removal) => selectChanges(operation, rows.type, deletedRows(rows));

/** Returns the rows that follow another locale. To be run before. */
export const selectShared = ({ operation, row }: SharedChange) =>
  selectChanges(operation, row.type, sql`"id" in (${otherLocales(row)})`);
