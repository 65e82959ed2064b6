/**
 * @module API tokens as credentials: assumed permissions, what a plan needs of them, and confirmation by the row.
 */

import { isPrivateAction, UPLOAD_ACTION } from '../../access/actions.ts';
import {
  AGENT,
  ASSUMED,
  EVERYTHING,
  type Grants,
  isDraftsAction,
  only,
  READ_ONLY,
  readsWithDrafts,
  withDrafts,
} from '../../access/grants.ts';
import { agree, type PermissionTrace } from '../../access/permission-trace.ts';
import { actionsOf, type Grant, rulesOf } from '../../access/rule.ts';
import { BoundedCache } from '../../common/cache.ts';
import { sha256 } from '../../common/digest.ts';
import { unauthorized } from '../../common/errors.ts';
import { type ConditionalGrant, readGrants } from '../../schema/settings/grant-setting.ts';
import type { TokenNeeds, TokenPermissions, TokenRow } from './sql/credentials.ts';

export interface Token {
  readonly kind: 'token';
  /** SHA-256 of the token; its documentId, if `isById`. */
  readonly key: string;
  /** Is it the maker of a preview? */
  readonly isById: boolean;
  /** Are the permissions cached from the row? Otherwise they are assumed. */
  readonly isCached: boolean;
  /** The permissions of the row; absent if they are assumed. */
  readonly stored?: TokenPermissions | undefined;
  readonly grants: Grants;
  /** The time of the request, in milliseconds since 1970. */
  readonly now: number;
}

/** Milliseconds. */
const USED_PRECISION = 3_600_000;
/** Type → permissions, for types whose permissions are fixed. */
const FIXED = new Map<string, Grants>([
  ['full-access', EVERYTHING],
  ['read-only', READ_ONLY],
  ['agent', AGENT],
]);

/** The permissions of a token, read once: they may be the actions of hundreds of content types. */
interface ReadPermissions {
  readonly stored: TokenPermissions;
  /** @param now of the request, in milliseconds since 1970 */
  readonly grantsAt: (now: number) => Grants;
}

/** Permissions of confirmed tokens by key. No documentId is a SHA-256. */
const cached = new BoundedCache<string, ReadPermissions>();

/** Keys of confirmed tokens. Others are not cached, so that made-up tokens do not fill the cache. */
const keys = new BoundedCache<string, string>();

function keyOf(token: string): string {
  const cachedKey = keys.get(token);
  if (cachedKey !== undefined) return cachedKey;
  const key = sha256(token);
  if (cached.get(key)) keys.set(token, key);
  return key;
}

const isOfNewFiles = (id: string, { action: _, ...limits }: ConditionalGrant): boolean =>
  id === UPLOAD_ACTION && Object.keys(limits).join() === 'status';

/** Users, files, drafts and private attributes take no conditions: a stored grant that limits them must not grant them without limits. */
const isEnforced = (grant: Grant): boolean =>
  typeof grant === 'string' ||
  actionsOf(grant).every(
    (id) => (id.startsWith('api::') && !isDraftsAction(id) && !isPrivateAction(id)) || isOfNewFiles(id, grant),
  );

/** The items of a JSON list that are grants; empty for anything else. */
function parseGrants(permissions: string | null): readonly Grant[] {
  try {
    const list: unknown = JSON.parse(permissions ?? '[]');
    return Array.isArray(list) ? list.flatMap((item) => readGrants([item]) ?? []).filter(isEnforced) : [];
  } catch {
    return [];
  }
}

/**
 * A custom token may read the drafts of what it may read; one of an unknown type has no permissions. Private attributes are
 * shown only to tokens that name the right.
 */
function grantsOf({ type, permissions }: TokenPermissions): ReadPermissions['grantsAt'] {
  const list = parseGrants(permissions);
  if (type !== 'custom') {
    const fixed = FIXED.get(type ?? '');
    const named = only(list.flatMap(actionsOf).filter(isPrivateAction));
    const all = fixed ? { ...fixed, allows: (id: string) => fixed.allows(id) || named.allows(id) } : only([]);
    return () => all;
  }
  const grants = withDrafts(only(list.flatMap(actionsOf)));
  const rules = rulesOf(list);
  return (now) => (rules ? { ...grants, rule: rules({ user: undefined, now }) } : grants);
}

const readToken = (id: Pick<Token, 'key' | 'isById'>, { stored, grantsAt }: ReadPermissions, now: number): Token => ({
  kind: 'token',
  key: id.key,
  isById: id.isById,
  isCached: true,
  stored,
  grants: grantsAt(now),
  now,
});

/** A token that is not cached is assumed to have every permission. */
function assumeKey(key: string, isById: boolean, now: number): Token {
  const read = cached.get(key);
  if (read) return readToken({ key, isById }, read, now);
  return { kind: 'token', key, isById, isCached: false, grants: ASSUMED, now };
}

export const assumeToken = (token: string, now: number): Token => assumeKey(keyOf(token), false, now);

/** The same for a token of which only the documentId is known. */
export const assumeTokenById = (documentId: string, now: number): Token => assumeKey(documentId, true, now);

/** A token that was not read needs what the plan has queried, so that its first read is one round trip. */
export function tokenNeeds({ key, isById, stored }: Token, trace: PermissionTrace, now: number): TokenNeeds {
  if (stored) return { key, isById, needed: { kind: 'stored', ...stored }, now };
  const types = [...FIXED].filter(([, grants]) => agree(grants, trace)).map(([type]) => type);
  const read = only(trace.granted).allows;
  const granted = trace.granted.filter((id) => !readsWithDrafts(id, read));
  return { key, isById, needed: { kind: 'assumed', types, granted }, now };
}

/** @throws ApiError 401 when there is no row or it has expired. */
export function confirmToken(token: Token, row: TokenRow | undefined, now: number): Token {
  const { key } = token;
  if (!row || (row.expiresAt !== null && !(row.expiresAt > now))) {
    cached.evict(key);
    throw unauthorized();
  }
  const { type, permissions } = row;
  const before = cached.get(key);
  const isSame = before?.stored.type === type && before.stored.permissions === permissions;
  const read = isSame ? before : { stored: { type, permissions }, grantsAt: grantsOf({ type, permissions }) };
  cached.set(key, read);
  return readToken(token, read, now);
}

/** Has the last use been noted within the last hour? */
export const isUseNoted = (lastUsedAt: number, now: number): boolean => lastUsedAt > now - USED_PRECISION;
