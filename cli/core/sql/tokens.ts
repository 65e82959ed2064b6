/**
 * @module API tokens as SQL. The database holds a token's SHA-256 and never the token.
 */
import { randomBytes } from 'node:crypto';
import type { Grant } from '../../../src/access/rule.ts';
import { sha256 } from '../../../src/common/digest.ts';
import { newDocumentId } from '../../../src/content/runtime/document-id.ts';
import { identifier, isoTime, literal, type Value } from './sql-text.ts';

export const TOKEN_TYPES = ['full-access', 'read-only', 'agent', 'custom'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

export const REACH: Readonly<Record<TokenType, string>> = {
  'full-access': 'It may do everything.',
  'read-only':
    'It reads all content, drafts included, and every user with name and e-mail address. For less: --type custom.',
  agent:
    'It reads all content, drafts included, and writes drafts; it adds files. It changes nothing that is published.',
  custom: 'It may do this, on drafts too:',
};

interface NewToken {
  readonly name: string;
  readonly type: TokenType;
  /** Action ids, and grants with conditions of a custom token. */
  readonly permissions?: readonly Grant[] | null;
  /** Milliseconds since 1970; absent or null: never. */
  readonly expiresAt?: number | null;
}

/** The token of `npm run dev` for Studio, with full access; no restore takes it to another database. */
export const STUDIO_TOKEN = 'Studio (npm run dev)';

const TABLE = identifier('strapi_api_tokens');

/** What is shown of a token: times in ISO 8601, null for never. */
const SHOWN = [
  '"name", "type", "permissions"',
  ...[`${isoTime('"created_at"')} AS "createdAt"`, `${isoTime('"expires_at"')} AS "expiresAt"`],
  `${isoTime('"last_used_at"')} AS "lastUsedAt"`,
].join(', ');

/** 64 hexadecimal digits. */
export const newToken = (): string => randomBytes(32).toString('hex');

/** Inserts a token unless its name is taken. Returns a row of what is shown of it if it did. */
export function createTokenSql({ name, type, permissions, expiresAt }: NewToken, token: string, now: number): string {
  const row: Readonly<Record<string, Value>> = {
    document_id: newDocumentId(),
    locale: '',
    published_at: now,
    created_at: now,
    updated_at: now,
    name,
    type,
    access_key: sha256(token),
    permissions: permissions ? JSON.stringify(permissions) : null,
    expires_at: expiresAt ?? null,
    last_used_at: null,
  };
  const columns = Object.keys(row).map(identifier).join(', ');
  const values = Object.values(row).map(literal).join(', ');
  const taken = `SELECT 1 FROM ${TABLE} WHERE "name" = ${literal(name)}`;
  return `INSERT INTO ${TABLE} (${columns}) SELECT ${values} WHERE NOT EXISTS (${taken}) RETURNING ${SHOWN}`;
}

/** Replaces the permissions of a token. */
export const permitSql = (name: string, permissions: readonly string[]): string =>
  `UPDATE ${TABLE} SET "permissions" = ${literal(JSON.stringify(permissions))} WHERE "name" = ${literal(name)}`;

/** Deletes a token; returns a row if there was one. The next request with it is rejected. */
export const revokeTokenSql = (name: string): string =>
  `DELETE FROM ${TABLE} WHERE "name" = ${literal(name)} RETURNING "id"`;

/** Deletes a token of this name whose secret is another. */
export const revokeOtherTokenSql = (name: string, token: string): string =>
  `DELETE FROM ${TABLE} WHERE "name" = ${literal(name)} AND "access_key" <> ${literal(sha256(token))}`;

export const LIST_TOKENS_SQL = `SELECT ${SHOWN} FROM ${TABLE} ORDER BY "name"`;
