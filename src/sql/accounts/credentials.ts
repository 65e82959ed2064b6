/**
 * @module API tokens and users as credentials: their rows, and SQL that guards statements with a permission trace.
 */
import { type AnyColumn, eq, type SQL, sql } from 'drizzle-orm';
import { memoized } from '../../common/cache.ts';
import { assertion } from '../assertions.ts';
import { type Compiled, query } from '../compiled.ts';
import { balanced, literal } from '../pieces.ts';
import { db, prepared } from '../prepared.ts';
import { filled, PART, template, toStatement } from '../render.ts';
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

/** Any column may hold bytes, which JSON cannot. */
const asText = (value: AnyColumn | SQL): SQL => sql`cast(${value} as text)`;

/** The statements of one shape of credential, with placeholders. @param select one row with the `columns`, none of them bytes */
const statementsOf = (holds: SQL, select: SQL, columns: readonly string[]) => ({
  row: { ...toStatement(select), kind: 'credential', columns } as const,
  guard: toStatement(holds),
  assertion: assertion(holds, CREDENTIAL),
});

const credentialQuery = <T>(
  { row, guard, assertion }: ReturnType<typeof statementsOf>,
  values: Readonly<Record<string, unknown>>,
  decode: (row: Row) => T,
): CredentialQuery<T> => ({
  row: query(filled(row, values), ([found]) => found && decode(found)),
  guard: () => filled(guard, values),
  assertion: () => filled(assertion, values),
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

/** What the text of a query about a token depends on. */
type TokenShape = readonly [types: number, isExact: boolean, custom: 'none' | 'granted' | 'denied'];

function tokenAllows([types, isExact, custom]: TokenShape): SQL {
  const { type, permissions, expiresAt } = apiTokens;
  const allowed = Array.from({ length: types }, (_, index) => sql`${type} is ${sql.placeholder(`type${index}`)}`);
  if (isExact) allowed.push(sql`(${type} = 'custom' and ${permissions} is ${sql.placeholder('exact')})`);
  const lacksNone = sql`
    not exists (select 1 from json_each(${sql.placeholder('granted')}) where value not in ${PERMISSIONS})`;
  const hasNone = sql`${lacksNone}
    and not exists (select 1 from json_each(${sql.placeholder('denied')}) where value in ${PERMISSIONS})
    and not exists ${permissionsOf('object')}`;
  if (custom !== 'none') allowed.push(sql`(${type} = 'custom' and ${custom === 'denied' ? hasNone : lacksNone})`);
  const isInTime = sql`(${expiresAt} is null or ${expiresAt} > ${sql.placeholder('now')})`;
  return sql`(${isInTime} and ${balanced(allowed, 'or')})`;
}

const TOKEN_COLUMNS = ['type', 'permissions', 'expires_at', 'last_used_at', 'holds'];

const tokenStatements = memoized((shape: string) => {
  const allows = tokenAllows(JSON.parse(shape));
  const isToken = eq(apiTokens.accessKey, sql.placeholder('key'));
  const select = sql`
    select
      ${asText(apiTokens.type)} as "type",
      ${asText(apiTokens.permissions)} as "permissions",
      ${asText(apiTokens.expiresAt)} as "expires_at",
      ${asText(apiTokens.lastUsedAt)} as "last_used_at",
      ${allows} as "holds"
    from ${apiTokens}
    where ${isToken}
    limit 1`;
  const holds = sql`exists (select 1 from ${apiTokens} where ${isToken} and ${allows})`;
  return statementsOf(holds, select, TOKEN_COLUMNS);
});

export function tokenQuery({ key, types, custom, exact, now }: TokenNeeds): CredentialQuery<TokenRow> {
  const isDenied = custom && custom.denied.length > 0;
  const shape: TokenShape = [types.length, exact !== undefined, isDenied ? 'denied' : custom ? 'granted' : 'none'];
  const ofTypes = Object.fromEntries(types.map((type, index) => [`type${index}`, type]));
  const lists = custom && { granted: JSON.stringify(custom.granted), denied: JSON.stringify(custom.denied) };
  const values = { key, now, exact, ...ofTypes, ...lists };
  return credentialQuery(tokenStatements(JSON.stringify(shape)), values, (row) => ({
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
function mayEnter(hasSession: boolean): SQL {
  const isCurrent = hasSession
    ? sql`exists (select 1 from ${sessions} where ${isOnlyRow(sql.placeholder('session'), sessions)} and ${sessions.userId} = ${users.id})`
    : sql`coalesce(${users.passwordChangedAt}, 0) <= ${sql.placeholder('issuedAt')}`;
  return sql`(
    coalesce(${users.blocked}, 0) = 0
    and coalesce(${users.createdAt}, 0) < ${sql.placeholder('madeBefore')}
    and (${sql.placeholder('unconfirmed')} or ${users.confirmed} = 1)
    and ${isCurrent}
  )`;
}

const USER_COLUMNS = ['role', 'may_enter', 'holds'];

const userStatements = memoized((hasSession: boolean) =>
  memoized((anyOther: boolean) => {
    const isValid = mayEnter(hasSession);
    const roles = sql`(select value from json_each(${sql.placeholder('roles')}))`;
    const hasRole = sql`coalesce(${ROLE}, '') ${anyOther ? sql`not in` : sql`in`} ${roles}`;
    const allows = sql`(${isValid} and ${hasRole})`;
    const isUser = eq(users.id, sql.placeholder('id'));
    const select = sql`
      select ${asText(ROLE)} as "role", ${isValid} as "may_enter", ${allows} as "holds"
      from ${users}
      where ${isUser}`;
    const holds = sql`exists (select 1 from ${users} where ${isUser} and ${allows})`;
    return statementsOf(holds, select, USER_COLUMNS);
  }),
);

export function userQuery(needs: UserNeeds): CredentialQuery<UserRow> {
  const { id, issuedAt, session, mustBeConfirmed, roles, others, anyOther } = needs;
  const unconfirmed = mustBeConfirmed ? 0 : 1;
  const own = { id, session, issuedAt, madeBefore: issuedAt + 1000, unconfirmed };
  const values = { ...own, roles: JSON.stringify(anyOther ? others : roles) };
  return credentialQuery(userStatements(session !== null)(anyOther), values, (row) => ({
    role: row.role as string | null,
    mayEnter: row.may_enter === 1,
    holds: row.holds === 1,
  }));
}

const whileHolds = template(sql`select * from (${PART}) limit iif(${PART}, -1, 0)`);

/** Returns a statement that runs only if the guard holds: SQLite evaluates the LIMIT before it reads a row. */
export const guarded = <S extends Statement>(statement: S, guard: Rendered): S =>
  rewritten(statement, (each) => whileHolds(each, guard));
