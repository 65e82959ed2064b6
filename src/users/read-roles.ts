/**
 * @module `/api/users-permissions/roles` and `/permissions`: roles are configuration, told in the reference's form.
 */
import { contentActions, PLUGIN_ACTIONS } from '../auth/actions.ts';
import { roleActions } from '../auth/grants.ts';
import { performRead } from '../auth/perform.ts';
import { type Role, rolesOf } from '../auth/roles.ts';
import { application, notFound } from '../errors.ts';
import type { Row } from '../sql/batch.ts';
import { refuse, type UserCall } from './call.ts';

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

const COUNTS = {
  sql: 'select "target_document_id" as "role", count(*) as "users" from "up_users_role_lnk" group by 1',
  params: [],
} as const;

export async function listRoles(call: UserCall) {
  const { value } = await performRead(call, call.credential, ({ grants }) => {
    refuse(grants, 'role.find');
    const finish = ([counts = []]: readonly (readonly Row[])[]) => {
      const users = new Map(counts.map(({ role, users: count }) => [role, Number(count)]));
      return rolesOf(call.settings).map((role) => ({ ...told(role), nb_users: users.get(role.documentId) ?? 0 }));
    };
    return { statements: [COUNTS], finish };
  });
  return { roles: value };
}

export async function findRole(call: UserCall) {
  const { value } = await performRead(call, call.credential, ({ grants }) => {
    refuse(grants, 'role.findOne');
    const role = rolesOf(call.settings).find(({ id }) => String(id) === call.id);
    if (!role) throw notFound('Role not found');
    const permissions = permissionsOf(call, new Set(roleActions(call.settings, role.type)));
    return { statements: [], finish: () => ({ ...told(role), permissions }) };
  });
  return { role: value };
}

export async function listPermissions(call: UserCall) {
  const { value } = await performRead(call, call.credential, ({ grants }) => {
    refuse(grants, 'permissions.getPermissions');
    return { statements: [], finish: () => permissionsOf(call, new Set()) };
  });
  return { permissions: value };
}

/** @throws ApiError 403, or for whoever might 400 that says where roles are written. */
export async function refuseRoleWrite(call: UserCall, action: 'createRole' | 'updateRole' | 'deleteRole') {
  await performRead(call, call.credential, ({ grants }) => {
    refuse(grants, `role.${action}`);
    throw application('Roles are configuration: change `roles` in edgewise.config.ts and deploy');
  });
}
