/**
 * @module Statements that put rows and links of an archive into their tables.
 */
import type { ContentType } from '../../registry/model.ts';
import type { Rendered } from '../../sql/statement.ts';
import { type RowInserter, rowInserter } from '../core/sql/row-lists.ts';
import { identifier } from '../core/sql/sql-text.ts';

/** A version that is there is replaced by a newer one. */
function onConflict({ table, draftAndPublish }: ContentType, columns: readonly string[]): string {
  const changed = columns.filter((name) => name !== 'document_id' && name !== 'locale');
  const sets = changed.map((name) => `${identifier(name)} = excluded.${identifier(name)}`).join(', ');
  const clause = (status: string) =>
    `on conflict ("document_id", "locale") where "published_at" ${status} do update set ${sets} where excluded."updated_at" > ${identifier(table)}."updated_at"`;
  return [clause('is not null'), ...(draftAndPublish ? [clause('is null')] : [])].join(' ');
}

/** @param columns of each row, in order. */
export const typeInserter = (type: ContentType, columns: readonly string[]): RowInserter =>
  rowInserter(type.table, columns, onConflict(type, columns));

const LINK_COLUMNS = [
  'source_document_id',
  'source_locale',
  'target_document_id',
  'target_locale',
  'status',
  'position',
  'inverse_position',
] as const;

/** A link that is there already stays as it is. */
export const linkInserter = (table: string): RowInserter => rowInserter(table, LINK_COLUMNS, 'on conflict do nothing');

/** A document in one locale, and the version of links. */
type LinkEnd = readonly [documentId: string, locale: string, status: string];

/** Deletes the links of some sources; a source without drafts has them in both versions. */
export const unlinkStatement = (table: string, sources: readonly LinkEnd[]): Rendered => ({
  sql: `delete from ${identifier(table)} where ("source_document_id", "source_locale", "status") in (select value ->> 0, value ->> 1, value ->> 2 from json_each(?))`,
  params: [JSON.stringify(sources)],
});
