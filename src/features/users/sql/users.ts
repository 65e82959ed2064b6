/**
 * @module Rows of users, secrets included: lookups, names that are taken, keys of codes.
 */
import { eq, type SQL, sql } from 'drizzle-orm';
import type { RowName } from '../../../content/request/plain-params.ts';
import { assertion } from '../../../content/sql/assertions.ts';
import { CONFLICT } from '../../../content/sql/batch.ts';
import { selectedColumns } from '../../../content/sql/columns.ts';
import { type Compiled, mapped, query } from '../../../content/sql/compiled.ts';
import { balanced, commaList } from '../../../content/sql/pieces.ts';
import { prepared } from '../../../content/sql/prepared.ts';
import { toStatement } from '../../../content/sql/render.ts';
import type { Row, Statement } from '../../../content/sql/statement.ts';
import { users } from '../../../content/sql/system-tables.ts';
import { isOnlyRow } from '../../../content/sql/versions.ts';
import { isScalar } from '../../../schema/attribute-kinds.ts';
import type { ContentType } from '../../../schema/model.ts';
import { nameKey } from '../../../schema/name-key.ts';
import { type Identity, identities } from './identities.ts';

export interface Account {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  readonly provider: string | null;
  readonly password: unknown;
  readonly blocked: boolean;
  readonly confirmed: boolean;
  /** Has the user shown that messages to the address arrive? */
  readonly emailProven: boolean;
  /**
   * JWTs from before this time are rejected; milliseconds since 1970. It may be to come: the clock of the Worker that
   * created the user was ahead.
   */
  readonly changedAt: number;
  readonly updatedAt: number;
  readonly row: Row;
}

const accountOf = (row: Row): Account => ({
  id: Number(row.id),
  documentId: String(row.document_id),
  username: String(row.username),
  email: String(row.email),
  provider: row.provider as string | null,
  password: row.password,
  blocked: row.blocked === 1,
  confirmed: row.confirmed === 1,
  emailProven: row.email_proven === 1,
  changedAt: Math.max(Number(row.password_changed_at ?? 0), Number(row.created_at ?? 0)),
  updatedAt: Number(row.updated_at),
  row,
});

/** @param user the type of users, which may have custom attributes */
function accountWhere(user: ContentType, condition: SQL, order = sql`${users.id}`): Compiled<Account | undefined> {
  const scalars = [...user.attributes.values()].filter(isScalar);
  const columns = commaList([users.id, users.documentId, ...selectedColumns(scalars, user.table)]);
  const statement = toStatement(sql`select ${columns} from ${users} where ${condition} order by ${order} limit 1`);
  return query(statement, ([row]) => row && accountOf(row));
}

export const accountById = (user: ContentType, id: number) => accountWhere(user, eq(users.id, id));

export const accountNamed = (user: ContentType, row: RowName) =>
  typeof row === 'number' ? accountById(user, row) : accountWhere(user, isOnlyRow(row, users));

/**
 * Reads the local account with this e-mail, in any letter case, or this exact user name. The e-mail takes precedence:
 * a name that equals another user's e-mail does not sign in.
 */
export function accountByIdentifier(user: ContentType, identifier: string): Compiled<Account | undefined> {
  const isEmail = eq(users.email, identifier.toLowerCase());
  const first = sql`${isEmail} desc, ${users.provider} = 'local' desc, ${users.id}`;
  return mapped(accountWhere(user, sql`${isEmail} or ${eq(users.username, identifier)}`, first), (account) =>
    account?.provider === 'local' ? account : undefined,
  );
}

export const accountByEmail = (user: ContentType, email: string) =>
  accountWhere(user, eq(users.email, email.toLowerCase()));

export const accountByIdentity = (user: ContentType, { issuer, subject }: Identity) =>
  accountWhere(
    user,
    sql`${users.documentId} = (
      select ${identities.user}
      from ${identities}
      where ${eq(identities.issuer, issuer)} and ${eq(identities.subject, subject)}
    )`,
  );

