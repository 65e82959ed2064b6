/**
 * @module The schemas of Strapi 5.54's own types that an archive has rows of.
 */
import type { SchemaJson } from '../../schema/model.ts';
import { FILE_UID, FOLDER_UID, ROLE_UID, USER_UID } from '../../schema/system-types.ts';

export const PERMISSION_UID = 'plugin::users-permissions.permission';
export const LOCALE_UID = 'plugin::i18n.locale';

/** A schema in the form of a running Strapi. */
export interface PluginSchema {
  readonly uid: string;
  readonly collectionName: string;
  readonly globalId: string;
  readonly info: Readonly<Record<string, string>>;
  readonly options: object;
  readonly pluginOptions?: object;
  readonly attributes: Readonly<Record<string, object>>;
}

export const HIDDEN_IN_PANEL = { 'content-manager': { visible: false }, 'content-type-builder': { visible: false } };
export const NO_DRAFTS = { draftAndPublish: false };
export const fixed = (type: string, more: object = {}) => ({ type, configurable: false, ...more });
export const relation = (kind: string, target: string, more: object) => ({
  type: 'relation',
  relation: kind,
  target,
  ...more,
});

const file: PluginSchema = {
  uid: FILE_UID,
  collectionName: 'files',
  globalId: 'UploadFile',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File', description: '' },
  options: NO_DRAFTS,
  pluginOptions: HIDDEN_IN_PANEL,
  attributes: {
    name: fixed('string', { required: true }),
    alternativeText: fixed('text'),
    caption: fixed('text'),
    focalPoint: fixed('json'),
    width: fixed('integer'),
    height: fixed('integer'),
    formats: fixed('json'),
    hash: fixed('string', { required: true }),
    ext: fixed('string'),
    mime: fixed('string', { required: true }),
    size: fixed('decimal', { required: true }),
    url: fixed('text', { required: true }),
    previewUrl: fixed('text'),
    provider: fixed('string', { required: true }),
    provider_metadata: fixed('json'),
    related: { type: 'relation', relation: 'morphToMany', configurable: false },
    folder: relation('manyToOne', FOLDER_UID, { inversedBy: 'files', private: true }),
    folderPath: { type: 'string', minLength: 1, required: true, private: true, searchable: false },
  },
};

const folder: PluginSchema = {
  uid: FOLDER_UID,
  collectionName: 'upload_folders',
  globalId: 'UploadFolder',
  info: { singularName: 'folder', pluralName: 'folders', displayName: 'Folder' },
  options: NO_DRAFTS,
  pluginOptions: HIDDEN_IN_PANEL,
  attributes: {
    name: { type: 'string', minLength: 1, required: true },
    pathId: { type: 'integer', unique: true, required: true },
    parent: relation('manyToOne', FOLDER_UID, { inversedBy: 'children' }),
    children: relation('oneToMany', FOLDER_UID, { mappedBy: 'parent' }),
    files: relation('oneToMany', FILE_UID, { mappedBy: 'folder' }),
    path: { type: 'string', minLength: 1, required: true },
  },
};

const locale: PluginSchema = {
  uid: LOCALE_UID,
  collectionName: 'i18n_locale',
  globalId: 'I18NLocale',
  info: {
    singularName: 'locale',
    pluralName: 'locales',
    collectionName: 'locales',
    displayName: 'Locale',
    description: '',
  },
  options: NO_DRAFTS,
  pluginOptions: HIDDEN_IN_PANEL,
  attributes: {
    name: { type: 'string', min: 1, max: 50, configurable: false },
    code: { type: 'string', unique: true, configurable: false },
  },
};

const permission: PluginSchema = {
  uid: PERMISSION_UID,
  collectionName: 'up_permissions',
  globalId: 'UsersPermissionsPermission',
  info: {
    name: 'permission',
    description: '',
    singularName: 'permission',
    pluralName: 'permissions',
    displayName: 'Permission',
  },
  options: NO_DRAFTS,
  pluginOptions: HIDDEN_IN_PANEL,
  attributes: {
    action: { type: 'string', required: true, configurable: false },
    role: relation('manyToOne', ROLE_UID, { inversedBy: 'permissions', configurable: false }),
  },
};

const role: PluginSchema = {
  uid: ROLE_UID,
  collectionName: 'up_roles',
  globalId: 'UsersPermissionsRole',
  info: { name: 'role', description: '', singularName: 'role', pluralName: 'roles', displayName: 'Role' },
  options: NO_DRAFTS,
  pluginOptions: HIDDEN_IN_PANEL,
  attributes: {
    name: { type: 'string', minLength: 3, required: true, configurable: false },
    description: fixed('string'),
    type: { type: 'string', unique: true, configurable: false },
    permissions: relation('oneToMany', PERMISSION_UID, { mappedBy: 'role', configurable: false }),
    users: relation('oneToMany', USER_UID, { mappedBy: 'role', configurable: false }),
  },
};

const user: PluginSchema = {
  uid: USER_UID,
  collectionName: 'up_users',
  globalId: 'UsersPermissionsUser',
  info: { name: 'user', description: '', singularName: 'user', pluralName: 'users', displayName: 'User' },
  options: { timestamps: true, draftAndPublish: false },
  attributes: {
    username: { type: 'string', minLength: 3, unique: true, configurable: false, required: true },
    email: { type: 'email', minLength: 6, configurable: false, required: true },
    provider: fixed('string'),
    password: { type: 'password', minLength: 6, configurable: false, private: true, searchable: false },
    resetPasswordToken: fixed('string', { private: true, searchable: false }),
    confirmationToken: fixed('string', { private: true, searchable: false }),
    confirmed: { type: 'boolean', default: false, configurable: false },
    blocked: { type: 'boolean', default: false, configurable: false },
    role: relation('manyToOne', ROLE_UID, { inversedBy: 'users', configurable: false }),
  },
};

/** In the order of Strapi's export. */
export const PLUGIN_SCHEMAS: readonly PluginSchema[] = [file, folder, locale, permission, role, user];

/** Returns a schema with the options and attributes of a schema file. */
export const extendedSchema = (schema: PluginSchema, { attributes = {}, options = {} }: SchemaJson): PluginSchema => ({
  ...schema,
  options: { ...schema.options, ...(options as object) },
  attributes: { ...schema.attributes, ...(attributes as PluginSchema['attributes']) },
});
