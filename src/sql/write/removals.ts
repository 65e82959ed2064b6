/**
 * @module The documents whose rows a write deletes.
 */
import { sql } from 'drizzle-orm';
import { changeOf, type DocumentChange, type Removal } from '../../plan/model/change.ts';
import { namedDocument } from '../../registry/document-ref.ts';
import { type Compiled, query } from '../compiled.ts';
import { columnOf } from '../pieces.ts';
import { toStatement } from '../render.ts';
import { statusColumn } from '../versions.ts';
import { deletedRows } from './links.ts';

/** Returns the rows that go. To be run before. */
export const selectRemovals = ({ operation, rows }: Removal): Compiled<readonly DocumentChange[]> => {
  const { type } = rows;
  const select = sql`
    select
      ${columnOf(type.table, 'document_id')}, ${columnOf(type.table, 'locale')},
      ${statusColumn(type.table)} as "status"
    from ${sql.identifier(type.table)}
    where ${deletedRows(rows)}
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