/** Reads an imported hash, `$2a$…` or `$2b$…`, if any user has one. */
export const importedPassword: Compiled<unknown> = query(
  toStatement(
    sql`select ${users.password} from ${users} where ${users.password} >= '$2' and ${users.password} < '$3' limit 1`,
  ),
  ([row]) => row?.password,
);

const replaceHash = prepared(
  () => sql`
    update ${users} set "password" = ${sql.placeholder('hash')}
    where ${users.id} = ${sql.placeholder('id')} and ${users.password} = ${sql.placeholder('outdated')}`,
);

/** Replaces an outdated hash with a new one of the same password, unless the password was changed concurrently. */
export const rehash = (id: number, outdated: unknown, hash: string): Statement => replaceHash({ id, outdated, hash });

const replaceKeys = prepared(
  () => sql`
    update ${users} set "username_key" = ${sql.placeholder('nameKey')}, "email_key" = ${sql.placeholder('emailKey')}
    where ${users.id} = ${sql.placeholder('id')} and ${users.username} = ${sql.placeholder('username')}
      and ${users.email} = ${sql.placeholder('email')}`,
);

/** Updates the keys of the names if they are missing or of an earlier version. */
export function rekey({ id, username, email, row }: Account): readonly Statement[] {
  const [nameOf, emailOf] = [nameKey(username), nameKey(email)];
  if (row.username_key === nameOf && row.email_key === emailOf) return [];
  return [replaceKeys({ id, username, email, nameKey: nameOf, emailKey: emailOf })];
}

/** The desired names of a user. A value that is not a text is never taken. */
export interface Names {
  readonly username: unknown;
  readonly email: unknown;
  /** Number of the user, whose own names are free. */
  readonly but: number;
  /** May names differ in letter case alone? */
  readonly caseSensitive: boolean;
}

export interface Taken {
  readonly email: boolean;
  readonly username: boolean;
}

/** Rows that were inserted by hand have no keys, so their names are compared exactly. */
function isTaken(name: unknown, but: number, caseSensitive: boolean): SQL {
  if (typeof name !== 'string') return sql`0`;
  const key = nameKey(name);
  const same = [eq(users.username, name), eq(users.email, name.toLowerCase()), eq(users.emailKey, key)];
  if (!caseSensitive) same.push(eq(users.usernameKey, key));
  return sql`exists (select 1 from ${users} where ${balanced(same, 'or')} and ${users.id} <> ${but})`;
}

const isEmailTaken = ({ email, but }: Names): SQL => isTaken(email, but, false);
const isNameTaken = ({ username, but, caseSensitive }: Names): SQL => isTaken(username, but, caseSensitive);

/** Does another user have an e-mail or a user name that is equal to or confusable with one of these? */
export function takenNames(names: Names): Compiled<Taken> {
  const statement = toStatement(sql`select ${isEmailTaken(names)} as "email", ${isNameTaken(names)} as "username"`);
  return query(statement, ([row]) => ({ email: row?.email === 1, username: row?.username === 1 }));
}

/** Aborts the batch if `takenNames` would now find one of the names taken. */
export const assertNamesFree = (names: Names): Statement =>
  assertion(sql`not ${isEmailTaken(names)} and not ${isNameTaken(names)}`, CONFLICT);

/** The column of a key for codes. */
export type CodeColumn = 'reset_password_token' | 'confirmation_token';

export const accountByCodeKey = (user: ContentType, column: CodeColumn, key: string): Compiled<Account | undefined> =>
  accountWhere(user, sql`${sql.identifier(column)} = ${key}`);

/**
 * Stores a key for codes unless the user has one. A value of another length is not a key: another server wrote it.
 * @returns the account with its key; undefined if the e-mail was changed concurrently.
 */
export function keepCodeKey({ id, email }: Account, column: CodeColumn, key: string): Compiled<Account | undefined> {
  const stored = sql.identifier(column);
  const kept = sql`iif(length(${stored}) = ${key.length}, ${stored}, ${key})`;
  const statement = toStatement(
    sql`update ${users} set ${stored} = ${kept} where ${eq(users.id, id)} and ${eq(users.email, email)} returning *`,
  );
  return query(statement, ([row]) => row && accountOf(row));
}
