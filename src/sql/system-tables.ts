/**
 * @module The tables of every deployment. Those of content types are in `registry/system-types.ts` too, from which
 * migrations are made; a test compares both.
 */
import { integer, numeric, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { COUNTER_TABLE, STAMP_TABLE } from '../registry/names.ts';

const document = () => ({
  id: integer('id').primaryKey({ autoIncrement: true }),
  documentId: text('document_id').notNull(),
  locale: text('locale').notNull().default(''),
});
/** Milliseconds since 1970. */
const times = () => ({
  createdAt: integer('created_at'),
  updatedAt: integer('updated_at'),
  publishedAt: integer('published_at'),
});

/** Without the project's custom attributes, which only the registry knows. */
export const users = sqliteTable('up_users', {
  ...document(),
  username: text('username'),
  email: text('email'),
  provider: text('provider'),
  password: text('password'),
  resetPasswordToken: text('reset_password_token'),
  confirmationToken: text('confirmation_token'),
  passwordChangedAt: integer('password_changed_at'),
  confirmed: integer('confirmed'),
  blocked: integer('blocked'),
  usernameKey: text('username_key'),
  emailKey: text('email_key'),
  ...times(),
});

export const roles = sqliteTable('up_roles', {
  ...document(),
  name: text('name'),
  description: text('description'),
  type: text('type'),
  ...times(),
});

/** The role of a user. */
export const userRoles = sqliteTable('up_users_role_lnk', {
  sourceDocumentId: text('source_document_id').notNull(),
  sourceLocale: text('source_locale').notNull().default(''),
  targetDocumentId: text('target_document_id').notNull(),
  targetLocale: text('target_locale').notNull().default(''),
  status: text('status').notNull(),
  position: real('position').notNull(),
  inversePosition: real('inverse_position').notNull(),
});

export const apiTokens = sqliteTable('strapi_api_tokens', {
  ...document(),
  name: text('name'),
  type: text('type'),
  accessKey: text('access_key'),
  permissions: text('permissions'),
  expiresAt: integer('expires_at'),
  lastUsedAt: integer('last_used_at'),
  ...times(),
});

export const sessions = sqliteTable('strapi_sessions', {
  ...document(),
  userId: integer('user_id'),
  deviceId: text('device_id'),
  deviceName: text('device_name'),
  keyHash: text('key_hash'),
  expiresAt: integer('expires_at'),
  absoluteExpiresAt: integer('absolute_expires_at'),
  ...times(),
});

export const files = sqliteTable('files', {
  ...document(),
  name: text('name'),
  alternativeText: text('alternative_text'),
  caption: text('caption'),
  focalPoint: text('focal_point'),
  width: integer('width'),
  height: integer('height'),
  formats: text('formats'),
  hash: text('hash'),
  ext: text('ext'),
  mime: text('mime'),
  size: numeric('size'),
  url: text('url'),
  previewUrl: text('preview_url'),
  provider: text('provider'),
  providerMetadata: text('provider_metadata'),
  folderPath: text('folder_path'),
  ...times(),
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
