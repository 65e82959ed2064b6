/**
 * @module `/api/users-permissions/roles` and `/permissions`: the roles of the settings, in Strapi's form.
 */
import { contentActions, PLUGIN_ACTIONS } from '../../access/actions.ts';
import { conditionalGrants, isDraftsAction, roleActions, roleGrants } from '../../access/grants.ts';
import { application, notFound } from '../../common/errors.ts';
import { rolesOf } from '../../content/credentials/roles.ts';
import { type Role, type StoredRole, storedRoles } from '../../content/credentials/sql/roles.ts';
import { constant, mapped } from '../../content/sql/compiled.ts';
import type { UserCall } from './call.ts';
import { readAs, rejectInput } from './precheck.ts';

type Controllers = Record<string, Record<string, { readonly enabled: boolean; readonly policy: '' }>>;
type Permissions = Record<string, { readonly controllers: Controllers }>;

/** All actions of content types and plugins, and others that roles have. */
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

/** Returns the rights to drafts that a role has without a grant: by those of `public`, or by `publicDrafts`. */
function inheritedDrafts(call: UserCall, role: string, granted: ReadonlySet<string>): readonly string[] {
  const { allows } = roleGrants(call.settings, role);
  return knownActions(call).filter((id) => isDraftsAction(id) && !granted.has(id) && allows(id));
}

/** A role gets a row with its first user. */
const UNSTORED: StoredRole = { users: 0, createdAt: 0, updatedAt: 0, publishedAt: 0 };

const isoOf = (time: number): string => new Date(time).toISOString();

const shownRole = (role: Role, { createdAt, updatedAt, publishedAt }: StoredRole = UNSTORED) => ({
  ...role,
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
  publishedAt: isoOf(publishedAt),
});

export async function listRoles(call: UserCall) {
  const roles = await readAs(call, 'role.find', () =>
    mapped(storedRoles(), (stored) =>
      rolesOf(call.settings).map((role) => {
        const row = stored.get(role.documentId);
        return { ...shownRole(role, row), nb_users: row?.users ?? 0 };
      }),
    ),
  );
  return { roles };
}

export async function findRole(call: UserCall) {
  const role = await readAs(call, 'role.findOne', () => {
    const found = rolesOf(call.settings).find(({ id }) => String(id) === call.id);
    if (!found) throw notFound('Role not found');
    const granted = new Set(roleActions(call.settings, found.type));
    const permissions = permissionsOf(call, granted);
    const inherited = inheritedDrafts(call, found.type, granted);
    const conditions = conditionalGrants(call.settings, found.type);
    return mapped(storedRoles(), (stored) => ({
      ...shownRole(found, stored.get(found.documentId)),
      permissions,
      ...(conditions.length > 0 && { conditions }),
      ...(inherited.length > 0 && { inherited }),
    }));
  });
  return { role };
}

export async function listPermissions(call: UserCall) {
  const permissions = await readAs(call, 'permissions.getPermissions', () => constant(permissionsOf(call, new Set())));
  return { permissions };
}

export const rejectRoleWrite = (call: UserCall, action: 'role.createRole' | 'role.updateRole' | 'role.deleteRole') =>
  rejectInput(call, action, application('Roles are configuration: change `roles` in edgewise.config.ts and deploy'));
