/**
 * @module The columns of every document, with which tables are declared that statements know by name.
 */
import { integer, text } from 'drizzle-orm/sqlite-core';

export const documentColumns = () => ({
  id: integer('id').primaryKey({ autoIncrement: true }),
  documentId: text('document_id').notNull(),
  locale: text('locale').notNull().default(''),
  /** Milliseconds since 1970, like every other time. */
  createdAt: integer('created_at'),
  updatedAt: integer('updated_at'),
  publishedAt: integer('published_at'),
});
