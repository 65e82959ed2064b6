/**
 * @module Access and refresh tokens: sealed claims with a prefix, by which they are told from API tokens and JWTs. An access
 * token has what the first call of an isolate needs; each call checks the grant all the same.
 */
import type { Delegation } from '../../access/delegation.ts';
import { isLevel } from '../../access/delegation.ts';
import { unauthorized } from '../../common/errors.ts';
import type { JsonObject } from '../../common/json.ts';
import type { Claims } from '../../content/credentials/jwt.ts';
import { seal, unseal } from '../../content/credentials/seal.ts';
import { scopesOf } from './scopes.ts';

const DAY = 86_400_000;
/** Milliseconds. Clients ask the person anew after an hour rather than refresh, and each call checks the grant. */
const ACCESS_AGE = 7 * DAY;
/** Since the last refresh. */
export const REFRESH_AGE = 90 * DAY;
/** Of a grant, however often it is refreshed. */
export const GRANT_AGE = 365 * DAY;

const ACCESS = { prefix: 'ewa_', use: 'oauth access token' } as const;
const REFRESH = { prefix: 'ewr_', use: 'oauth refresh token' } as const;

interface Issued extends Delegation {
  readonly grant: string;
  /** Number of the user's row. */
  readonly user: number;
  readonly host: string;
  /** Of the refresh token. */
  readonly key: string;
}

/** Returns the body of a response with tokens. @param now milliseconds since 1970 */
export async function tokenResponse({ key, grant, user, host, level, types }: Issued, secret: string, now: number) {
  const claims = { grant, user, host, level, types, issuedAt: now };
  const access = await seal(claims, ACCESS.use, secret, now + ACCESS_AGE);
  const refresh = await seal({ grant, key }, REFRESH.use, secret, now + REFRESH_AGE);
  return {
    access_token: ACCESS.prefix + access,
    token_type: 'Bearer',
    expires_in: ACCESS_AGE / 1000,
    refresh_token: REFRESH.prefix + refresh,
    scope: scopesOf(level),
  };
}

async function opened(
  token: string,
  { prefix, use }: typeof ACCESS | typeof REFRESH,
  secret: string,
  now: number,
): Promise<JsonObject | undefined> {
  return token.startsWith(prefix) ? unseal(token.slice(prefix.length), use, secret, now) : undefined;
}

const BEARER = /^\s*bearer\s+(ewa_\S+)\s*$/i;

/** Returns who an access token stands for; undefined for other headers. @throws ApiError 401 for an invalid token */
export async function readAccessToken(
  header: string | undefined,
  secret: string | undefined,
  now: number,
): Promise<Claims | undefined> {
  const token = header && BEARER.exec(header)?.[1];
  if (!token) return undefined;
  const claims = secret ? await opened(token, ACCESS, secret, now) : undefined;
  if (!claims) throw unauthorized();
  const { grant, user, host, level, types, issuedAt } = claims;
  const client = {
    ...{ grant: String(grant), host: String(host), level: isLevel(level) ? level : ('read' as const) },
    types: types === null ? null : Array.isArray(types) ? types.map(String) : [],
  };
  return { id: Number(user), issuedAt: Number(issuedAt), session: null, client };
}

/** Returns the grant and the key of a refresh token; the key may be outdated. */
export async function readRefreshToken(token: string, secret: string, now: number) {
  const claims = await opened(token, REFRESH, secret, now);
  return claims && { grant: String(claims.grant), key: String(claims.key) };
}

/** Returns the grant of a token of either kind. */
export async function grantOf(token: string, secret: string, now: number): Promise<string | undefined> {
  const claims = (await opened(token, ACCESS, secret, now)) ?? (await opened(token, REFRESH, secret, now));
  return claims && String(claims.grant);
}
