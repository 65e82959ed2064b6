/**
 * @module Messages to webhooks, and what is known about their endpoints.
 */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ENDPOINT_TABLE, OUTBOX_TABLE } from '../../../schema/names.ts';

export const outbox = sqliteTable(OUTBOX_TABLE, {
  /** The order of events. */
  sequence: integer('sequence').primaryKey(),
  id: text('id').notNull(),
  /** The URL of a webhook. */
  endpoint: text('endpoint').notNull(),
  event: text('event').notNull(),
  /** uid */
  type: text('type').notNull(),
  documentId: text('document_id').notNull(),
  locale: text('locale').notNull(),
  /** Values of a row that is gone: a JSON list of objects by column. */
  entry: text('entry'),
  createdAt: integer('created_at').notNull(),
  /** `NEVER_DUE` while it waits for an earlier message about the document; null once it is delivered, or given up. */
  dueAt: integer('due_at'),
  attempts: integer('attempts').notNull(),
  deliveredAt: integer('delivered_at'),
  /** Of the last attempt. */
  error: text('error'),
});

export const endpoints = sqliteTable(ENDPOINT_TABLE, {
  url: text('url').primaryKey(),
  /** The first failure since the last success. */
  failingSince: integer('failing_since'),
  /** Nothing is sent before. */
  nextAt: integer('next_at'),
  pausedAt: integer('paused_at'),
});
