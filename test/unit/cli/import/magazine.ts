/**
 * @module A small archive with a bit of everything: versions, locales, all kinds of links, components, files, users.
 */
import type { ArchiveParts } from '../../../support/archive.ts';

export const TIME = '2026-01-02T03:04:05.678Z';
const i18n = { i18n: { localized: true } };

const type = (name: string, draftAndPublish: boolean, localized: boolean, attributes: object): object => ({
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish },
  pluginOptions: localized ? i18n : {},
  attributes: {
    ...attributes,
    createdAt: { type: 'datetime' },
    createdBy: { type: 'relation', target: 'admin::user' },
  },
  ...{ kind: 'collectionType', modelType: 'contentType', modelName: name, uid: `api::${name}.${name}`, globalId: name },
});

const component = (uid: string, attributes: object): object => ({
  collectionName: `components_${uid.replace('.', '_')}s`,
  ...{ info: { displayName: uid }, options: {}, attributes, modelType: 'component', uid },
});

export const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...more,
});

export const SCHEMAS: readonly object[] = [
  type('article', true, true, {
    title: { type: 'string', pluginOptions: i18n },
    slug: { type: 'uid', targetField: 'title' },
    views: { type: 'biginteger' },
    price: { type: 'decimal' },
    ratio: { type: 'float' },
    day: { type: 'date' },
    at: { type: 'time' },
    seen: { type: 'datetime' },
    open: { type: 'boolean' },
    extra: { type: 'json' },
    body: { type: 'blocks' },
    code: { type: 'password' },
    tone: { type: 'enumeration', enum: ['calm', 'loud'], default: 'calm' },
    tags: relation('manyToMany', 'api::tag.tag', { inversedBy: 'articles' }),
    related: relation('oneToMany', 'api::article.article'),
    owner: relation('manyToOne', 'plugin::users-permissions.user'),
    gallery: { type: 'media', multiple: true },
    seo: { type: 'component', component: 'shared.seo' },
    sections: { type: 'dynamiczone', components: ['shared.seo', 'shared.card'] },
  }),
  type('tag', false, false, {
    name: { type: 'string' },
    articles: relation('manyToMany', 'api::article.article', { mappedBy: 'tags' }),
  }),
  component('shared.seo', {
    metaTitle: { type: 'string' },
    cards: { type: 'component', component: 'shared.card', repeatable: true },
  }),
  component('shared.card', {
    label: { type: 'string' },
    image: { type: 'media' },
    tag: relation('oneToOne', 'api::tag.tag'),
    articles: relation('oneToMany', 'api::article.article'),
  }),
];

const times = { createdAt: TIME, updatedAt: TIME };

const row = (uid: string, id: number, documentId: string, data: object): object => ({
  ...{ type: uid, id, data: { documentId, ...times, publishedAt: TIME, locale: null, ...data } },
});

export const article = (id: number, documentId: string, data: object): object =>
  row('api::article.article', id, documentId, { locale: 'en', seo: null, sections: [], ...data });
export const tag = (id: number, name: string): object => row('api::tag.tag', id, `tag${name}`, { name });

const FULL = {
  title: 'It’s \u2028 "quoted"\n\\ 👩‍👩‍👧',
  ...{ slug: 'its', views: '9007199254740993', price: 12.34, ratio: 0.1 + 0.2, day: '2026-01-31', at: '12:30:00.000' },
  ...{ seen: TIME, open: true, extra: { a: [1, null] }, body: [{ type: 'paragraph' }], code: '$2a$10$hash' },
};

const entities: readonly object[] = [
  row('plugin::upload.file', 3, 'file1', {
    ...{ name: 'a.png', hash: 'a_1', ext: '.PNG', mime: 'image/png', size: 0.01, url: 'https://old.test/a_1.PNG' },
    ...{
      provider: 'aws',
      folderPath: '/2/3',
      caption: 'C',
      formats: { thumbnail: { hash: 't_a_1', ext: '.png', mime: 'image/png', url: '/x' } },
    },
  }),
  row('plugin::upload.folder', 1, 'folder1', { name: 'F', pathId: 2, path: '/2' }),
  row('plugin::upload.folder', 2, 'folder2', { name: 'Inner', pathId: 3, path: '/2/3' }),
  row('plugin::i18n.locale', 1, 'localeen', { code: 'en', name: 'English' }),
  row('plugin::i18n.locale', 2, 'localede', { code: 'de', name: 'German' }),
  row('plugin::users-permissions.permission', 1, 'permission1', { action: 'api::article.article.find' }),
  row('plugin::users-permissions.role', 7, 'roleauthenticated', {
    type: 'authenticated',
    name: 'Members',
    description: 'D',
  }),
  row('plugin::users-permissions.role', 8, 'rolepublic', { type: 'public', name: 'Public', description: '' }),
  row('plugin::users-permissions.user', 5, 'user1', {
    ...{ username: 'Anna', email: 'anna@example.test', provider: 'local', confirmed: true, blocked: false },
    ...{ password: '$2a$10$anna', resetPasswordToken: 'reset-secret', confirmationToken: 'confirm-secret' },
  }),
  article(11, 'one', { ...FULL, publishedAt: null, seo: { id: 5, metaTitle: 'S', cards: [{ id: 5, label: 'c' }] } }),
  article(12, 'one', { ...FULL, seo: { id: 6, metaTitle: 'S', cards: [{ id: 6, label: 'c' }] } }),
  article(13, 'one', { title: 'Deutsch', locale: 'de', publishedAt: null }),
  article(14, 'two', {
    ...{ title: 'Two', publishedAt: null },
    sections: [
      { id: 9, label: 'z', __component: 'shared.card' },
      { id: 9, metaTitle: 'm', cards: [], __component: 'shared.seo' },
    ],
  }),
  ...[tag(21, 'red'), tag(22, 'blue'), tag(24, 'green')],
];

