/**
 * @module API tokens and users as credentials: their rows, and SQL that guards statements with a permission trace.
 */
import { eq, type SQL, sql } from 'drizzle-orm';
import { type Compiled, query } from '../compiled.ts';
import { assert, balanced, literal, valuesOf } from '../pieces.ts';
import { db, prepared } from '../prepared.ts';
import { around, Finished, toStatement } from '../render.ts';
import { type Rendered, type Row, rewritten, type Statement } from '../statement.ts';
import { apiTokens, sessions, userRoles, users } from '../system-tables.ts';
import { isOnlyRow } from '../versions.ts';

/** The code of a failed assertion of a credential. */
export const CREDENTIAL = 'CREDENTIAL';

export interface CredentialQuery<T> {
  readonly row: Compiled<T | undefined>;
  /** A condition: is the credential valid, with the assumed permissions? */
  guard(): Rendered;
  /** Aborts the batch if it is not. */
  assertion(): Statement;
}

/** @param select one row with the `columns` */
const credentialQuery = <T>(
  holds: SQL,
  select: SQL,
  columns: readonly string[],
  decode: (row: Row) => T,
): CredentialQuery<T> => ({
  row: query({ ...toStatement(select), kind: 'credential', columns }, ([row]) => row && decode(row)),
  guard: () => toStatement(holds),
  assertion: () => toStatement(assert(holds, CREDENTIAL)),
});

/** A token with the permissions that a plan assumes. */
export interface TokenNeeds {
  /** SHA-256 of the token. */
  readonly key: string;
  /** The types with fixed permissions that satisfy the plan. */
  readonly types: readonly (string | null)[];
  /** Action ids that a custom token must have, and must not have. Absent: none satisfies the plan. */
  readonly custom?: { readonly granted: readonly string[]; readonly denied: readonly string[] };
  /** The stored permissions of a custom token; absent: any. */
  readonly exact?: string;
  readonly now: number;
}

export interface TokenRow {
  readonly type: string | null;
  readonly permissions: string | null;
  /** Milliseconds since 1970; NaN, which has expired, for anything but a number. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number;
  /** Does the token have the assumed permissions? */
  readonly holds: boolean;
}

/** The items of one type in the permissions; other JSON than a list has none. */
const permissionsOf = (type: 'text' | 'object'): SQL => sql`(
  select value
  from json_each(iif(
    json_valid(${apiTokens.permissions}),
    iif(json_type(${apiTokens.permissions}) = 'array', ${apiTokens.permissions}, '[]'),
    '[]'
  ))
  where type = ${literal(type)}
)`;

/** Texts only: a null would satisfy every `not exists (… not in …)`. */
const PERMISSIONS = permissionsOf('text');

function customAllows({ granted, denied }: NonNullable<TokenNeeds['custom']>): SQL {
  const lacksNone = sql`
    not exists (select 1 from json_each(${JSON.stringify(granted)}) where value not in ${PERMISSIONS})`;
  if (denied.length === 0) return lacksNone;
  return sql`${lacksNone}
    and not exists (select 1 from json_each(${JSON.stringify(denied)}) where value in ${PERMISSIONS})
    and not exists ${permissionsOf('object')}`;
}

function tokenAllows({ types, custom, exact, now }: TokenNeeds): SQL {
  const allowed = types.map((type) => sql`${apiTokens.type} is ${sql.param(type)}`);
  if (exact !== undefined) allowed.push(sql`(${apiTokens.type} = 'custom' and ${apiTokens.permissions} is ${exact})`);
  if (custom) allowed.push(sql`(${apiTokens.type} = 'custom' and ${customAllows(custom)})`);
  return sql`((${apiTokens.expiresAt} is null or ${apiTokens.expiresAt} > ${now}) and ${balanced(allowed, 'or')})`;
}

const TOKEN_COLUMNS = ['type', 'permissions', 'expires_at', 'last_used_at', 'holds'];

