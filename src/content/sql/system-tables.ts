/**
 * @module Tables that the pipeline reads beside those of content, with the columns that its statements name. Migrations make
 * the tables of content types from `schema/system-types.ts`; a test compares both. `src/tables.ts` has those of features, too.
 */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { COUNTER_TABLE, OAUTH_GRANT_TABLE, REQUEST_TABLE, STAMP_TABLE, TASK_TABLE } from '../../schema/names.ts';
import { documentColumns } from './document-columns.ts';

export const users = sqliteTable('up_users', {
  ...documentColumns(),
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
  ...documentColumns(),
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
  ...documentColumns(),
  name: text('name'),
  type: text('type'),
  accessKey: text('access_key'),
  permissions: text('permissions'),
  expiresAt: integer('expires_at'),
  lastUsedAt: integer('last_used_at'),
});

export const sessions = sqliteTable('strapi_sessions', {
  ...documentColumns(),
  userId: integer('user_id'),
  deviceId: text('device_id'),
  deviceName: text('device_name'),
  keyHash: text('key_hash'),
  expiresAt: integer('expires_at'),
  absoluteExpiresAt: integer('absolute_expires_at'),
});

/** Times are milliseconds since 1970. */
export const oauthGrants = sqliteTable(OAUTH_GRANT_TABLE, {
  id: text('id').primaryKey(),
  /** documentId, since a restore gives ids anew. */
  user: text('user').notNull(),
  clientId: text('client_id').notNull(),
  host: text('host').notNull(),
  /** What the client calls itself. */
  name: text('name').notNull(),
  level: text('level').notNull(),
  /** A JSON list of uids; null for all types. */
  types: text('types'),
  /** SHA-256 of the key that the current refresh token has. */
  keyHash: text('key_hash').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  lastUsedAt: integer('last_used_at'),
  expiresAt: integer('expires_at').notNull(),
});

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

export const requests = sqliteTable(REQUEST_TABLE, {
  key: text('key').primaryKey(),
  digest: text('digest').notNull(),
  documentId: text('document_id').notNull(),
  response: text('response'),
  createdAt: integer('created_at').notNull(),
});

export const tasks = sqliteTable(TASK_TABLE, {
  id: integer('id').primaryKey(),
  /** `file`, `name` or `links` */
  kind: text('kind').notNull(),
  /** JSON: what it is about, and how far it is. */
  argument: text('argument').notNull(),
});
