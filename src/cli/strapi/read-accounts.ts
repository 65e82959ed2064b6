/**
 * @module Users, roles with their permissions, and locales of a running Strapi, as rows of an archive.
 */

import { isObject } from '../../json.ts';
import { LOCALE_UID, PERMISSION_UID } from '../../registry/plugin-schemas.ts';
import { ROLE_UID, USER_UID } from '../../registry/system-types.ts';
import { madeUpDocumentId } from '../archive/names.ts';
import { type LocaleAnswer, localesIn, type RoleAnswer, roleIn, rolesIn, type StrapiRow } from './answers.ts';
import type { StrapiClient } from './client.ts';
import { entityOf } from './entities.ts';
import { pagesOf } from './pages.ts';
import { populateQueries } from './populate.ts';
import type { DocumentReading } from './read-documents.ts';

export const LOCALES = { path: '/api/i18n/locales', grant: 'plugin::i18n.locales.listLocales' } as const;
export const USERS = { path: '/api/users', grant: 'plugin::users-permissions.user.find' } as const;
export const ROLES = { path: '/api/users-permissions/roles', grant: 'plugin::users-permissions.role.find' } as const;
const ROLE_GRANT = 'plugin::users-permissions.role.findOne';

/** None where the server has no locales. */
export async function readLocales(client: StrapiClient): Promise<readonly LocaleAnswer[]> {
  const answer = await client.json(LOCALES.path, LOCALES.grant);
  return answer === undefined ? [] : localesIn(LOCALES.path, answer);
}

export const localeEntities = (locales: readonly LocaleAnswer[]): readonly object[] =>
  locales.map(({ id, isDefault: _, ...data }) => ({ type: LOCALE_UID, id, data }));

/** The default locale, as the archive's configuration has it. */
export const localeSetting = (locales: readonly LocaleAnswer[]): readonly object[] =>
  locales
    .filter(({ isDefault }) => isDefault === true)
    .map(({ code }) => ({ type: 'core-store', value: { key: 'plugin_i18n_default_locale', value: code } }));

export async function readRoles(client: StrapiClient): Promise<readonly RoleAnswer[]> {
  const answer = await client.json(ROLES.path, ROLES.grant);
  return answer === undefined ? [] : rolesIn(ROLES.path, answer).roles;
}

export const roleEntities = (roles: readonly RoleAnswer[]): readonly object[] =>
  roles.map(({ id, nb_users: _, ...data }) => ({ type: ROLE_UID, id, data }));

async function actionsOf(client: StrapiClient, { id }: RoleAnswer): Promise<readonly string[]> {
  const path = `${ROLES.path}/${id}`;
  const answer = await client.json(path, ROLE_GRANT);
  if (answer === undefined) return [];
  return Object.entries(roleIn(path, answer).role.permissions).flatMap(([owner, { controllers }]) =>
    Object.entries(controllers).flatMap(([controller, actions]) =>
      Object.entries(actions)
        .filter(([, { enabled }]) => enabled)
        .map(([action]) => `${owner}.${controller}.${action}`),
    ),
  );
}

/** Rows of permissions; their links to roles go to the store. */
export async function readPermissions({ client, store }: DocumentReading, roles: readonly RoleAnswer[]) {
  const entities: object[] = [];
  for (const role of roles)
    for (const action of await actionsOf(client, role)) {
      const id = entities.length + 1;
      entities.push({ type: PERMISSION_UID, id, data: { action, documentId: madeUpDocumentId(PERMISSION_UID, id) } });
      const target = { uid: ROLE_UID, id: role.id };
      store.addFromSource({ source: { uid: PERMISSION_UID, id }, field: 'role', target }, 1);
    }
  return entities;
}

function keepRole({ store }: DocumentReading, { id, role }: StrapiRow, place: number): void {
  if (!isObject(role) || !Number.isSafeInteger(role.id)) return;
  const link = { source: { uid: USER_UID, id }, field: 'role', target: { uid: ROLE_UID, id: Number(role.id) } };
  store.addFromSource(link, 1);
  store.addFromTarget(link, place);
}

/** Users with their role; nobody tells their passwords. */
export async function readUsers(reading: DocumentReading): Promise<void> {
  const { client, model, changed, add } = reading;
  const type = model.types.get(USER_UID);
  if (!type) return;
  let place = 0;
  const queries = populateQueries(type.uid, type.attributes, model);
  const asked = queries.map((query) => `${query}&populate[role][fields][0]=type${changed}`);
  for await (const rows of pagesOf(client, { ...USERS, form: 'plain', queries: asked }))
    for (const row of rows) {
      place += 1;
      keepRole(reading, row, place);
      await add(entityOf(type, row, { ...reading, status: 'published' }));
    }
}
