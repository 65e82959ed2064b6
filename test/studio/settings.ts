/**
 * @module The settings of the server that Studio is tested on, with the content model of the recorded corpus and that of a
 * site of recipes: locales, and a role for each kind of user.
 */
import { join } from 'node:path';
import type { SettingsInput } from '../../src/schema/settings/config.ts';

export const MODELS: readonly string[] = [
  join(import.meta.dirname, '../conformance/corpus'),
  join(import.meta.dirname, 'recipes'),
];

const article = (...actions: readonly string[]) => actions.map((action) => `api::article.article.${action}`);
const playful = { tone: 'playful' };

export const SETTINGS = {
  i18n: {
    locales: [
      { code: 'en', name: 'English', isDefault: true },
      { code: 'fr', name: 'French' },
      { code: 'de', name: 'German' },
    ],
  },
  roles: {
    public: article('find', 'findOne'),
    /** Writes everything. */
    editor: ['api::*', 'plugin::upload.*', 'plugin::i18n.*', 'plugin::users-permissions.auth.logout'],
    /** Writes all content, and reads private attributes of articles. */
    confidant: ['api::*', 'plugin::i18n.*', ...article('readPrivate')],
    /** Reads everything, drafts and former versions included. */
    reader: [
      ...['find', 'findOne', 'readDrafts', 'history'].map((action) => `api::*.${action}`),
      ...['plugin::upload.*.find*', 'plugin::i18n.*'],
    ],
    /** Publishes what others wrote. */
    publisher: article('find', 'findOne', 'readDrafts', 'publish'),
    /** Sees titles alone, without locales, and publishes and deletes. */
    pruner: [
      { action: article('find', 'findOne'), fields: ['title', 'updatedAt'] },
      ...article('readDrafts', 'publish', 'unpublish', 'delete'),
      'plugin::i18n.*',
    ],
    /** Sees titles alone, and deletes what they name. */
    namer: [{ action: article('find', 'findOne'), fields: ['title'] }, ...article('readDrafts', 'delete')],
    /** Deletes articles, and reads no drafts. */
    archivist: article('find', 'findOne', 'update', 'delete'),
    /** Writes everything, and adds files, but finds none. */
    uploader: ['api::*', 'plugin::upload.content-api.upload', 'plugin::i18n.*'],
    /** Writes titles in all locales, and sees a shared value. */
    translator: [
      { action: article('find', 'findOne'), fields: ['title', 'summary', 'readingTime', 'locale', 'updatedAt'] },
      { action: article('update'), fields: ['title'] },
      ...article('readDrafts'),
      'plugin::i18n.*',
    ],
    /** Writes comments, and reads none alone. */
    commenter: ['create', 'find'].map((action) => `api::comment.comment.${action}`),
    /** Deletes authors. */
    deleter: ['find', 'findOne', 'delete'].map((action) => `api::author.author.${action}`),
    /** Writes drafts, and adds files. */
    drafter: [
      ...['api::*.find', 'api::*.findOne', 'api::*.readDrafts', 'plugin::upload.*.find*', 'plugin::i18n.*'],
      { action: ['api::*', 'plugin::upload.content-api.upload'], status: 'draft' },
    ],
    /** Makes the site of recipes, and sees nothing else. */
    chef: [
      ...['recipe', 'cook', 'ingredient'].map((name) => `api::${name}.${name}.*`),
      ...['plugin::upload.*', 'plugin::i18n.*', 'plugin::users-permissions.*'],
    ],
    /** Writes tags, and reads articles. */
    clerk: [...article('find', 'findOne'), 'api::tag.tag.*'],
    /** Manages users, and the own account. */
    manager: ['plugin::users-permissions.*'],
    /** Invites, and sees users, but not their roles. */
    host: ['invite', 'find', 'me'].map((action) => `plugin::users-permissions.user.${action}`),
    /** Reads three attributes of articles that are playful, and changes their titles. */
    limited: [
      { action: article('find', 'findOne'), where: playful, fields: ['title', 'slug', 'tone', 'updatedAt'] },
      { action: article('update'), where: playful, fields: ['title'] },
      ...article('readDrafts'),
      'plugin::i18n.*',
    ],
  },
  history: true,
  upload: { folders: true, private: true },
  users: {
    jwtManagement: 'refresh',
    providers: { company: { clientId: 'studio', secret: 'COMPANY_SECRET', issuer: 'https://sso.example.com' } },
  },
  rateLimit: { auth: { enabled: false } },
} satisfies SettingsInput;

export type Role = Exclude<keyof typeof SETTINGS.roles, 'public'>;

/** Clients that people connect. @param url the origin of the server, which messages have in their links, too */
export const connectableAt = (url: string): Pick<SettingsInput, 'server' | 'mcp' | 'oauth'> => ({
  server: { url },
  mcp: true,
  oauth: { registration: true },
});

/** @param site the origin of the site that takes the messages */
export const mailAt = (site: string): SettingsInput['email'] => ({
  provider: 'http',
  url: `${site}/mail`,
  from: 'studio@example.com',
});

/** @param site the origin of the pages */
export const previewsAt = (site: string): SettingsInput['preview'] => ({
  'api::article.article': { url: `${site}/preview?id={documentId}&status={status}&token={token}` },
  'api::homepage.homepage': { url: `${site}/plain?token={token}` },
  'api::recipe.recipe': { url: `${site}/plain?token={token}` },
  'api::author.author': {
    url: `${site}/hostile?source=documentId%3D{documentId}%26type%3Dstring%26path%3Dbio%26model%3Dm`,
  },
});
