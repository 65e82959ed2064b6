/**
 * @module API tokens and users as credentials: their rows, and SQL that guards statements with a permission trace.
 */
import { type AnyColumn, eq, type SQL, sql } from 'drizzle-orm';
import { memoized } from '../../../common/cache.ts';
import { READ_PRIVATE } from '../../../schema/secret-attributes.ts';
import { assertion } from '../../sql/assertions.ts';
import { type Compiled, query } from '../../sql/compiled.ts';
import { literal } from '../../sql/pieces.ts';
import { prepared } from '../../sql/prepared.ts';
import { filled, STATEMENT_PART, template, toStatement } from '../../sql/render.ts';
import { type Rendered, type Row, rewritten, type Statement } from '../../sql/statement.ts';
import { apiTokens, oauthGrants, sessions, userRoles, users } from '../../sql/system-tables.ts';
import { isOnlyRow } from '../../sql/versions.ts';

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

/** The columns of a token that its permissions depend on. */
export interface TokenPermissions {
  readonly type: string | null;
  readonly permissions: string | null;
}

/** A token with the permissions that a plan assumes. */
export interface TokenNeeds {
  /** SHA-256 of the token, or its documentId. */
  readonly key: string;
  readonly isById?: boolean;
  /** As they were read: the row must still have them. Otherwise, the types or the action ids that satisfy the plan. */
  readonly needed:
    | ({ readonly kind: 'stored' } & TokenPermissions)
    | { readonly kind: 'assumed'; readonly types: readonly string[]; readonly granted: readonly string[] };
  readonly now: number;
}

export interface TokenRow extends TokenPermissions {
  /** Milliseconds since 1970; NaN, which has expired, for anything but a number. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number;
  /** Does the token have the assumed permissions? */
  readonly holds: boolean;
}

const { type, permissions, expiresAt } = apiTokens;

/** The texts in the permissions; other JSON than a list has none. A null would satisfy `not exists (… not in …)`. */
const PERMISSIONS = sql`(
  select value
  from json_each(iif(json_valid(${permissions}), iif(json_type(${permissions}) = 'array', ${permissions}, '[]'), '[]'))
  where type = 'text'
)`;

