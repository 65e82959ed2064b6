/**
 * @module Authorization header → credential: what the isolate believes of the caller, and the statements by which the
 * database confirms it in the same batch as the work.
 */
import type { Settings } from '../config.ts';
import { unauthorized } from '../errors.ts';
import type { Row } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';
import { assumeToken, confirmToken, sameToken, type Token, tokenHolds, tokenQuery, tokenUsed } from './api-token.ts';
import { type Grants, roleGrants } from './grants.ts';
import { looksLikeJwt, readAccessToken, readJwt } from './jwt.ts';
import { assumeUser, confirmUser, sameUser, type User, userHolds, userQuery } from './user-token.ts';

/** Aborts a write batch whose credential is not what was assumed. */
export const CREDENTIAL = 'CREDENTIAL';

/** A credential that the database has to confirm. */
export type Claimed = Token | User;
export type Credential = { readonly kind: 'public'; readonly grants: Grants } | Claimed;

/** The same caller, to be looked up again. */
export const doubted = (credential: Credential): Credential =>
  credential.kind === 'public' ? credential : { ...credential, known: false };

/** The token of `Bearer <token>`; anything else is no credential, as in the reference. */
function bearerToken(header: string | undefined): string | undefined {
  const [scheme = '', token, ...rest] = header?.trim().split(/\s+/) ?? [];
  return scheme.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}

/**
 * Who asks, as far as the isolate knows without a round trip.
 * @throws ApiError 401 for a JWT that was not issued with this secret or has expired.
 */
export async function assumeCredential(
  header: string | undefined,
  settings: Settings,
  secret: string | undefined,
): Promise<Credential> {
  const token = bearerToken(header);
  if (!token) return { kind: 'public', grants: roleGrants(settings, 'public') };
  if (!looksLikeJwt(token)) return assumeToken(token);
  const read = settings.users.jwtManagement === 'refresh' ? readAccessToken : readJwt;
  const claims = await read(token, secret);
  if (!claims) throw unauthorized();
  return assumeUser(claims, settings);
}

/** Reads the credential's row, for `confirm`. */
export const credentialQuery = (claimed: Claimed): Statement =>
  claimed.kind === 'user' ? userQuery(claimed) : tokenQuery(claimed);

/** Aborts a write when the credential is not, or no longer, what was assumed. */
export function credentialAssertion(claimed: Claimed, now: number): Statement {
  const holds = claimed.kind === 'user' ? userHolds(claimed) : tokenHolds(claimed, now);
  return { sql: `select iif(${holds.sql}, 1, json_extract('{}', ?))`, params: [...holds.params, CREDENTIAL] };
}

/**
 * What the credential's row says.
 * @throws ApiError 401 when it is no longer valid.
 */
export const confirm = (assumed: Claimed, row: Row | undefined, now: number): Claimed =>
  assumed.kind === 'user' ? confirmUser(assumed, row) : confirmToken(assumed, row, now);

export function sameRights(a: Claimed, b: Claimed): boolean {
  if (a.kind === 'user') return b.kind === 'user' && sameUser(a, b);
  return b.kind === 'token' && sameToken(a, b);
}

/** Notes that a token was used; undefined when there is nothing to note. */
export const usedStatement = (claimed: Claimed, row: Row | undefined, now: number): Statement | undefined =>
  claimed.kind === 'token' ? tokenUsed(claimed, row, now) : undefined;
