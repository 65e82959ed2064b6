/**
 * @module Rows of users as signing in and writing need them, secrets included, and the questions that find them.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ContentType } from '../registry/model.ts';
import { nameKey } from '../registry/name-key.ts';
import { CONFLICT, type Row } from './batch.ts';
import { selectedColumns } from './columns.ts';
import { asked, type Compiled, mapped } from './compiled.ts';
import { toStatement } from './render.ts';
import { assert, balanced, commaList, type Statement } from './statement.ts';

export interface Account {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
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
    username: String(row.username),
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

/** @param user the type of users, whose columns are read as answers show them. */
function accountWhere(user: ContentType, condition: SQL, order = sql`"id"`): Compiled<Account | undefined> {
  const scalars = [...user.attributes.values()].filter((attribute) => attribute.kind === 'scalar');
  const columns = commaList([sql`"id"`, sql`"document_id"`, ...selectedColumns(scalars, user.table)]);
  return asked(
    toStatement(sql`select ${columns} from "up_users" where ${condition} order by ${order} limit 1`),
    ([row]) => accountOf(row),
  );
}

export const accountById = (user: ContentType, id: number) => accountWhere(user, sql`"id" = ${id}`);

/**
 * Who signs in by e-mail, in any case, or by user name to the letter. Nobody comes in by a name that is the e-mail of
 * somebody else, and nobody whom another provider vouches for.
 */
export function accountByIdentifier(user: ContentType, identifier: string): Compiled<Account | undefined> {
  const isEmail = sql`"email" = ${identifier.toLowerCase()}`;
  const first = sql`${isEmail} desc, "provider" = 'local' desc, "id"`;
  return mapped(accountWhere(user, sql`${isEmail} or "username" = ${identifier}`, first), (account) =>
    account?.provider === 'local' ? account : undefined,
  );
}

export const accountByEmail = (user: ContentType, email: string) =>
  accountWhere(user, sql`"email" = ${email.toLowerCase()}`);

/** Any hash that was imported, as long as there is one: `$2a$…`, `$2b$…`. */
export const importedPassword: Compiled<unknown> = asked(
  toStatement(sql`select "password" from "up_users" where "password" >= '$2' and "password" < '$3' limit 1`),
  ([row]) => row?.password,
);

/** Puts another hash of the same password in place of an outdated one, unless the password was changed meanwhile. */
export const rehash = (id: number, outdated: unknown, hash: string): Statement =>
  toStatement(sql`update "up_users" set "password" = ${hash} where "id" = ${id} and "password" = ${outdated}`);

/** Brings the keys of the names up to date where they are missing, or those of an earlier version. */
export function rekey({ id, username, email, row }: Account): readonly Statement[] {
  const [nameOf, emailOf] = [nameKey(username), nameKey(email)];
  if (row.username_key === nameOf && row.email_key === emailOf) return [];
  return [
    toStatement(sql`
      update "up_users" set "username_key" = ${nameOf}, "email_key" = ${emailOf}
      where "id" = ${id} and "username" = ${username} and "email" = ${email}`),
  ];
}

/** What a user is to be called. What is no text is nobody's. */
export interface Names {
  readonly username: unknown;
  readonly email: unknown;
  /** Number of the user, whose own names are free. */
  readonly but: number;
  /** Are names that differ in letter case alone two names? */
  readonly caseSensitive: boolean;
}

export interface Taken {
  readonly email: boolean;
  readonly username: boolean;
}

/** Rows that were put into the table by hand have no keys, so that their names count to the letter. */
function isTaken(name: unknown, but: number, caseSensitive: boolean): SQL {
  if (typeof name !== 'string') return sql`0`;
  const key = nameKey(name);
  const same = [sql`"username" = ${name}`, sql`"email" = ${name.toLowerCase()}`, sql`"email_key" = ${key}`];
  if (!caseSensitive) same.push(sql`"username_key" = ${key}`);
  return sql`exists (select 1 from "up_users" where ${balanced(same, 'or')} and "id" <> ${but})`;
}

const isEmailTaken = ({ email, but }: Names): SQL => isTaken(email, but, false);
const isNameTaken = ({ username, but, caseSensitive }: Names): SQL => isTaken(username, but, caseSensitive);

/** Are the e-mail and the user name the e-mail or the name of somebody else, or hard to tell from one? */
export function takenNames(names: Names): Compiled<Taken> {
  const statement = toStatement(sql`select ${isEmailTaken(names)} as "email", ${isNameTaken(names)} as "username"`);
  return asked(statement, ([row]) => ({ email: row?.email === 1, username: row?.username === 1 }));
}

/** Aborts the batch where `takenNames` would say so by now. */
export const assertNamesFree = (names: Names): Statement =>
  toStatement(assert(sql`not ${isEmailTaken(names)} and not ${isNameTaken(names)}`, CONFLICT));

/** Where the key of a user's codes is kept. */
export type CodeColumn = 'reset_password_token' | 'confirmation_token';

export const accountByCodeKey = (user: ContentType, column: CodeColumn, key: string): Compiled<Account | undefined> =>
  accountWhere(user, sql`${sql.identifier(column)} = ${key}`);

/**
 * Stores a key for codes, unless the user has one or the address was changed meanwhile. What came from elsewhere under
 * the same name is no key.
 * @returns the user as the codes are to be made for; undefined where the address is another.
 */
export function keepCodeKey({ id, email }: Account, column: CodeColumn, key: string): Compiled<Account | undefined> {
  const stored = sql.identifier(column);
  const kept = sql`iif(length(${stored}) = ${key.length}, ${stored}, ${key})`;
  return asked(
    toStatement(sql`update "up_users" set ${stored} = ${kept} where "id" = ${id} and "email" = ${email} returning *`),
    ([row]) => accountOf(row),
  );
}
