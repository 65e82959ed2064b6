/**
 * @module API tokens as credentials: assumed permissions, what a plan needs of them, and confirmation by the row.
 */

import { BoundedCache } from '../cache.ts';
import { sha256 } from '../digest.ts';
import { unauthorized } from '../errors.ts';
import type { TokenNeeds, TokenRow } from '../sql/accounts/credentials.ts';
import { EVERYTHING, type Grants, isDraftsAction, only, READ_ONLY, withDrafts } from './grants.ts';
import { agree, type PermissionTrace } from './permission-trace.ts';

type Permissions = Pick<TokenRow, 'type' | 'permissions'>;

export interface Token {
  readonly kind: 'token';
  /** SHA-256 of the token. */
  readonly key: string;
  /** Are the permissions cached from the row? Otherwise they are assumed. */
  readonly isCached: boolean;
  readonly type: string | null;
  readonly grants: Grants;
}

/** Milliseconds. */
const USED_PRECISION = 3_600_000;
/** Type → permissions, for types whose permissions are fixed. */
const FIXED: ReadonlyMap<string | null, Grants> = new Map([
  ['full-access', EVERYTHING],
  ['read-only', READ_ONLY],
]);
const CUSTOM = 'custom';

/** Permissions of confirmed tokens by key. */
const cached = new BoundedCache<string, Permissions>();

/** Keys of confirmed tokens. Others are not cached, so that made-up tokens do not fill the cache. */
const keys = new BoundedCache<string, string>();

function keyOf(token: string): string {
  const cachedKey = keys.get(token);
  if (cachedKey !== undefined) return cachedKey;
  const key = sha256(token);
  if (cached.get(key)) keys.keep(token, key);
  return key;
}

/** The texts of a JSON list; empty for anything else. */
function parseActions(permissions: string | null): readonly string[] {
  try {
    const list: unknown = JSON.parse(permissions ?? '[]');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** A custom token may read the drafts of what it may read; one of an unknown type has no permissions. */
const tokenGrants = ({ type, permissions }: Permissions): Grants =>
  FIXED.get(type) ?? (type === CUSTOM ? withDrafts(only(parseActions(permissions))) : only([]));

function tokenOf(key: string, permissions: Permissions, isCached: boolean): Token {
  return { kind: 'token', key, isCached, type: permissions.type, grants: tokenGrants(permissions) };
}

/** A token that is not cached is assumed to have full access. */
export function assumeToken(token: string): Token {
  const key = keyOf(token);
  const permissions = cached.get(key);
  return tokenOf(key, permissions ?? { type: 'full-access', permissions: null }, permissions !== undefined);
}

/** A cached token of a fixed type needs only the type: the condition is in every statement, and short ones are faster. */
export function tokenNeeds({ key, isCached, type }: Token, trace: PermissionTrace, now: number): TokenNeeds {
  if (isCached && type !== CUSTOM) return { key, types: [type], now };
  const types = isCached ? [] : [...FIXED].filter(([, grants]) => agree(grants, trace)).map(([fitting]) => fitting);
  const granted = trace.granted.filter((id) => !isDraftsAction(id));
  return { key, types, custom: { granted, denied: trace.denied }, now };
}

/** @throws ApiError 401 when there is no row or it has expired. */
export function confirmToken({ key }: Token, row: TokenRow | undefined, now: number): Token {
  if (!row || (row.expiresAt !== null && !(row.expiresAt > now))) {
    cached.evict(key);
    throw unauthorized();
  }
  const permissions = { type: row.type, permissions: row.permissions };
  cached.keep(key, permissions);
  return tokenOf(key, permissions, true);
}

/** Has the use of the token been noted within the last hour? */
export const isUseNoted = ({ lastUsedAt }: TokenRow, now: number): boolean => lastUsedAt > now - USED_PRECISION;
