/**
 * @module Rows of users as signing in and writing need them, secrets included, and the questions that find them.
 */
import type { Row } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';

export interface Account {
  readonly id: number;
  readonly documentId: string;
  readonly email: string;
  readonly provider: string | null;
  readonly password: unknown;
  readonly blocked: boolean;
  readonly confirmed: boolean;
  /** JWTs from before this time are refused; milliseconds since 1970. */
  readonly changedAt: number;
  readonly updatedAt: number;
  /** The whole row. */
  readonly row: Row;
}

const select = (where: string, ...params: readonly unknown[]): Statement => ({
  sql: `select * from "up_users" where ${where} order by "id" limit 1`,
  params,
});

export const byId = (id: number): Statement => select('"id" = ?', id);

/** By e-mail in any case, or by user name to the letter. */
export const byIdentifier = (identifier: string): Statement =>
  select(`"provider" = 'local' and ("email" = ? or "username" = ?)`, identifier.toLowerCase(), identifier);

export const byEmail = (email: string): Statement => select('"email" = ?', email.toLowerCase());
export const byResetCode = (hash: string): Statement => select('"reset_password_token" = ?', hash);
export const byConfirmationCode = (hash: string): Statement => select('"confirmation_token" = ?', hash);

/** A row where e-mail or user name is somebody's e-mail or user name. */
export const byEither = (email: string, username: string): Statement => {
  const small = email.toLowerCase();
  return select('"email" in (?, ?) or "username" in (?, ?)', small, username, small, username);
};

/** Any hash that was imported, as long as there is one: `$2a$…`, `$2b$…`. */
export const importedPassword: Statement = {
  sql: `select "password" from "up_users" where "password" >= '$2' and "password" < '$3' limit 1`,
  params: [],
};

/** Puts another hash of the same password in place of an outdated one, unless the password was changed meanwhile. */
export const rehash = (id: number, outdated: unknown, hash: string): Statement => ({
  sql: `update "up_users" set "password" = ? where "id" = ? and "password" = ?`,
  params: [hash, id, outdated],
});

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** One row that says whose e-mail and user name these are, but for one user's. */
export const takenQuery = (email: unknown, username: unknown, but: number): Statement => ({
  sql: `select exists (select 1 from "up_users" where "email" = ? and "id" <> ?) as "email", exists (select 1 from "up_users" where "username" = ? and "id" <> ?) as "username"`,
  params: [textOr(email)?.toLowerCase() ?? null, but, textOr(username), but],
});

/** Stores the hash of a code that is on its way to the user, unless the address was changed meanwhile. */
export const storeCode = (
  { id, email }: Account,
  column: 'reset_password_token' | 'confirmation_token',
  hash: string,
): Statement => ({
  sql: `update "up_users" set "${column}" = ? where "id" = ? and "email" = ?`,
  params: [hash, id, email],
});

export function accountOf(row: Row | undefined): Account | undefined {
  if (!row) return undefined;
  return {
    id: Number(row.id),
    documentId: String(row.document_id),
    email: String(row.email),
    provider: row.provider as string | null,
    password: row.password,
    blocked: row.blocked === 1,
    confirmed: row.confirmed === 1,
    changedAt: Number(row.password_changed_at ?? 0),
    updatedAt: Number(row.updated_at),
    row,
  };
}