export function tokenQuery(needs: TokenNeeds): CredentialQuery<TokenRow> {
  const allows = tokenAllows(needs);
  const isToken = eq(apiTokens.accessKey, needs.key);
  const select = sql`
    select ${apiTokens.type}, ${apiTokens.permissions}, ${apiTokens.expiresAt}, ${apiTokens.lastUsedAt}, ${allows} as "holds"
    from ${apiTokens}
    where ${isToken}
    limit 1`;
  const holds = sql`exists (select 1 from ${apiTokens} where ${isToken} and ${allows})`;
  return credentialQuery(holds, select, TOKEN_COLUMNS, (row) => ({
    type: row.type as string | null,
    permissions: row.permissions as string | null,
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    lastUsedAt: Number(row.last_used_at ?? 0),
    holds: row.holds === 1,
  }));
}

const noteUse = prepared(() =>
  db
    .update(apiTokens)
    .set({ lastUsedAt: sql`${sql.placeholder('now')}` })
    .where(eq(apiTokens.accessKey, sql.placeholder('key'))),
);

export const noteTokenUse = (key: string, now: number): Statement => noteUse.statement({ key, now });

/** A JWT with the roles that a plan assumes. */
export interface UserNeeds {
  readonly id: number;
  /** Milliseconds since 1970, of a whole second. */
  readonly issuedAt: number;
  /** null for a long-lived token. */
  readonly session: string | null;
  readonly mustBeConfirmed: boolean;
  /** documentIds. The role is one of `roles`, or with `anyOther` none of `others`. */
  readonly roles: readonly string[];
  readonly others: readonly string[];
  readonly anyOther: boolean;
}

export interface UserRow {
  /** documentId */
  readonly role: string | null;
  /** Is the token valid, whatever the role? */
  readonly mayEnter: boolean;
  readonly holds: boolean;
}

const ROLE = sql`(
  select ${userRoles.targetDocumentId}
  from ${userRoles}
  where ${userRoles.sourceDocumentId} = ${users.documentId}
  limit 1
)`;

/**
 * A change of the password invalidates long-lived tokens, and ends sessions with their access tokens. A token that is
 * older than its user is another user's: after a restore to an earlier point, ids are assigned again.
 */
function mayEnter({ issuedAt, session, mustBeConfirmed }: UserNeeds): SQL {
  const isCurrent =
    session === null
      ? sql`coalesce(${users.passwordChangedAt}, 0) <= ${issuedAt}`
      : sql`exists (select 1 from ${sessions} where ${isOnlyRow(session, sessions)} and ${sessions.userId} = ${users.id})`;
  return sql`(
    coalesce(${users.blocked}, 0) = 0
    and coalesce(${users.createdAt}, 0) < ${issuedAt + 1000}
    and (${mustBeConfirmed ? 0 : 1} or ${users.confirmed} = 1)
    and ${isCurrent}
  )`;
}

function hasRole({ roles, others, anyOther }: UserNeeds): SQL {
  const role = sql`coalesce(${ROLE}, '')`;
  return anyOther ? sql`${role} not in ${valuesOf(others)}` : sql`${role} in ${valuesOf(roles)}`;
}

const USER_COLUMNS = ['role', 'may_enter', 'holds'];

export function userQuery(needs: UserNeeds): CredentialQuery<UserRow> {
  const isValid = mayEnter(needs);
  const allows = sql`(${isValid} and ${hasRole(needs)})`;
  const isUser = eq(users.id, needs.id);
  const select = sql`
    select ${ROLE} as "role", ${isValid} as "may_enter", ${allows} as "holds"
    from ${users}
    where ${isUser}`;
  const holds = sql`exists (select 1 from ${users} where ${isUser} and ${allows})`;
  return credentialQuery(holds, select, USER_COLUMNS, (row) => ({
    role: row.role as string | null,
    mayEnter: row.may_enter === 1,
    holds: row.holds === 1,
  }));
}

/** Returns a statement that runs only if the guard holds: SQLite evaluates the LIMIT before it reads a row. */
export const guarded = <S extends Statement>(statement: S, guard: Rendered): S =>
  rewritten(statement, (each) =>
    around(sql`select * from (${new Finished(each)}) limit iif(${new Finished(guard)}, -1, 0)`),
  );
