/**
 * @module The table of former versions.
 */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { HISTORY_TABLE } from '../../../schema/names.ts';

export const history = sqliteTable(
  HISTORY_TABLE,
  {
    /** uid */
    type: text('type').notNull(),
    documentId: text('document_id').notNull(),
    locale: text('locale').notNull(),
    /** `draft` or `published` */
    version: text('version').notNull(),
    at: integer('at').notNull(),
    /** Random: a counter would tell of other writes. */
    id: text('id').notNull(),
    /** What made the version; `before`: it was there when the history of the document began. */
    operation: text('operation').notNull(),
    /** `user`, `token`, `public`, `schedule`, `code` or `unknown` */
    actor: text('actor').notNull(),
    actorId: text('actor_id'),
    /** As it was at that time. */
    actorName: text('actor_name'),
    /** JSON of the values and links; null if the version is gone, or is too large. */
    entry: text('entry'),
    /** Bytes of `entry`. */
    size: integer('size').notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.documentId, table.locale, table.version, table.at, table.id] })],
);
