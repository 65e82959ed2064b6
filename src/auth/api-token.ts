/**
 * @module API tokens as credentials: assumed permissions, what a plan needs of them, and confirmation by the row.
 */
import { BoundedCache } from '../common/cache.ts';
import { sha256 } from '../common/digest.ts';
import { unauthorized } from '../common/errors.ts';
import { readGrants } from '../settings/grant-setting.ts';
import type { TokenNeeds, TokenRow } from '../sql/accounts/credentials.ts';
import { EVERYTHING, type Grants, isDraftsAction, only, READ_ONLY, withDrafts } from './grants.ts';
import { agree, type PermissionTrace } from './permission-trace.ts';
import { actionsOf, type Grant, rulesOf } from './rule.ts';

type Permissions = Pick<TokenRow, 'type' | 'permissions'>;

export interface Token {
  readonly kind: 'token';
  /** SHA-256 of the token. */
  readonly key: string;
  /** Are the permissions cached from the row? Otherwise they are assumed. */
  readonly isCached: boolean;
  readonly type: string | null;
  readonly grants: Grants;
  /** The time of the request, in milliseconds since 1970. */
  readonly now: number;
  /** The stored permissions, if they have conditions: they are confirmed as they are. */
  readonly exact?: string;
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
  if (cached.get(key)) keys.set(token, key);
  return key;
}

/** Users, files and drafts take no conditions: a stored grant that limits them must not grant them without limits. */
const isEnforced = (grant: Grant): boolean =>
  typeof grant === 'string' || actionsOf(grant).every((id) => id.startsWith('api::') && !isDraftsAction(id));

/** The items of a JSON list that are grants; empty for anything else. */
function parseGrants(permissions: string | null): readonly Grant[] {
  try {
    const list: unknown = JSON.parse(permissions ?? '[]');
    return Array.isArray(list) ? list.flatMap((item) => readGrants([item]) ?? []).filter(isEnforced) : [];
  } catch {
    return [];
  }
}

/** A custom token may read the drafts of what it may read; one of an unknown type has no permissions. */
function tokenOf(key: string, { type, permissions }: Permissions, isCached: boolean, now: number): Token {
  const token = { kind: 'token', key, isCached, type, now } as const;
  const fixed = FIXED.get(type);
  if (fixed || type !== CUSTOM) return { ...token, grants: fixed ?? only([]) };
  const list = parseGrants(permissions);
  const grants = withDrafts(only(list.flatMap(actionsOf)));
  const rules = rulesOf(list);
  if (!rules) return { ...token, grants };
  return { ...token, grants: { ...grants, rule: rules({ user: undefined, now }) }, exact: permissions ?? '' };
}

/** A token that is not cached is assumed to have full access. */
export function assumeToken(token: string, now: number): Token {
  const key = keyOf(token);
  const permissions = cached.get(key);
  return tokenOf(key, permissions ?? { type: 'full-access', permissions: null }, permissions !== undefined, now);
}

/** A cached token of a fixed type needs only the type: the condition is in every statement, and short ones are faster. */
export function tokenNeeds({ key, isCached, type, exact }: Token, trace: PermissionTrace, now: number): TokenNeeds {
  if (exact !== undefined) return { key, types: [], exact, now };
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
  cached.set(key, permissions);
  return tokenOf(key, permissions, true, now);
}

/** Has the use of the token been noted within the last hour? */
export const isUseNoted = ({ lastUsedAt }: TokenRow, now: number): boolean => lastUsedAt > now - USED_PRECISION;
