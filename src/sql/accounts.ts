/**
 * @module Rows of users as signing in and writing need them, secrets included, and the questions that find them.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Row } from './batch.ts';
import { asked, type Compiled } from './compiled.ts';
import { type Statement, toStatement } from './statement.ts';

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

function accountOf(row: Row | undefined): Account | undefined {
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

const accountWhere = (condition: SQL): Compiled<Account | undefined> =>
  asked(toStatement(sql`select * from "up_users" where ${condition} order by "id" limit 1`), ([row]) => accountOf(row));

export const accountById = (id: number) => accountWhere(sql`"id" = ${id}`);

/** By e-mail in any case, or by user name to the letter. */
export const accountByIdentifier = (identifier: string) =>
  accountWhere(sql`"provider" = 'local' and ("email" = ${identifier.toLowerCase()} or "username" = ${identifier})`);

export const accountByEmail = (email: string) => accountWhere(sql`"email" = ${email.toLowerCase()}`);
export const accountByResetCode = (hash: string) => accountWhere(sql`"reset_password_token" = ${hash}`);
export const accountByConfirmationCode = (hash: string) => accountWhere(sql`"confirmation_token" = ${hash}`);

/** A user whose e-mail or name is one of these. */
export function accountByEither(email: string, username: string) {
  const names = JSON.stringify([email.toLowerCase(), username]);
  const listed = sql`(select value from json_each(${names}))`;
  return accountWhere(sql`"email" in ${listed} or "username" in ${listed}`);
}

/** Any hash that was imported, as long as there is one: `$2a$…`, `$2b$…`. */
export const importedPassword: Compiled<unknown> = asked(
  toStatement(sql`select "password" from "up_users" where "password" >= '$2' and "password" < '$3' limit 1`),
  ([row]) => row?.password,
);

/** Puts another hash of the same password in place of an outdated one, unless the password was changed meanwhile. */
export const rehash = (id: number, outdated: unknown, hash: string): Statement =>
  toStatement(sql`update "up_users" set "password" = ${hash} where "id" = ${id} and "password" = ${outdated}`);

export interface Taken {
  readonly email: boolean;
  readonly username: boolean;
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Are the e-mail and the user name those of somebody, but for one user? What is no text is nobody's. */
export function takenNames(email: unknown, username: unknown, but: number): Compiled<Taken> {
  const others = (condition: SQL) => sql`exists (select 1 from "up_users" where ${condition} and "id" <> ${but})`;
  const byEmail = others(sql`"email" = ${textOr(email)?.toLowerCase() ?? null}`);
  const byName = others(sql`"username" = ${textOr(username)}`);
  const statement = toStatement(sql`select ${byEmail} as "email", ${byName} as "username"`);
  return asked(statement, ([row]) => ({ email: row?.email === 1, username: row?.username === 1 }));
}

type CodeColumn = 'reset_password_token' | 'confirmation_token';

/** Stores the hash of a code that is on its way to the user, unless the address was changed meanwhile. */
export const storeCode = ({ id, email }: Account, column: CodeColumn, hash: string): Statement =>
  toStatement(sql`update "up_users" set ${sql.identifier(column)} = ${hash} where "id" = ${id} and "email" = ${email}`);
