/**
 * @module API tokens as credentials: what is assumed of one, the statements that confirm it, and what its row says.
 */
import { unauthorized } from '../errors.ts';
import type { Row } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';
import { EVERYTHING, type Grants, only, READ_ONLY, withDrafts } from './grants.ts';
import { Memory } from './memory.ts';
import { hashToken } from './secrets.ts';

/** An API token as the database has it; equal records mean equal rights. */
interface TokenRecord {
  readonly type: string;
  readonly permissions: string | null;
  readonly expiresAt: number | null;
}

export interface Token {
  readonly kind: 'token';
  readonly key: string;
  /** Was this read from the database, at some time? Else it is a guess that the batch must correct. */
  readonly known: boolean;
  readonly record: TokenRecord;
  readonly grants: Grants;
}

const USED_PRECISION = 3_600_000;
const GUESS: TokenRecord = { type: 'full-access', permissions: null, expiresAt: null };
const remembered = new Memory<string, TokenRecord>();

/** Every token reads the drafts of what it may read. */
function tokenGrants({ type, permissions }: TokenRecord): Grants {
  if (type === 'full-access') return EVERYTHING;
  return type === 'read-only' ? READ_ONLY : withDrafts(only(JSON.parse(permissions ?? '[]') as string[]));
}

const tokenOf = (key: string, record: TokenRecord, known: boolean): Token => ({
  kind: 'token',
  key,
  known,
  record,
  grants: tokenGrants(record),
});

export async function assumeToken(token: string): Promise<Token> {
  const key = await hashToken(token);
  const record = remembered.get(key);
  return tokenOf(key, record ?? GUESS, record !== undefined);
}

export const tokenQuery = ({ key }: Token): Statement => ({
  sql: 'select "type", "permissions", "expires_at", "last_used_at" from "strapi_api_tokens" where "access_key" = ?',
  params: [key],
});

/** Does the token still have what was assumed? As a condition of SQL. */
export const tokenHolds = ({ key, record }: Token, now: number): Statement => ({
  sql: 'exists (select 1 from "strapi_api_tokens" where "access_key" = ? and "type" = ? and "permissions" is ? and "expires_at" is ? and ("expires_at" is null or "expires_at" > ?))',
  params: [key, record.type, record.permissions, record.expiresAt, now],
});

/** @throws ApiError 401 when there is no row or it has expired. */
export function confirmToken(assumed: Token, row: Row | undefined, now: number): Token {
  const expiresAt = (row?.expires_at ?? null) as number | null;
  if (!row || (expiresAt !== null && expiresAt <= now)) {
    remembered.forget(assumed.key);
    throw unauthorized();
  }
  const record = { type: String(row.type), permissions: row.permissions as string | null, expiresAt };
  remembered.keep(assumed.key, record);
  return tokenOf(assumed.key, record, true);
}

export const sameToken = ({ record: a }: Token, { record: b }: Token): boolean =>
  a.type === b.type && a.permissions === b.permissions && a.expiresAt === b.expiresAt;

/** Notes when a token was last used, to the hour; undefined when the note is fresh enough. */
export function tokenUsed({ key }: Token, row: Row | undefined, now: number): Statement | undefined {
  if (Number(row?.last_used_at ?? 0) > now - USED_PRECISION) return undefined;
  return { sql: 'update "strapi_api_tokens" set "last_used_at" = ? where "access_key" = ?', params: [now, key] };
}
