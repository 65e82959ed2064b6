/**
 * @module Grants: what users let clients do in their name. A grant has one refresh key at a time, as a session has. Times are
 * milliseconds since 1970.
 */
import { type SQL, sql } from 'drizzle-orm';
import { isLevel, type Level } from '../../../access/delegation.ts';
import { readList } from '../../../common/json.ts';
import { type Compiled, query } from '../../../content/sql/compiled.ts';
import { integer } from '../../../content/sql/pieces.ts';
import { prepared } from '../../../content/sql/prepared.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { oauthGrants, users } from '../../../content/sql/system-tables.ts';

/** Grants of a user; a new one ends that which was refreshed the longest ago. */
const MAX_GRANTS = 100;
/** Expired grants that a new one deletes. */
const MAX_EXPIRED = 100;

export interface NewGrant {
  readonly id: string;
  /** Number of the user's row. */
  readonly user: number;
  readonly clientId: string;
  readonly host: string;
  readonly name: string;
  readonly level: Level;
  readonly types: readonly string[] | null;
  readonly keyHash: string;
  readonly now: number;
  readonly expiresAt: number;
}

/** What an access token has of its grant. */
export interface GrantRow {
  readonly user: number;
  readonly host: string;
  readonly level: Level;
  readonly types: readonly string[] | null;
}

const isGrant = sql`${oauthGrants.id} = ${sql.placeholder('grant')}`;

/** Without the id of a client, it is that of any: a client may leave it out. */
const isOfClient = sql`(
  ${sql.placeholder('clientId')} is null or ${oauthGrants.clientId} = ${sql.placeholder('clientId')}
)`;

const documentId = sql`(select ${users.documentId} from ${users} where ${users.id} = ${sql.placeholder('user')})`;

const endExpired = prepared(
  () => sql`
    delete from ${oauthGrants}
    where ${oauthGrants.id} in (
      select ${oauthGrants.id}
      from ${oauthGrants}
      where ${oauthGrants.expiresAt} <= ${sql.placeholder('now')}
      limit ${integer(MAX_EXPIRED)}
    )`,
);

const endOldest = prepared(
  () => sql`
    delete from ${oauthGrants}
    where ${oauthGrants.user} = ${documentId} and ${oauthGrants.id} not in (
      select ${oauthGrants.id}
      from ${oauthGrants}
      where ${oauthGrants.user} = ${documentId}
      order by ${oauthGrants.updatedAt} desc, ${oauthGrants.id} desc
      limit ${integer(MAX_GRANTS - 1)}
    )`,
);

const insert = prepared(
  () => sql`
    insert into ${oauthGrants} (
      "id", "user", "client_id", "host", "name", "level", "types", "key_hash", "created_at", "updated_at", "expires_at"
    )
    select
      ${sql.placeholder('id')}, ${users.documentId}, ${sql.placeholder('clientId')}, ${sql.placeholder('host')},
      ${sql.placeholder('name')}, ${sql.placeholder('level')}, ${sql.placeholder('types')},
      ${sql.placeholder('keyHash')}, ${sql.placeholder('now')}, ${sql.placeholder('now')}, ${sql.placeholder('expiresAt')}
    from ${users}
    where ${users.id} = ${sql.placeholder('user')}`,
);

const jsonOf = (types: readonly string[] | null): string | null => types && JSON.stringify(types);

/** Inserts a grant; the batch has to assert that the user may make it. */
export function insertGrant({ types, ...grant }: NewGrant): readonly Statement[] {
  const values = { ...grant, types: jsonOf(types) };
  return [endExpired, endOldest, insert].map((statement) => statement(values));
}

/** The use of a refresh token. */
export interface GrantRotation {
  readonly grant: string;
  /** null if the request names none. */
  readonly clientId: string | null;
  /** Hashes of the key that was sent, and of its successor. */
  readonly usedHash: string;
  readonly nextHash: string;
  readonly now: number;
  readonly expiresAt: number;
  /** Of the grant, at most. */
  readonly age: number;
  /** In which the same key may be used again. */
  readonly grace: number;
  readonly mustBeConfirmed: boolean;
}

const isUsed = sql`${oauthGrants.keyHash} = ${sql.placeholder('usedHash')}`;
const isRepeated = sql`(
  ${oauthGrants.keyHash} = ${sql.placeholder('nextHash')}
  and ${oauthGrants.updatedAt} >= ${sql.placeholder('repeatedSince')}
)`;
const mayRotate = sql`exists (
  select 1
  from ${users}
  where ${users.documentId} = ${oauthGrants.user}
    and coalesce(${users.blocked}, 0) = 0
    and (${sql.placeholder('unconfirmed')} or ${users.confirmed} = 1)
)`;

