/**
 * @module The tables of every deployment, with the columns that statements here name. Migrations make the tables of
 * content types from `schema/system-types.ts`; a test compares both.
 */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import {
  COUNTER_TABLE,
  ENDPOINT_TABLE,
  HISTORY_TABLE,
  OUTBOX_TABLE,
  REQUEST_TABLE,
  SCHEDULE_TABLE,
  STAMP_TABLE,
  TASK_TABLE,
} from '../../schema/names.ts';

const document = () => ({
  id: integer('id').primaryKey({ autoIncrement: true }),
  documentId: text('document_id').notNull(),
  locale: text('locale').notNull().default(''),
  /** Milliseconds since 1970, like every other time. */
  createdAt: integer('created_at'),
  updatedAt: integer('updated_at'),
  publishedAt: integer('published_at'),
});

export const users = sqliteTable('up_users', {
  ...document(),
  username: text('username'),
  email: text('email'),
  provider: text('provider'),
  password: text('password'),
  passwordChangedAt: integer('password_changed_at'),
  confirmed: integer('confirmed'),
  blocked: integer('blocked'),
  usernameKey: text('username_key'),
  emailKey: text('email_key'),
});

export const roles = sqliteTable('up_roles', {
  ...document(),
  name: text('name'),
  description: text('description'),
  type: text('type'),
});

/** Links from users to their role. */
export const userRoles = sqliteTable('up_users_role_lnk', {
  sourceDocumentId: text('source_document_id').notNull(),
  targetDocumentId: text('target_document_id').notNull(),
});

export const apiTokens = sqliteTable('strapi_api_tokens', {
  ...document(),
  name: text('name'),
  type: text('type'),
  accessKey: text('access_key'),
  permissions: text('permissions'),
  expiresAt: integer('expires_at'),
  lastUsedAt: integer('last_used_at'),
});

export const sessions = sqliteTable('strapi_sessions', {
  ...document(),
  userId: integer('user_id'),
  deviceId: text('device_id'),
  deviceName: text('device_name'),
  keyHash: text('key_hash'),
  expiresAt: integer('expires_at'),
  absoluteExpiresAt: integer('absolute_expires_at'),
});

export const files = sqliteTable('files', { ...document(), hash: text('hash'), ext: text('ext') });

export const counters = sqliteTable(
  COUNTER_TABLE,
  {
    type: text('type').notNull(),
    locale: text('locale').notNull(),
    status: text('status').notNull(),
    total: integer('total').notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.locale, table.status] })],
);

export const stamps = sqliteTable(STAMP_TABLE, { id: integer('id').primaryKey(), stamps: text('stamps').notNull() });

export const schedule = sqliteTable(SCHEDULE_TABLE, {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  documentId: text('document_id').notNull(),
  locale: text('locale').notNull(),
  action: text('action').notNull(),
  /** Milliseconds since 1970; null once it has failed. */
  at: integer('at'),
  error: text('error'),
  createdAt: integer('created_at').notNull(),
  /** Who made it; null for schedules of before. */
  madeBy: text('made_by'),
});

export const requests = sqliteTable(REQUEST_TABLE, {
  key: text('key').primaryKey(),
  digest: text('digest').notNull(),
  documentId: text('document_id').notNull(),
  response: text('response'),
  createdAt: integer('created_at').notNull(),
});

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

export const tasks = sqliteTable(TASK_TABLE, {
  id: integer('id').primaryKey(),
  /** `file`, `name` or `links` */
  kind: text('kind').notNull(),
  /** JSON: what it is about, and how far it is. */
  argument: text('argument').notNull(),
});

export const endpoints = sqliteTable(ENDPOINT_TABLE, {
  url: text('url').primaryKey(),
  /** The first failure since the last success. */
  failingSince: integer('failing_since'),
  /** Nothing is sent before. */
  nextAt: integer('next_at'),
  pausedAt: integer('paused_at'),
});

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
