/**
 * @module Users as credentials: whose JWT it is, which role is assumed, and what the user's row says.
 */
import type { Settings } from '../config.ts';
import { unauthorized } from '../errors.ts';
import type { Row } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';
import { type Grants, roleGrants } from './grants.ts';
import type { Claims } from './jwt.ts';
import { Memory } from './memory.ts';
import { roleByDocumentId, rolesOf } from './roles.ts';

export interface User {
  readonly kind: 'user';
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** The session that the token stands for; null for a long-lived token. */
  readonly session: string | null;
  /** Was this read from the database, at some time? Else it is a guess that the batch must correct. */
  readonly known: boolean;
  /** documentId of the role. */
  readonly role: string | null;
  readonly grants: Grants;
  readonly settings: Settings;
}

const remembered = new Memory<number, string | null>();

const ROLE = '(select "target_document_id" from "up_users_role_lnk" where "source_id" = "up_users"."id" limit 1)';

/** Is the session of the token still there? A long-lived token needs none. */
const SESSION = `(? is null or exists (select 1 from "strapi_sessions" where "document_id" = ? and "locale" = '' and "published_at" is not null and "user_id" = "up_users"."id"))`;

function userOf(claims: Claims, role: string | null, known: boolean, settings: Settings): User {
  const { id, issuedAt, session } = claims;
  const { type = '' } = roleByDocumentId(role, settings) ?? {};
  return { kind: 'user', id, issuedAt, session, known, role, grants: roleGrants(settings, type), settings };
}

/** A user nobody has met yet is taken for one with the default role. */
export function assumeUser(claims: Claims, settings: Settings): User {
  const role = remembered.get(claims.id);
  if (role !== undefined) return userOf(claims, role, true, settings);
  const usual = rolesOf(settings).find(({ type }) => type === settings.users.defaultRole);
  return userOf(claims, usual?.documentId ?? null, false, settings);
}

export const userQuery = ({ id, session }: User): Statement => ({
  sql: `select "blocked", "confirmed", "password_changed_at", ${SESSION} as "session", ${ROLE} as "role" from "up_users" where "id" = ?`,
  params: [session, session, id],
});

/** May the user still sign in, with the role that was assumed and this token? As a condition of SQL. */
export const userHolds = ({ id, role, issuedAt, session, settings }: User): Statement => ({
  sql: `exists (select 1 from "up_users" where "id" = ? and coalesce("blocked", 0) = 0 and coalesce("password_changed_at", 0) <= ? and (? or "confirmed" = 1) and ${SESSION} and ${ROLE} is ?)`,
  params: [id, issuedAt, settings.users.emailConfirmation ? 0 : 1, session, session, role],
});

function mayEnter(row: Row, { issuedAt, settings }: User): boolean {
  if (row.blocked === 1 || row.session !== 1 || Number(row.password_changed_at ?? 0) > issuedAt) return false;
  return !settings.users.emailConfirmation || row.confirmed === 1;
}

/**
 * @throws ApiError 401 for a user who is gone or blocked, for a token from before the last change of password, and for
 * one whose session has ended.
 */
export function confirmUser(assumed: User, row: Row | undefined): User {
  if (!row || !mayEnter(row, assumed)) {
    remembered.forget(assumed.id);
    throw unauthorized('Invalid credentials');
  }
  const role = row.role as string | null;
  remembered.keep(assumed.id, role);
  return userOf(assumed, role, true, assumed.settings);
}

export const sameUser = (a: User, b: User): boolean => a.role === b.role;
