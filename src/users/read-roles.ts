/**
 * @module `/api/users-permissions/roles` and `/permissions`: roles are configuration, told in the reference's form.
 */
import { contentActions, PLUGIN_ACTIONS } from '../auth/actions.ts';
import { roleActions } from '../auth/grants.ts';
import { rolesOf } from '../auth/roles.ts';
import { application, notFound } from '../errors.ts';
import { known, mapped } from '../sql/compiled.ts';
import { type Role, usersOfRoles } from '../sql/roles.ts';
import { readAs, type UserCall } from './call.ts';

/** Configuration has no time of its own. */
const STAMP = new Date(0).toISOString();

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

function told({ type, ...role }: Role) {
  return { ...role, type, createdAt: STAMP, updatedAt: STAMP, publishedAt: STAMP };
}

export async function listRoles(call: UserCall) {
  const roles = await readAs(call, 'role.find', () =>
    mapped(usersOfRoles, (users) =>
      rolesOf(call.settings).map((role) => ({ ...told(role), nb_users: users.get(role.documentId) ?? 0 })),
    ),
  );
  return { roles };
}

export async function findRole(call: UserCall) {
  const role = await readAs(call, 'role.findOne', () => {
    const found = rolesOf(call.settings).find(({ id }) => String(id) === call.id);
    if (!found) throw notFound('Role not found');
    const permissions = permissionsOf(call, new Set(roleActions(call.settings, found.type)));
    return known({ ...told(found), permissions });
  });
  return { role };
}

export async function listPermissions(call: UserCall) {
  const permissions = await readAs(call, 'permissions.getPermissions', () => known(permissionsOf(call, new Set())));
  return { permissions };
}

/** @throws ApiError 403, or for whoever might 400 that says where roles are written. */
export const refuseRoleWrite = (call: UserCall, action: 'createRole' | 'updateRole' | 'deleteRole'): Promise<never> =>
  readAs(call, `role.${action}`, () => {
    throw application('Roles are configuration: change `roles` in edgewise.config.ts and deploy');
  });
