/**
 * @module Users as credentials: whose JWT it is, which role is assumed, and what the user's row says.
 */
import type { Settings } from '../config.ts';
import { unauthorized } from '../errors.ts';
import { Memory } from '../memory.ts';
import type { UserNeeds, UserRow } from '../sql/accounts/credentials.ts';
import { type Grants, roleGrants } from './grants.ts';
import type { Claims } from './jwt.ts';
import { agree, type PermissionTrace } from './permission-trace.ts';
import { defaultRole, roleByDocumentId, rolesOf } from './roles.ts';

export interface User {
  readonly kind: 'user';
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** The session that the token stands for; null for a long-lived token. */
  readonly session: string | null;
  /** Was the role read from the database, at some time? Else it is a guess that the database must correct. */
  readonly known: boolean;
  readonly grants: Grants;
}

const remembered = new Memory<number, string | null>();

function userOf(claims: Claims, role: string | null, known: boolean, settings: Settings): User {
  const { id, issuedAt, session } = claims;
  const { type = '' } = roleByDocumentId(role, settings) ?? {};
  return { kind: 'user', id, issuedAt, session, known, grants: roleGrants(settings, type) };
}

/** A user nobody has met yet is taken for one with the default role. */
export function assumeUser(claims: Claims, settings: Settings): User {
  const role = remembered.get(claims.id);
  if (role !== undefined) return userOf(claims, role, true, settings);
  return userOf(claims, defaultRole(settings)?.documentId ?? null, false, settings);
}

/** What the database must find of the user, for a plan that got these answers to be the right one. */
export function userNeeds({ id, issuedAt, session }: User, answers: PermissionTrace, settings: Settings): UserNeeds {
  const roles = rolesOf(settings).map(({ type, documentId }) => {
    return { documentId, fits: agree(roleGrants(settings, type), answers) };
  });
  const listed = (fits: boolean) => roles.filter((role) => role.fits === fits).map(({ documentId }) => documentId);
  return {
    id,
    issuedAt,
    session,
    mustBeConfirmed: settings.users.emailConfirmation,
    roles: listed(true),
    others: listed(false),
    anyOther: agree(roleGrants(settings, ''), answers),
  };
}

/**
 * @throws ApiError 401 for a user who is gone or blocked, for a token from before the last change of password or before
 * the user was there, and for one whose session has ended.
 */
export function confirmUser(assumed: User, row: UserRow | undefined, settings: Settings): User {
  if (!row?.mayEnter) {
    remembered.evict(assumed.id);
    throw unauthorized('Invalid credentials');
  }
  remembered.keep(assumed.id, row.role);
  // Users who have none come from another server.
  if (row.role === null) throw unauthorized();
  return userOf(assumed, row.role, true, settings);
}
