/**
 * @module `/api/users-permissions/roles` and `/permissions`: roles are configuration, reported in Strapi's form.
 */
import { contentActions, PLUGIN_ACTIONS } from '../auth/actions.ts';
import { roleActions } from '../auth/grants.ts';
import { rolesOf } from '../auth/roles.ts';
import { application, notFound } from '../errors.ts';
import { type Role, type StoredRole, storedRoles } from '../sql/accounts/roles.ts';
import { constant, mapped } from '../sql/compiled.ts';
import type { UserCall } from './call.ts';
import { readAs, rejectInput } from './precheck.ts';

type Controllers = Record<string, Record<string, { readonly enabled: boolean; readonly policy: '' }>>;
type Permissions = Record<string, { readonly controllers: Controllers }>;

/** Every action of content types and plugins, and every other one that some role has. */
function knownActions({ registry, settings }: UserCall): readonly string[] {
  const granted = rolesOf(settings).flatMap(({ type }) => roleActions(settings, type));
  return [...new Set([...contentActions(registry), ...PLUGIN_ACTIONS, ...granted])];
}

/** `api::tag.tag.find` → `{'api::tag': {controllers: {tag: {find: {enabled, policy}}}}}` */
function permissionsOf(call: UserCall, granted: ReadonlySet<string>): Permissions {
  const permissions: Permissions = {};
  for (const id of knownActions(call)) {
    const [owner = '', controller = '', action = ''] = id.split('.');
    permissions[owner] ??= { controllers: {} };
    const { controllers } = permissions[owner];
    controllers[controller] ??= {};
    controllers[controller][action] = { enabled: granted.has(id), policy: '' };
  }
  return permissions;
}

/** A role that no user has had yet has no row. */
const UNSTORED: StoredRole = { users: 0, createdAt: 0, updatedAt: 0, publishedAt: 0 };

/** A role with the times that `?populate=role` shows, and how many users have it. */
function shownRole(role: Role, stored: ReadonlyMap<unknown, StoredRole>) {
  const { users, createdAt, updatedAt, publishedAt } = stored.get(role.documentId) ?? UNSTORED;
  const times = Object.entries({ createdAt, updatedAt, publishedAt });
  return {
    shown: { ...role, ...Object.fromEntries(times.map(([key, time]) => [key, new Date(time).toISOString()])) },
    users,
  };
}

export async function listRoles(call: UserCall) {
  const roles = await readAs(call, 'role.find', () =>
    mapped(storedRoles, (stored) =>
      rolesOf(call.settings).map((role) => {
        const { shown, users } = shownRole(role, stored);
        return { ...shown, nb_users: users };
      }),
    ),
  );
  return { roles };
}

export async function findRole(call: UserCall) {
  const role = await readAs(call, 'role.findOne', () => {
    const found = rolesOf(call.settings).find(({ id }) => String(id) === call.id);
    if (!found) throw notFound('Role not found');
    const permissions = permissionsOf(call, new Set(roleActions(call.settings, found.type)));
    return mapped(storedRoles, (stored) => ({ ...shownRole(found, stored).shown, permissions }));
  });
  return { role };
}

export async function listPermissions(call: UserCall) {
  const permissions = await readAs(call, 'permissions.getPermissions', () => constant(permissionsOf(call, new Set())));
  return { permissions };
}

/** @throws ApiError 403; 400 for an authorized caller, which states where roles are configured. */
export const rejectRoleWrite = (call: UserCall, action: 'role.createRole' | 'role.updateRole' | 'role.deleteRole') =>
  rejectInput(call, action, application('Roles are configuration: change `roles` in edgewise.config.ts and deploy'));
