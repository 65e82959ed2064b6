/**
 * @module The schemas of Strapi 5.54's admin panel. The database has no rows of them, but clients that read all schemas
 * find the target of every relation.
 */
import { fixed, HIDDEN_IN_PANEL, NO_DRAFTS, type PluginSchema, relation } from './plugin-schemas.ts';

type Attributes = PluginSchema['attributes'];

const RELEASE = 'plugin::content-releases.release';
const RELEASE_ACTION = 'plugin::content-releases.release-action';
const WORKFLOW = 'plugin::review-workflows.workflow';
const STAGE = 'plugin::review-workflows.workflow-stage';

const LOCKED = { configurable: false };
const REQUIRED = { required: true };
const SECRET = { private: true, searchable: false };

const text = (more: object = {}): object => fixed('string', { minLength: 1, ...more });

function schema(uid: string, displayName: string, collectionName: string, attributes: Attributes): PluginSchema {
  const singularName = uid.replace(/^.*(\.|::)/, '');
  const info = { displayName, singularName, pluralName: `${singularName}s`, description: '' };
  return {
    uid,
    collectionName,
    globalId: displayName,
    info,
    options: NO_DRAFTS,
    pluginOptions: HIDDEN_IN_PANEL,
    attributes,
  };
}

const release = schema(RELEASE, 'Release', 'strapi_releases', {
  name: { type: 'string', ...REQUIRED },
  releasedAt: { type: 'datetime' },
  scheduledAt: { type: 'datetime' },
  timezone: { type: 'string' },
  status: { type: 'enumeration', enum: ['ready', 'blocked', 'failed', 'done', 'empty'], ...REQUIRED },
  actions: relation('oneToMany', RELEASE_ACTION, { mappedBy: 'release' }),
});

const releaseAction = schema(RELEASE_ACTION, 'Release Action', 'strapi_release_actions', {
  type: { type: 'enumeration', enum: ['publish', 'unpublish'], ...REQUIRED },
  contentType: { type: 'string', ...REQUIRED },
  entryDocumentId: { type: 'string' },
  release: relation('manyToOne', RELEASE, { inversedBy: 'actions' }),
  isEntryValid: { type: 'boolean' },
});

const workflow = schema(WORKFLOW, 'Workflow', 'strapi_workflows', {
  name: { type: 'string', ...REQUIRED, unique: true },
  stages: relation('oneToMany', STAGE, { mappedBy: 'workflow' }),
  stageRequiredToPublish: relation('oneToOne', STAGE, {}),
  contentTypes: { type: 'json', ...REQUIRED, default: '[]' },
});

const stage: PluginSchema = {
  ...schema(STAGE, 'Stages', 'strapi_workflows_stages', {
    name: fixed('string'),
    color: fixed('string', { default: '#4945FF' }),
    workflow: relation('manyToOne', WORKFLOW, { inversedBy: 'stages', ...LOCKED }),
    permissions: relation('manyToMany', 'admin::permission', LOCKED),
  }),
  options: { ...NO_DRAFTS, version: '1.1.0' },
};

const permission = schema('admin::permission', 'Permission', 'admin_permissions', {
  action: text(REQUIRED),
  actionParameters: fixed('json', { required: false, default: {} }),
  subject: text({ required: false }),
  properties: fixed('json', { required: false, default: {} }),
  conditions: fixed('json', { required: false, default: [] }),
  role: relation('manyToOne', 'admin::role', { inversedBy: 'permissions', ...LOCKED }),
  apiToken: relation('manyToOne', 'admin::api-token', { inversedBy: 'adminPermissions', ...LOCKED }),
});

const OWN = { private: true, ...LOCKED };

const user = schema('admin::user', 'User', 'admin_users', {
  firstname: text({ unique: false, required: false }),
  lastname: text({ unique: false, required: false }),
  username: fixed('string', { unique: false, required: false }),
  email: fixed('email', { minLength: 6, ...REQUIRED, unique: true, private: true }),
  password: fixed('password', { minLength: 6, required: false, ...SECRET }),
  resetPasswordToken: fixed('string', SECRET),
  resetPasswordTokenExpiresAt: fixed('datetime', SECRET),
  registrationToken: fixed('string', SECRET),
  isActive: fixed('boolean', { default: false, private: true }),
  roles: relation('manyToMany', 'admin::role', { inversedBy: 'users', collectionName: 'strapi_users_roles', ...OWN }),
  apiTokens: relation('oneToMany', 'admin::api-token', { mappedBy: 'adminUserOwner', ...OWN }),
  blocked: fixed('boolean', { default: false, private: true }),
  preferedLanguage: fixed('string', { required: false, searchable: false }),
});

