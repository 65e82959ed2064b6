/**
 * @module API tokens as credentials: what is assumed of one, what a plan needs of it, and what its row says.
 */
import { sha256 } from '../digest.ts';
import { unauthorized } from '../errors.ts';
import { Memory } from '../memory.ts';
import type { TokenNeeds, TokenRow } from '../sql/accounts/credentials.ts';
import { EVERYTHING, type Grants, isDraftsAction, only, READ_ONLY, withDrafts } from './grants.ts';
import { agree, type PermissionTrace } from './permission-trace.ts';

/** The rights of an API token as the database has them. */
interface TokenRecord {
  readonly type: string | null;
  readonly permissions: string | null;
}

export interface Token {
  readonly kind: 'token';
  /** SHA-256 of the token. */
  readonly key: string;
  /** Was this read from the database, at some time? Else it is a guess that the database must correct. */
  readonly known: boolean;
  readonly type: string | null;
  readonly grants: Grants;
}

const USED_PRECISION = 3_600_000;
const GUESS: TokenRecord = { type: 'full-access', permissions: null };
const FIXED: ReadonlyMap<string | null, Grants> = new Map([
  ['full-access', EVERYTHING],
  ['read-only', READ_ONLY],
]);
/** The one type whose permissions are not fixed. A token of an unknown type has no permissions. */
const CUSTOM = 'custom';
const NOTHING = only([]);

const remembered = new Memory<string, TokenRecord>();

/** Keys of tokens that the database has confirmed, so that made-up tokens do not fill the cache. */
const keys = new Memory<string, string>();

function keyOf(token: string): string {
  const known = keys.get(token);
  if (known !== undefined) return known;
  const key = sha256(token);
  if (remembered.get(key)) keys.keep(token, key);
  return key;
}

/** The texts of a JSON list; none where something else is stored. */
function listed(permissions: string | null): readonly string[] {
  try {
    const list: unknown = JSON.parse(permissions ?? '[]');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** Every token reads the drafts of what it may read, whether its permissions list them or not. */
const tokenGrants = ({ type, permissions }: TokenRecord): Grants =>
  FIXED.get(type) ?? (type === CUSTOM ? withDrafts(only(listed(permissions))) : NOTHING);

const tokenOf = (key: string, record: TokenRecord, known: boolean): Token => ({
  kind: 'token',
  key,
  known,
  type: record.type,
  grants: tokenGrants(record),
});

/** A token that is not cached is assumed to have full access. */
export function assumeToken(token: string): Token {
  const key = keyOf(token);
  const record = remembered.get(key);
  return tokenOf(key, record ?? GUESS, record !== undefined);
}

/**
 * What the database must find in the token, for a plan that got these answers to be the right one. Of a token that is
 * known this is the type that it had: the condition stands in every statement, and the shorter it is the sooner it is
 * compiled.
 */
export function tokenNeeds({ key, known, type }: Token, answers: PermissionTrace, now: number): TokenNeeds {
  if (known && type !== CUSTOM) return { key, types: [type], now };
  const types = known ? [] : [...FIXED].filter(([, grants]) => agree(grants, answers)).map(([fitting]) => fitting);
  const granted = answers.granted.filter((id) => !isDraftsAction(id));
  return { key, types, custom: { granted, denied: answers.denied }, now };
}

/** @throws ApiError 401 when there is no row or it has expired. */
export function confirmToken({ key }: Token, row: TokenRow | undefined, now: number): Token {
  if (!row || (row.expiresAt !== null && !(row.expiresAt > now))) {
    remembered.evict(key);
    throw unauthorized();
  }
  const record = { type: row.type, permissions: row.permissions };
  remembered.keep(key, record);
  return tokenOf(key, record, true);
}

/** Is it time to note that the token was used? Notes are kept to the hour. */
export const isUseNoted = ({ lastUsedAt }: TokenRow, now: number): boolean => lastUsedAt > now - USED_PRECISION;