/** What the permissions add to the type: for types other than custom, private attributes at most. */
const NAMED = sql`iif(
  ${type} is 'custom' or instr(${asText(permissions)}, ${literal(`.${READ_PRIVATE}"`)}) > 0, ${asText(permissions)}, null
)`;

function tokenAllows(isRead: boolean): SQL {
  const isInTime = sql`(${expiresAt} is null or ${expiresAt} > ${sql.placeholder('now')})`;
  if (isRead)
    return sql`(
      ${isInTime}
      and ${asText(type)} is ${sql.placeholder('type')}
      and ${NAMED} is ${sql.placeholder('permissions')}
    )`;
  const lacksNone = sql`
    not exists (select 1 from json_each(${sql.placeholder('granted')}) where value not in ${PERMISSIONS})`;
  const isOfType = sql`${type} in (select value from json_each(${sql.placeholder('types')}))`;
  return sql`(${isInTime} and (${isOfType} or ${type} = 'custom' and ${lacksNone}))`;
}

const TOKEN_COLUMNS = ['type', 'permissions', 'expires_at', 'last_used_at', 'holds'];

const tokenStatements = memoized((isRead: boolean) =>
  memoized((isById: boolean) => {
    const allows = tokenAllows(isRead);
    const isToken = eq(isById ? apiTokens.documentId : apiTokens.accessKey, sql.placeholder('key'));
    const select = sql`
    select
      ${asText(type)} as "type",
      ${NAMED} as "permissions",
      ${asText(expiresAt)} as "expires_at",
      ${asText(apiTokens.lastUsedAt)} as "last_used_at",
      ${allows} as "holds"
    from ${apiTokens}
    where ${isToken}
    limit 1`;
    const holds = sql`exists (select 1 from ${apiTokens} where ${isToken} and ${allows})`;
    return statementsOf(holds, select, TOKEN_COLUMNS);
  }),
);

export function tokenQuery({ key, isById = false, needed, now }: TokenNeeds): CredentialQuery<TokenRow> {
  const isRead = needed.kind === 'stored';
  const own = isRead
    ? { type: needed.type, permissions: needed.permissions }
    : { types: JSON.stringify(needed.types), granted: JSON.stringify(needed.granted) };
  return credentialQuery(tokenStatements(isRead)(isById), { key, now, ...own }, (row) => ({
    type: row.type as string | null,
    permissions: row.permissions as string | null,
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    lastUsedAt: Number(row.last_used_at ?? 0),
    holds: row.holds === 1,
  }));
}

const noteUse = prepared(
  () => sql`
    update ${apiTokens} set "last_used_at" = ${sql.placeholder('now')}
    where ${apiTokens.accessKey} = ${sql.placeholder('key')}`,
);

export const noteTokenUse = (key: string, now: number): Statement => noteUse({ key, now });

/** A JWT with the roles that a plan assumes. */
export interface UserNeeds {
  readonly id: number;
  /** Milliseconds since 1970, of a whole second. */
  readonly issuedAt: number;
  /** null for a long-lived token. */
  readonly session: string | null;
  /** That of a client of OAuth; null for others. */
  readonly grant: string | null;
  readonly mustBeConfirmed: boolean;
  /** documentIds, of which the role is one. */
  readonly roles: readonly (string | null)[];
  readonly now: number;
}

export interface UserRow {
  /** documentId */
  readonly role: string | null;
  /** Is the token valid, whatever the role? */
  readonly mayEnter: boolean;
  readonly holds: boolean;
  /** Milliseconds since 1970: the last noted use of a grant. */
  readonly usedAt: number;
}

const ROLE = sql`(
  select ${userRoles.targetDocumentId}
  from ${userRoles}
  where ${userRoles.sourceDocumentId} = ${users.documentId}
  limit 1
)`;

/** What a token is of, beside the user. */
type TokenKind = 'long-lived' | 'session' | 'grant';

const isOfGrant = sql`${oauthGrants.id} = ${sql.placeholder('grant')} and ${oauthGrants.user} = ${users.documentId}`;

const isOfUser = sql`coalesce(${users.createdAt}, 0) < ${sql.placeholder('madeBefore')}`;

/**
 * Is a token of the user in the row, and current? One that is older than its user is another user's: after a restore to an
 * earlier point, ids are assigned again. A change of the password invalidates long-lived tokens, and ends sessions and grants.
 */
const CURRENT: Readonly<Record<TokenKind, SQL>> = {
  'long-lived': sql`${isOfUser} and coalesce(${users.passwordChangedAt}, 0) <= ${sql.placeholder('issuedAt')}`,
  session: sql`${isOfUser} and exists (
    select 1
    from ${sessions}
    where ${isOnlyRow(sql.placeholder('session'), sessions)} and ${sessions.userId} = ${users.id}
  )`,
  grant: sql`exists (
    select 1
    from ${oauthGrants}
    where ${isOfGrant} and ${oauthGrants.expiresAt} > ${sql.placeholder('now')}
  )`,
};

function mayEnter(kind: TokenKind): SQL {
  return sql`(
    coalesce(${users.blocked}, 0) = 0
    and (${sql.placeholder('unconfirmed')} or ${users.confirmed} = 1)
    and ${CURRENT[kind]}
  )`;
}

const USED_AT: Readonly<Record<TokenKind, SQL>> = {
  'long-lived': sql`null`,
  session: sql`null`,
  grant: sql`(select ${oauthGrants.lastUsedAt} from ${oauthGrants} where ${isOfGrant})`,
};

const USER_COLUMNS = ['role', 'may_enter', 'holds', 'used_at'];

const userStatements = memoized((kind: TokenKind) => {
  const isValid = mayEnter(kind);
  const allows = sql`(${isValid} and ${ROLE} in (select value from json_each(${sql.placeholder('roles')})))`;
  const isUser = eq(users.id, sql.placeholder('id'));
  const select = sql`
    select ${asText(ROLE)} as "role", ${isValid} as "may_enter", ${allows} as "holds", ${USED_AT[kind]} as "used_at"
    from ${users}
    where ${isUser}`;
  const holds = sql`exists (select 1 from ${users} where ${isUser} and ${allows})`;
  return statementsOf(holds, select, USER_COLUMNS);
});

const kindOf = ({ grant, session }: UserNeeds): TokenKind =>
  grant !== null ? 'grant' : session !== null ? 'session' : 'long-lived';

export function userQuery({ mustBeConfirmed, ...needs }: UserNeeds): CredentialQuery<UserRow> {
  const derived = { madeBefore: needs.issuedAt + 1000, unconfirmed: mustBeConfirmed ? 0 : 1 };
  const values = { ...needs, ...derived, roles: JSON.stringify(needs.roles) };
  return credentialQuery(userStatements(kindOf({ mustBeConfirmed, ...needs })), values, (row) => ({
    role: row.role as string | null,
    mayEnter: row.may_enter === 1,
    holds: row.holds === 1,
    usedAt: Number(row.used_at ?? 0),
  }));
}

const noteGrant = prepared(
  () => sql`
    update ${oauthGrants} set "last_used_at" = ${sql.placeholder('now')}
    where ${oauthGrants.id} = ${sql.placeholder('grant')}`,
);

export const noteGrantUse = (grant: string, now: number): Statement => noteGrant({ grant, now });

const whileHolds = template(sql`select * from (${STATEMENT_PART}) limit iif(${STATEMENT_PART}, -1, 0)`);

/** Returns a statement that runs only if the guard holds: SQLite evaluates the LIMIT before it reads a row. */
export const guarded = <S extends Statement>(statement: S, guard: Rendered): S =>
  rewritten(statement, (each) => whileHolds(each, guard));
