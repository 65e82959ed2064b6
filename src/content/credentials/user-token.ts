/**
 * @module Users as credentials: the assumed role, what a plan needs of it, and confirmation by the row.
 */

import { delegated } from '../../access/delegation.ts';
import { type Grants, roleGrants } from '../../access/grants.ts';
import { agree, type PermissionTrace } from '../../access/permission-trace.ts';
import { BoundedCache } from '../../common/cache.ts';
import { unauthorized } from '../../common/errors.ts';
import type { Settings } from '../../schema/settings/config.ts';
import type { Claims } from './jwt.ts';
import { defaultRole, roleByDocumentId, rolesOf } from './roles.ts';
import type { UserNeeds, UserRow } from './sql/credentials.ts';

export interface User extends Claims {
  readonly kind: 'user';
  /** The time of the request, in milliseconds since 1970. */
  readonly now: number;
  /** Is the role cached from the row? Otherwise it is assumed. */
  readonly isCached: boolean;
  /** documentId */
  readonly role: string | null;
  readonly grants: Grants;
}

/** documentIds of the roles of confirmed users. */
const cachedRoles = new BoundedCache<number, string | null>();

/** The grants of a role, and of these the part that a client has. */
function grantsAs(type: string, { id, client }: Claims, settings: Settings, now: number): Grants {
  const grants = roleGrants(settings, type, { user: id, now });
  return client ? delegated(grants, client) : grants;
}

function userOf(claims: Claims, role: string | null, isCached: boolean, settings: Settings, now: number): User {
  const { type = '' } = roleByDocumentId(role, settings) ?? {};
  const { id, issuedAt, session, client } = claims;
  const grants = grantsAs(type, claims, settings, now);
  return { kind: 'user', id, issuedAt, session, client, now, isCached, role, grants };
}

/** A user who is not cached is assumed to have the default role. */
export function assumeUser(claims: Claims, settings: Settings, now: number): User {
  const role = cachedRoles.get(claims.id);
  if (role !== undefined) return userOf(claims, role, true, settings, now);
  return userOf(claims, defaultRole(settings)?.documentId ?? null, false, settings, now);
}

/** Returns what the row must have: the cached role, or one with the same permission trace as the assumed one. */
export function userNeeds(user: User, trace: PermissionTrace, settings: Settings): UserNeeds {
  const { id, issuedAt, session, client, now, isCached, role } = user;
  const fits = (type: string) => agree(grantsAs(type, user, settings, now), trace);
  const grant = client?.grant ?? null;
  const needs = { id, issuedAt, session, grant, now, mustBeConfirmed: settings.users.emailConfirmation };
  if (isCached) return { ...needs, roles: [role] };
  return { ...needs, roles: rolesOf(settings).flatMap(({ type, documentId }) => (fits(type) ? documentId : [])) };
}

/** @throws ApiError 401 for a deleted or blocked user, and for an outdated token, session or grant */
export function confirmUser(assumed: User, row: UserRow | undefined, settings: Settings): User {
  if (!row?.mayEnter) {
    cachedRoles.evict(assumed.id);
    throw unauthorized('Invalid credentials');
  }
  cachedRoles.set(assumed.id, row.role);
  // An imported user may lack a role.
  if (row.role === null) throw unauthorized();
  return userOf(assumed, row.role, true, settings, assumed.now);
}
