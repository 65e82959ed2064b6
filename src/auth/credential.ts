/**
 * @module Authorization header → credential: what the isolate believes of the caller, and the statements by which the
 * database confirms it in the same batch as the work.
 */
import type { Settings } from '../config.ts';
import { unauthorized } from '../errors.ts';
import type { Row } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';
import { EVERYTHING, type Grants, only, READ_ONLY, roleGrants } from './grants.ts';
import { hashToken } from './secrets.ts';

/** Aborts a write batch whose credential is not what was assumed. */
export const CREDENTIAL = 'CREDENTIAL';

/** An API token as the database has it; equal records mean equal rights. */
interface TokenRecord {
  readonly type: string;
  readonly permissions: string | null;
  readonly expiresAt: number | null;
}

export type Credential =
  | { readonly kind: 'public'; readonly grants: Grants }
  | {
      readonly kind: 'token';
      readonly key: string;
      /** Was this read from the database, at some time? Else it is a guess that the batch must correct. */
      readonly known: boolean;
      readonly record: TokenRecord;
      readonly grants: Grants;
    };

type Token = Extract<Credential, { kind: 'token' }>;

const USED_PRECISION = 3_600_000;
const REMEMBERED = 1_000;
const GUESS: TokenRecord = { type: 'full-access', permissions: null, expiresAt: null };
const remembered = new Map<string, TokenRecord>();

function tokenGrants({ type, permissions }: TokenRecord): Grants {
  if (type === 'full-access') return EVERYTHING;
  return type === 'read-only' ? READ_ONLY : only(JSON.parse(permissions ?? '[]') as string[]);
}

/** The same caller, to be looked up again. */
export const doubted = (credential: Credential): Credential =>
  credential.kind === 'token' ? { ...credential, known: false } : credential;

const tokenOf = (key: string, record: TokenRecord, known: boolean): Token => ({
  kind: 'token',
  key,
  known,
  record,
  grants: tokenGrants(record),
});

function remember(key: string, record: TokenRecord): void {
  remembered.delete(key);
  remembered.set(key, record);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** The token of `Bearer <token>`; anything else is no credential, as in the reference. */
function bearerToken(header: string | undefined): string | undefined {
  const [scheme = '', token, ...rest] = header?.trim().split(/\s+/) ?? [];
  return scheme.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}

/** Who asks, as far as the isolate knows without a round trip. */
export async function assumeCredential(header: string | undefined, settings: Settings): Promise<Credential> {
  const token = bearerToken(header);
  if (!token) return { kind: 'public', grants: roleGrants(settings, 'public') };
  const key = await hashToken(token);
  const record = remembered.get(key);
  return tokenOf(key, record ?? GUESS, record !== undefined);
}

/** Reads the token's row, for `confirm`. */
export const credentialQuery = ({ key }: Token): Statement => ({
  sql: 'select "type", "permissions", "expires_at", "last_used_at" from "strapi_api_tokens" where "access_key" = ?',
  params: [key],
});

/** Aborts a write when the token is not, or no longer, what was assumed. */
export const credentialAssertion = ({ key, record }: Token, now: number): Statement => ({
  sql: `select iif(exists (select 1 from "strapi_api_tokens" where "access_key" = ? and "type" = ? and "permissions" is ? and "expires_at" is ? and ("expires_at" is null or "expires_at" > ?)), 1, json_extract('{}', ?))`,
  params: [key, record.type, record.permissions, record.expiresAt, now, CREDENTIAL],
});

/**
 * What the token's row says.
 * @throws ApiError 401 when there is none or it has expired.
 */
export function confirm(assumed: Token, row: Row | undefined, now: number): Token {
  const expiresAt = (row?.expires_at ?? null) as number | null;
  if (!row || (expiresAt !== null && expiresAt <= now)) {
    remembered.delete(assumed.key);
    throw unauthorized();
  }
  const record = { type: String(row.type), permissions: row.permissions as string | null, expiresAt };
  remember(assumed.key, record);
  return tokenOf(assumed.key, record, true);
}

export const sameRights = ({ record: a }: Token, { record: b }: Token): boolean =>
  a.type === b.type && a.permissions === b.permissions && a.expiresAt === b.expiresAt;

/** Notes when a token was last used, to the hour; undefined when the note is fresh enough. */
export function usedStatement({ key }: Token, row: Row | undefined, now: number): Statement | undefined {
  if (Number(row?.last_used_at ?? 0) > now - USED_PRECISION) return undefined;
  return { sql: 'update "strapi_api_tokens" set "last_used_at" = ? where "access_key" = ?', params: [now, key] };
}
