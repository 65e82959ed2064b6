/**
 * @module API tokens and users as credentials: what their rows say, and whether they allow what a plan was made with.
 */
import { eq, type SQL, sql } from 'drizzle-orm';
import { type Compiled, query } from '../compiled.ts';
import { assert, balanced } from '../pieces.ts';
import { db, prepared } from '../prepared.ts';
import { around, Finished, toStatement } from '../render.ts';
import type { Rendered, Statement } from '../statement.ts';
import { apiTokens, sessions, userRoles, users } from '../system-tables.ts';
import { isOnlyRow } from '../versions.ts';

/** Aborts a write whose credential is not what was assumed. */
export const CREDENTIAL = 'CREDENTIAL';

/** What the database is asked of a credential. */
export interface CredentialQuery<T> {
  readonly row: Compiled<T | undefined>;
  /** Does the credential hold? As a condition of SQL, for statements that run for its bearer alone. */
  guard(): Rendered;
  /** Aborts the batch where it does not. */
  assertion(): Statement;
}

const guarding = <T>(holds: SQL, row: CredentialQuery<T>['row']): CredentialQuery<T> => ({
  row,
  guard: () => toStatement(holds),
  assertion: () => toStatement(assert(holds, CREDENTIAL)),
});

/** A token, and what it must allow and must not, for a plan to be the right one. */
export interface TokenNeeds {
  /** SHA-256 of the token. */
  readonly key: string;
  /** Types of tokens whose rights are fixed, and fit. */
  readonly types: readonly (string | null)[];
  /** Actions that a custom token must have, and must not. Absent: a custom token does not fit. */
  readonly custom?: CustomNeeds;
  readonly now: number;
}

interface CustomNeeds {
  readonly granted: readonly string[];
  readonly denied: readonly string[];
}

export interface TokenRow {
  readonly type: string | null;
  readonly permissions: string | null;
  /** Milliseconds since 1970; NaN for what is no time, which is over. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number;
  /** Did the guard hold? */
  readonly holds: boolean;
}

/** What is no list of texts permits nothing; a null in it would make `not in` hold of nothing and `not exists` of all. */
const PERMISSIONS = sql`(
  select value
  from json_each(iif(
    json_valid(${apiTokens.permissions}),
    iif(json_type(${apiTokens.permissions}) = 'array', ${apiTokens.permissions}, '[]'),
    '[]'
  ))
  where type = 'text'
)`;

function customAllows({ granted, denied }: CustomNeeds): SQL {
  const lacksNone = sql`
    not exists (select 1 from json_each(${JSON.stringify(granted)}) where value not in ${PERMISSIONS})`;
  if (denied.length === 0) return lacksNone;
  return sql`${lacksNone}
    and not exists (select 1 from json_each(${JSON.stringify(denied)}) where value in ${PERMISSIONS})`;
}

/** Does the row of a token allow what was assumed? */
function tokenAllows({ types, custom, now }: TokenNeeds): SQL {
  const allowed = types.map((type) => sql`${apiTokens.type} is ${sql.param(type)}`);
  if (custom) allowed.push(sql`(${apiTokens.type} = 'custom' and ${customAllows(custom)})`);
  return sql`((${apiTokens.expiresAt} is null or ${apiTokens.expiresAt} > ${now}) and ${balanced(allowed, 'or')})`;
}

const TOKEN_COLUMNS = ['type', 'permissions', 'expires_at', 'last_used_at', 'holds'];

export function tokenQuery(needs: TokenNeeds): CredentialQuery<TokenRow> {
  const { key } = needs;
  const allows = tokenAllows(needs);
  const holds = sql`exists (select 1 from ${apiTokens} where ${apiTokens.accessKey} = ${key} and ${allows})`;
  const statement = toStatement(sql`
    select ${apiTokens.type}, ${apiTokens.permissions}, ${apiTokens.expiresAt}, ${apiTokens.lastUsedAt}, ${allows} as "holds"
    from ${apiTokens}
    where ${apiTokens.accessKey} = ${key}
    limit 1`);
  return guarding(
    holds,
    query({ ...statement, kind: 'credential', columns: TOKEN_COLUMNS }, ([found]) => {
      if (!found) return undefined;
      return {
        type: found.type as string | null,
        permissions: found.permissions as string | null,
        expiresAt: found.expires_at === null ? null : Number(found.expires_at),
        lastUsedAt: Number(found.last_used_at ?? 0),
        holds: found.holds === 1,
      };
    }),
  );
}

const noteUse = prepared(
  db
    .update(apiTokens)
    .set({ lastUsedAt: sql`${sql.placeholder('now')}` })
    .where(eq(apiTokens.accessKey, sql.placeholder('key'))),
);

export const noteTokenUse = (key: string, now: number): Statement => noteUse.statement({ key, now });

/** A JWT, and the roles of users under which a plan is the right one. */
export interface UserNeeds {
  readonly id: number;
  /** Milliseconds since 1970, of a whole second. */
  readonly issuedAt: number;
  /** The session that the token stands for; null for a long-lived token. */
  readonly session: string | null;
  readonly mustBeConfirmed: boolean;
  /** documentIds; `anyOther`: a user who has none of `others` fits too. */
  readonly roles: readonly string[];
  readonly others: readonly string[];
  readonly anyOther: boolean;
}

export interface UserRow {
  /** documentId */
  readonly role: string | null;
  /** May the user come in with this token, whatever the role? */
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
 * A long-lived token from before the last change of password is not valid; an access token ends with its session, and a
 * change of password ends sessions. Neither is a token from before the user was there: ids are given again after a
 * restore to an earlier point. Tokens know whole seconds.
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
  const list = JSON.stringify(anyOther ? others : roles);
  const role = sql`coalesce(${ROLE}, '')`;
  return anyOther
    ? sql`${role} not in (select value from json_each(${list}))`
    : sql`${role} in (select value from json_each(${list}))`;
}

const USER_COLUMNS = ['role', 'may_enter', 'holds'];

export function userQuery(needs: UserNeeds): CredentialQuery<UserRow> {
  const entered = mayEnter(needs);
  const holds = sql`(${entered} and ${hasRole(needs)})`;
  const statement = toStatement(sql`
    select ${ROLE} as "role", ${entered} as "may_enter", ${holds} as "holds"
    from ${users}
    where ${users.id} = ${needs.id}`);
  return guarding(
    sql`exists (select 1 from ${users} where ${users.id} = ${needs.id} and ${holds})`,
    query({ ...statement, kind: 'credential', columns: USER_COLUMNS }, ([found]) => {
      if (!found) return undefined;
      return { role: found.role as string | null, mayEnter: found.may_enter === 1, holds: found.holds === 1 };
    }),
  );
}

/**
 * A statement that runs only where a guard holds. SQLite looks at a LIMIT before it opens what it limits, so that
 * nothing is read otherwise.
 */
export function guarded<S extends Statement>(statement: S, guard: Rendered): S {
  const limited = around(sql`select * from (${new Finished(statement)}) limit iif(${new Finished(guard)}, -1, 0)`);
  const own = { ...statement, ...limited };
  if (own.kind !== 'page' || !own.measured) return own;
  const { measured } = own;
  return { ...own, measured: () => guarded(measured(), guard) };
}