const role = schema('admin::role', 'Role', 'admin_roles', {
  name: text({ unique: true, ...REQUIRED }),
  code: text({ unique: true, ...REQUIRED }),
  description: fixed('string'),
  users: relation('manyToMany', 'admin::user', { mappedBy: 'roles', ...LOCKED }),
  permissions: relation('oneToMany', 'admin::permission', { mappedBy: 'role', ...LOCKED }),
});

/** Shared by both kinds of tokens. */
const NAMED = { name: text({ ...REQUIRED, unique: true }), description: text({ required: false, default: '' }) };
const LIMITED = {
  expiresAt: fixed('datetime', { required: false }),
  lifespan: fixed('biginteger', { required: false }),
};
const USED = fixed('datetime', { required: false });

const apiToken = schema('admin::api-token', 'Api Token', 'strapi_api_tokens', {
  ...NAMED,
  kind: fixed('enumeration', { enum: ['content-api', 'admin'], ...REQUIRED, default: 'content-api' }),
  type: fixed('enumeration', { enum: ['read-only', 'full-access', 'custom'], required: false, default: 'read-only' }),
  accessKey: text({ ...REQUIRED, searchable: false }),
  encryptedKey: fixed('text', { minLength: 1, required: false, searchable: false }),
  lastUsedAt: USED,
  permissions: relation('oneToMany', 'admin::api-token-permission', { mappedBy: 'token', ...LOCKED }),
  adminPermissions: relation('oneToMany', 'admin::permission', { mappedBy: 'apiToken', ...LOCKED }),
  adminUserOwner: relation('manyToOne', 'admin::user', { inversedBy: 'apiTokens', ...LOCKED }),
  ...LIMITED,
});

const transferToken = schema('admin::transfer-token', 'Transfer Token', 'strapi_transfer_tokens', {
  ...NAMED,
  accessKey: text(REQUIRED),
  lastUsedAt: USED,
  permissions: relation('oneToMany', 'admin::transfer-token-permission', { mappedBy: 'token', ...LOCKED }),
  ...LIMITED,
});

/** @param kind of tokens: `api` or `transfer` */
const permissionOf = (kind: string, displayName: string): PluginSchema =>
  schema(`admin::${kind}-token-permission`, displayName, `strapi_${kind}_token_permissions`, {
    action: text(REQUIRED),
    token: relation('manyToOne', `admin::${kind}-token`, { inversedBy: 'permissions', ...LOCKED }),
  });

const session: PluginSchema = {
  ...schema('admin::session', 'Session', 'strapi_sessions', {
    userId: fixed('string', { ...REQUIRED, ...SECRET }),
    sessionId: fixed('string', { unique: true, ...REQUIRED, ...SECRET }),
    childId: fixed('string', SECRET),
    deviceId: fixed('string', { ...REQUIRED, ...SECRET }),
    origin: fixed('string', { ...REQUIRED, ...SECRET }),
    expiresAt: fixed('datetime', { ...REQUIRED, ...SECRET }),
    absoluteExpiresAt: fixed('datetime', SECRET),
    status: fixed('string', SECRET),
    type: fixed('string', SECRET),
    metadata: fixed('json', SECRET),
  }),
  info: {
    displayName: 'Session',
    singularName: 'session',
    pluralName: 'sessions',
    description: 'Session Manager storage',
  },
  pluginOptions: { ...HIDDEN_IN_PANEL, i18n: { localized: false } },
};

/** Of plugins that only the panel uses, and of the panel itself, in Strapi's order. */
export const PANEL_PLUGIN_SCHEMAS: readonly PluginSchema[] = [release, releaseAction, workflow, stage];
export const PANEL_SCHEMAS: readonly PluginSchema[] = [
  permission,
  user,
  role,
  apiToken,
  permissionOf('api', 'API Token Permission'),
  transferToken,
  permissionOf('transfer', 'Transfer Token Permission'),
  session,
];
