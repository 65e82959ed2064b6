/**
 * @module Roles with their permissions, locales, webhooks, and the configuration of users-permissions → settings.
 */
import { contentActions } from '../../src/access/actions.ts';
import { roleActions } from '../../src/access/grants.ts';
import { isObject } from '../../src/common/json.ts';
import { rolesOf } from '../../src/content/credentials/roles.ts';
import type { Role } from '../../src/content/credentials/sql/roles.ts';
import type { Statement } from '../../src/content/sql/statement.ts';
import { LOCALE_UID, PERMISSION_UID } from '../../src/features/description/plugin-schemas.ts';
import type { Registry } from '../../src/schema/model.ts';
import { parseSettings, type Settings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { roleNames } from '../../src/schema/settings/derived.ts';
import { ROLE_UID } from '../../src/schema/system-types.ts';
import { columnList } from '../core/sql/row-lists.ts';
import { identifier } from '../core/sql/sql-text.ts';
import type { Configuration, Entity } from './archive-lines.ts';
import { renamedTypes } from './archive-types.ts';
import { providerSettings } from './providers-of.ts';
import { documentIdOf, type Survey } from './survey.ts';
import { timeOf } from './values.ts';
import { webhookSettings } from './webhooks-of.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `api::blog.post.find` is `api::post.post.find` where the type is called otherwise here. */
function actionHere(action: string, renamed: ReadonlyMap<string, string>): string {
  const uid = action.slice(0, action.lastIndexOf('.'));
  return `${renamed.get(uid) ?? uid}${action.slice(uid.length)}`;
}

/** Role row → its permission rows, by the links. */
function permissionsByRole({ staging }: Survey): ReadonlyMap<number | undefined, readonly Entity[]> {
  const links = staging
    .prepare("select source, target from links where type = ? and field = 'role'")
    .all(PERMISSION_UID);
  const roles = new Map(links.map(({ source, target }) => [Number(source), Number(target)]));
  const granted = staging.entitiesOf(PERMISSION_UID).filter(({ data }) => text(data.action) !== '');
  return Map.groupBy(granted, ({ id }) => roles.get(id));
}

const roleRows = ({ staging }: Survey): readonly Entity[] =>
  staging.entitiesOf(ROLE_UID).filter(({ data }) => text(data.type) !== '');

/** Names of what every object has, and control characters, are no keys of settings. */
const isKey = (name: string): boolean => !(name in Object.prototype || name === 'prototype' || /\p{Cc}/u.test(name));

/** The roles of the archive with what they may do. */
export function archiveRoles(survey: Survey) {
  const renamed = renamedTypes(survey.schemas);
  const permissions = permissionsByRole(survey);
  return roleRows(survey)
    .filter(({ data }) => isKey(text(data.type)))
    .map((row) => {
      const actions = (permissions.get(row.id) ?? []).map(({ data }) => actionHere(text(data.action), renamed));
      return {
        type: text(row.data.type),
        documentId: documentIdOf(row),
        name: text(row.data.name) || text(row.data.type),
        description: text(row.data.description),
        data: row.data,
        actions: [...new Set(actions)].sort(),
      };
    });
}

type ArchiveRole = ReturnType<typeof archiveRoles>[number];

/** A role of the archive, and the one of the settings that it is here. */
export interface PlacedRole extends ArchiveRole {
  readonly here: Role;
}

/** Roles that the settings do not have are no roles; who has one of them has none. */
export function placedRoles(roles: readonly ArchiveRole[], settings: Settings): readonly PlacedRole[] {
  const known = new Map(rolesOf(settings).map((role) => [role.type, role]));
  return roles.flatMap((role) => {
    const here = known.get(role.type);
    return here ? [{ ...role, here }] : [];
  });
}

/** A role that is there under another documentId gets this one, and so do the users who have it. */
export const roleStatements = (roles: readonly PlacedRole[], now: number): readonly Statement[] =>
  roles.flatMap(({ data, here: { id, documentId, name, description, type } }) => {
    const created_at = timeOf(data.createdAt) ?? now;
    const [updated_at, published_at] = [timeOf(data.updatedAt) ?? created_at, timeOf(data.publishedAt) ?? created_at];
    const row = { id, document_id: documentId, created_at, updated_at, published_at, name, description, type };
    const names = Object.keys(row);
    const sets = names.slice(1).map((column) => `${identifier(column)} = excluded.${identifier(column)}`);
    return [
      {
        sql: 'update "up_users_role_lnk" set "target_document_id" = ? where "target_document_id" = (select "document_id" from "up_roles" where "id" = ?)',
        params: [documentId, id],
      },
      {
        sql: `insert into "up_roles" (${columnList(names)}) values (${names.map(() => '?').join(', ')}) on conflict ("id") do update set ${sets.join(', ')}`,
        params: Object.values(row),
      },
    ];
  });

function roleSettings(survey: Survey, registry: Registry): SettingsInput {
  const { warnings } = survey;
  const roles = archiveRoles(survey);
  for (const { data } of roleRows(survey))
    if (!isKey(text(data.type)))
      warnings.addLoss(`a role is called ${JSON.stringify(data.type)}, as no role can be here; left out`);
  if (roles.length === 0) return {};
  const usual = parseSettings({});
  const actual = new Set(contentActions(registry));
  const keepsDefaults = roles.every(({ type, actions }) =>
    roleActions(usual, type).every((action) => actions.includes(action)),
  );
  const granted = ({ type, actions }: ArchiveRole): string[] => {
    const defaults = keepsDefaults ? roleActions(usual, type) : [];
    return actions.filter((action) => {
      // Actions of content types that are not there would be rejected.
      const isKnown = action.startsWith('plugin::') || actual.has(action);
      if (!isKnown) warnings.addLoss(`a permission is for ${action}, which no content type has here; left out`);
      return isKnown && !defaults.includes(action);
    });
  };
  const details = roles.map(({ type, documentId, name, description }) => [
    type,
    { ...documentIdSetting(documentId), name, description },
  ]);
  return {
    roles: Object.fromEntries(roles.map((role) => [role.type, granted(role)])),
    users: { ...(!keepsDefaults && { defaultGrants: false }), roleDetails: Object.fromEntries(details) },
  };
}

const storeOf = (configuration: readonly Configuration[], key: string): unknown =>
  configuration.find(({ type, value }) => type === 'core-store' && value.key === key)?.value.value;

const CODE = /^[A-Za-z0-9-]{1,64}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What could be no setting is left to be made up. */
const documentIdSetting = (documentId: string) => (/^[\w-]+$/.test(documentId) ? { documentId } : {});

function localeSettings({ staging, configuration }: Survey): SettingsInput {
  const rows = staging.entitiesOf(LOCALE_UID).filter(({ data }) => CODE.test(text(data.code)));
  if (rows.length === 0) return {};
  const stored = storeOf(configuration, 'plugin_i18n_default_locale');
  const standard = rows.some(({ data }) => data.code === stored) ? stored : rows[0]?.data.code;
  const locales = rows.map((row) => {
    const { code, name, createdAt, updatedAt, publishedAt } = row.data;
    const times = Object.entries({ createdAt, updatedAt, publishedAt }).filter(([, time]) => TIME.test(text(time)));
    return {
      ...{ code: text(code), name: text(name) || text(code), ...(code === standard && { isDefault: true }) },
      ...documentIdSetting(documentIdOf(row)),
      ...Object.fromEntries(times),
    };
  });
  return { i18n: { locales } };
}

/** Where a setting of the plugin has a setting here. */
function userSettings({ configuration }: Survey, roles: readonly string[]): SettingsInput {
  const stored = storeOf(configuration, 'plugin_users-permissions_advanced');
  if (!isObject(stored)) return {};
  const { allow_register, email_confirmation, email_confirmation_redirection, email_reset_password, default_role } =
    stored;
  const role = text(default_role);
  const users = {
    ...(allow_register === false && { allowRegistration: false }),
    ...(email_confirmation === true && { emailConfirmation: true }),
    ...(text(email_confirmation_redirection) && { emailConfirmationRedirection: text(email_confirmation_redirection) }),
    ...(text(email_reset_password) && { resetPasswordUrl: text(email_reset_password) }),
    ...(role !== 'authenticated' && role !== 'public' && roles.includes(role) && { defaultRole: role }),
  };
  return Object.keys(users).length > 0 ? { users } : {};
}

/** Returns the login providers of the archive. */
function loginSettings({ configuration, warnings }: Survey): SettingsInput['users'] {
  const providers = providerSettings(storeOf(configuration, 'plugin_users-permissions_grant'), warnings);
  return Object.keys(providers).length > 0 ? { providers } : {};
}

/** Returns the settings of an archive; others stay as they are. */
export function archiveSettings(survey: Survey, registry: Registry): SettingsInput {
  const roles = roleSettings(survey, registry);
  const users = userSettings(survey, roleNames(parseSettings(roles)));
  const accounts = { ...roles.users, ...users.users, ...loginSettings(survey) };
  return {
    ...localeSettings(survey),
    ...webhookSettings(survey),
    ...roles,
    ...(Object.keys(accounts).length > 0 && { users: accounts }),
  };
}
