/**
 * @module The content types that Edgewise declares itself. They have no generic endpoints.
 */
import { attributeOf, NO_OPTIONS, systemAttribute, systemAttributes } from './attributes.ts';
import type { Attribute, ContentType, Registry } from './model.ts';
import type { AttributeJson } from './schema-json.ts';

interface Declaration extends Pick<ContentType, 'uid' | 'table' | 'singularName' | 'pluralName'> {
  readonly attributes: Readonly<Record<string, AttributeJson>>;
  /** Attributes with an index, in addition to unique ones. */
  readonly indexed?: readonly string[];
  /** Attributes that no file can declare; they follow the declared ones. */
  readonly special?: readonly Attribute[];
}

export const FILE_UID = 'plugin::upload.file';
export const FOLDER_UID = 'plugin::upload.folder';
export const USER_UID = 'plugin::users-permissions.user';
export const ROLE_UID = 'plugin::users-permissions.role';
const API_TOKEN_UID = 'admin::api-token';
export const SESSION_UID = 'admin::session';

/** Keys may be longer than their values, whose length is limited. */
const ANY_LENGTH = Number.MAX_SAFE_INTEGER;

const DECLARATIONS: readonly Declaration[] = [
  {
    uid: FILE_UID,
    table: 'files',
    singularName: 'file',
    pluralName: 'files',
    attributes: {
      name: { type: 'string', required: true },
      alternativeText: { type: 'text' },
      caption: { type: 'text' },
      focalPoint: { type: 'json' },
      width: { type: 'integer' },
      height: { type: 'integer' },
      formats: { type: 'json' },
      hash: { type: 'string', required: true },
      ext: { type: 'string' },
      mime: { type: 'string', required: true },
      size: { type: 'decimal', required: true },
      url: { type: 'text', required: true },
      previewUrl: { type: 'text' },
      provider: { type: 'string', required: true },
      provider_metadata: { type: 'json' },
      folderPath: { type: 'string', private: true, maxLength: ANY_LENGTH },
    },
    // `folderPath` says in which folder a file is.
    special: [
      { ...systemAttribute('folder', { private: true }), kind: 'creator' },
      { ...systemAttribute('related'), kind: 'related' },
    ],
    indexed: ['hash'],
  },
  {
    uid: FOLDER_UID,
    table: 'upload_folders',
    singularName: 'folder',
    pluralName: 'folders',
    attributes: {
      name: { type: 'string', required: true },
      pathId: { type: 'integer', required: true },
      path: { type: 'string', required: true, maxLength: ANY_LENGTH },
      isPrivate: { type: 'boolean', private: true },
    },
  },
  {
    uid: USER_UID,
    table: 'up_users',
    singularName: 'user',
    pluralName: 'users',
    attributes: {
      username: { type: 'string', required: true, unique: true, minLength: 3 },
      email: { type: 'email', required: true, unique: true, minLength: 6 },
      provider: { type: 'string' },
      password: { type: 'password', private: true, minLength: 6 },
      resetPasswordToken: { type: 'string', unique: true, private: true },
      confirmationToken: { type: 'string', unique: true, private: true },
      passwordChangedAt: { type: 'datetime', private: true },
      confirmed: { type: 'boolean', default: false },
      blocked: { type: 'boolean', default: false },
      // Has the user shown that messages to the e-mail address arrive? `confirmed` may be set without that.
      emailProven: { type: 'boolean', private: true },
      role: { type: 'relation', relation: 'manyToOne', target: ROLE_UID },
      // `nameKey` of the name and the e-mail.
      usernameKey: { type: 'string', private: true, maxLength: ANY_LENGTH },
      emailKey: { type: 'string', private: true, maxLength: ANY_LENGTH },
    },
    indexed: ['password', 'usernameKey', 'emailKey'],
  },
  {
    uid: ROLE_UID,
    table: 'up_roles',
    singularName: 'role',
    pluralName: 'roles',
    attributes: {
      name: { type: 'string', required: true },
      description: { type: 'string' },
      type: { type: 'string', unique: true },
    },
    // The permissions of a role are configuration, and each user names its role.
    special: [
      { ...systemAttribute('permissions'), kind: 'creator' },
      { ...systemAttribute('users'), kind: 'creator' },
    ],
  },
  {
    uid: API_TOKEN_UID,
    table: 'strapi_api_tokens',
    singularName: 'api-token',
    pluralName: 'api-tokens',
    attributes: {
      name: { type: 'string', required: true, unique: true },
      type: { type: 'enumeration', enum: ['read-only', 'full-access', 'custom'], required: true },
      accessKey: { type: 'string', required: true, unique: true, private: true },
      permissions: { type: 'json' },
      expiresAt: { type: 'datetime' },
      lastUsedAt: { type: 'datetime' },
    },
  },
  {
    uid: SESSION_UID,
    table: 'strapi_sessions',
    singularName: 'session',
    pluralName: 'sessions',
    attributes: {
      userId: { type: 'integer', required: true, private: true },
      deviceId: { type: 'string', private: true },
      deviceName: { type: 'string', private: true },
      keyHash: { type: 'string', required: true, private: true },
      expiresAt: { type: 'datetime', required: true, private: true },
      absoluteExpiresAt: { type: 'datetime', required: true, private: true },
    },
    indexed: ['userId', 'expiresAt'],
  },
];

/** What the pictures of `upload.placeholders` also have. */
const PLACEHOLDERS: Declaration['attributes'] = { thumbHash: { type: 'string' }, dominantColor: { type: 'string' } };

/** Names of the attributes of every user. */
export const USER_ATTRIBUTES: ReadonlySet<string> = new Set(
  DECLARATIONS.filter(({ uid }) => uid === USER_UID).flatMap(({ attributes }) => Object.keys(attributes)),
);

function typeOf({ attributes, indexed, special = [], ...names }: Declaration): ContentType {
  const declared = Object.entries(attributes).map(([name, json]) => attributeOf(name, json, NO_OPTIONS));
  const all: readonly Attribute[] = [...declared, ...special, ...systemAttributes(NO_OPTIONS)];
  return {
    ...names,
    kind: 'collectionType',
    displayName: names.singularName,
    description: '',
    draftAndPublish: false,
    localized: false,
    system: true,
    attributes: new Map(all.map((attribute) => [attribute.name, attribute])),
    indexes: [],
    searchable: false,
    indexed: new Set(indexed),
  };
}

/** May polymorphic relations link to documents of the type? */
export const isPolymorphicTarget = ({ system, uid }: ContentType): boolean =>
  !system || uid === FILE_UID || uid === USER_UID;

/** @param options `placeholders`: do files have them? */
export const systemTypes = ({ placeholders }: { readonly placeholders?: boolean } = {}): ContentType[] =>
  DECLARATIONS.map((declaration) => {
    if (declaration.uid !== FILE_UID || !placeholders) return typeOf(declaration);
    return typeOf({ ...declaration, attributes: { ...declaration.attributes, ...PLACEHOLDERS } });
  });

export function systemType({ contentTypes }: Registry, uid: string): ContentType {
  const type = contentTypes.get(uid);
  if (!type) throw new Error(`${uid} is no content type`);
  return type;
}