export const link = (left: object, right: object, relationKind = 'manyToMany'): object => ({
  ...{ kind: 'relation.basic', relation: relationKind, left, right },
});
const tagged = (ref: number, pos: number, to: number, inverse: number): object =>
  link(
    { type: 'api::article.article', field: 'tags', ref, pos },
    { type: 'api::tag.tag', field: 'articles', ref: to, pos: inverse },
  );
export const media = (file: number, pos: number, uid: string, field: string, ref: number): object => ({
  ...{
    kind: 'relation.morph',
    relation: 'morphToMany',
    left: { type: 'plugin::upload.file', field: 'related', ref: file },
  },
  right: { ref, pos, type: uid, field },
});

const links: readonly object[] = [
  ...[tagged(11, 2, 21, 1), tagged(11, 1, 22, 1), tagged(12, 2, 21, 1), tagged(14, 1, 21, 2)],
  link(
    { type: 'api::article.article', field: 'related', ref: 11, pos: 1 },
    { type: 'api::article.article', ref: 14 },
    'oneToMany',
  ),
  link(
    { type: 'api::article.article', field: 'owner', ref: 11 },
    { type: 'plugin::users-permissions.user', ref: 5 },
    'manyToOne',
  ),
  link({ type: 'shared.card', field: 'tag', ref: 5 }, { type: 'api::tag.tag', ref: 24 }, 'oneToOne'),
  link(
    { type: 'shared.card', field: 'articles', ref: 5, pos: 1 },
    { type: 'api::article.article', ref: 14 },
    'oneToMany',
  ),
  media(3, 1, 'api::article.article', 'gallery', 11),
  media(3, 1, 'shared.card', 'image', 9),
  link(
    { type: 'plugin::users-permissions.permission', field: 'role', ref: 1 },
    { type: 'plugin::users-permissions.role', field: 'permissions', ref: 8, pos: 1 },
    'manyToOne',
  ),
  link(
    { type: 'plugin::users-permissions.user', field: 'role', ref: 5 },
    { type: 'plugin::users-permissions.role', field: 'users', ref: 7, pos: 1 },
    'manyToOne',
  ),
  link({ type: 'api::article.article', ref: 11, field: 'localizations' }, { type: 'api::article.article', ref: 'one' }),
];

const enabled = { enabled: true, key: 'client', secret: 'top-secret' };
const page = 'https://www.example.com/connect';

/** As Strapi stores them: those that were never used are there, too. */
const PROVIDERS = {
  email: { enabled: true },
  github: { ...enabled, callback: `${page}/github` },
  google: { ...enabled, callback: '/connect/google' },
  keycloak: { ...enabled, subdomain: 'sso.example.com/realms/site', callback: `${page}/keycloak` },
  auth0: { ...enabled, subdomain: 'tenant.eu' },
  cognito: {
    ...enabled,
    subdomain: 'a.auth.example.com',
    jwksurl: 'https://cognito.example.com/pool/.well-known/jwks.json',
  },
  discord: { ...enabled, key: '' },
  twitter: enabled,
  facebook: { ...enabled, enabled: false },
};

const configuration: readonly object[] = [
  { type: 'core-store', value: { id: 1, key: 'plugin_i18n_default_locale', value: 'de', type: 'string' } },
  {
    type: 'core-store',
    value: { id: 2, key: 'plugin_users-permissions_grant', value: PROVIDERS },
  },
  {
    type: 'webhook',
    value: {
      ...{ id: 1, name: 'hook', url: 'https://hook.test/', enabled: true },
      ...{ headers: { 'x-key': 'hook-secret' }, events: ['entry.publish', 'media.create', 'releases.publish'] },
    },
  },
  { type: 'webhook', value: { id: 2, name: 'local', url: 'http://localhost:3000', events: ['entry.create'] } },
  { type: 'webhook', value: { id: 3, name: 'off', url: 'https://off.test', enabled: false } },
  { type: 'webhook', value: { id: 4, name: 'twin', url: 'https://hook.test/', headers: {}, events: ['entry.delete'] } },
];

/** The whole of it. */
export const MAGAZINE: Required<Pick<ArchiveParts, 'schemas' | 'entities' | 'links' | 'configuration' | 'uploads'>> = {
  ...{ schemas: SCHEMAS, entities, links, configuration },
  uploads: { 'a_1.PNG': 'the bytes of a', 't_a_1.png': 'a thumbnail', 'nobody.png': 'no file has these' },
};