const rotate = prepared(
  () => sql`
    update ${oauthGrants} set
      "updated_at" = iif(${isUsed}, ${sql.placeholder('now')}, ${oauthGrants.updatedAt}),
      "expires_at" = iif(${isUsed}, min(${sql.placeholder('expiresAt')}, ${oauthGrants.createdAt} + ${sql.placeholder('age')}), ${oauthGrants.expiresAt}),
      "key_hash" = ${sql.placeholder('nextHash')}
    where ${isGrant} and ${isOfClient} and (${isUsed} or ${isRepeated})
      and ${oauthGrants.expiresAt} > ${sql.placeholder('now')} and ${mayRotate}
    returning
      (select ${users.id} from ${users} where ${users.documentId} = ${oauthGrants.user}) as "user",
      ${oauthGrants.host}, ${oauthGrants.level}, ${oauthGrants.types}`,
);

const endUnlessRepeated = prepared(
  () => sql`delete from ${oauthGrants} where ${isGrant} and ${isOfClient} and not ${isRepeated}`,
);

const typesIn = (stored: unknown): readonly string[] | null => (stored === null ? null : readList(stored).map(String));

/** A level that this version does not know gives the least. */
const levelIn = (stored: unknown): Level => (isLevel(stored) ? stored : 'read');

/**
 * Gives a grant its next key and a later end. Within the grace the last used key gets the same next key again. Any other used
 * key ends the grant, since two parties know it; the result is undefined.
 */
export function rotateGrantKey({ grace, mustBeConfirmed, ...use }: GrantRotation): Compiled<GrantRow | undefined> {
  const values = { ...use, repeatedSince: use.now - grace, unconfirmed: mustBeConfirmed ? 0 : 1 };
  const turning = query(
    rotate(values),
    ([row]) =>
      row && {
        user: Number(row.user),
        host: String(row.host),
        level: levelIn(row.level),
        types: typesIn(row.types),
      },
  );
  return { ...turning, statements: [...turning.statements, endUnlessRepeated(values)] };
}

/** Ends the grants that meet the condition. Its result: was there any? */
function ending<Values extends Readonly<Record<string, unknown>>>(condition: SQL) {
  const deletion = prepared(() => sql`delete from ${oauthGrants} where ${condition} returning ${oauthGrants.id}`);
  return (values: Values): Compiled<boolean> => query(deletion(values), (rows) => rows.length > 0);
}

export const endGrant = ending<{ grant: string; clientId: string | null }>(sql`${isGrant} and ${isOfClient}`);
/** @param user number of the row */
export const endOwnGrant = ending<{ grant: string; user: number }>(
  sql`${isGrant} and ${oauthGrants.user} = ${documentId}`,
);

export interface ListedGrant {
  readonly id: string;
  readonly clientId: string;
  readonly host: string;
  readonly name: string;
  readonly level: Level;
  readonly types: readonly string[] | null;
  readonly createdAt: number;
  /** That of an hour is noted once; null if it was never used. */
  readonly lastUsedAt: number | null;
}

const selectOwn = prepared(
  () => sql`
    select
      ${oauthGrants.id}, ${oauthGrants.clientId} as "client_id", ${oauthGrants.host}, ${oauthGrants.name},
      ${oauthGrants.level}, ${oauthGrants.types}, ${oauthGrants.createdAt} as "created_at",
      ${oauthGrants.lastUsedAt} as "last_used_at"
    from ${oauthGrants}
    where ${oauthGrants.user} = ${documentId} and ${oauthGrants.expiresAt} > ${sql.placeholder('now')}
    order by ${oauthGrants.createdAt} desc, ${oauthGrants.id} desc`,
);

/** Reads the grants of a user, the latest first. @param user number of the row */
export const grantsOfUser = (user: number, now: number): Compiled<readonly ListedGrant[]> =>
  query(selectOwn({ user, now }), (rows) =>
    rows.map((row) => ({
      id: String(row.id),
      clientId: String(row.client_id),
      host: String(row.host),
      name: String(row.name),
      level: levelIn(row.level),
      types: typesIn(row.types),
      createdAt: Number(row.created_at),
      lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
    })),
  );
