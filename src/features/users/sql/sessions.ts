/**
 * @module Sessions of signed-in users, one row for each sign-in. A session has one key at a time: its refresh token has
 * the key, and the row has the key's hash. Times are milliseconds since 1970.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type Compiled, query } from '../../../content/sql/compiled.ts';
import { integer } from '../../../content/sql/pieces.ts';
import { prepared } from '../../../content/sql/prepared.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { sessions, users } from '../../../content/sql/system-tables.ts';
import { isOnlyRow } from '../../../content/sql/versions.ts';

/** Sessions of a user; a sign-in ends the oldest ones. */
const MAX_SESSIONS = 100;
/** Expired sessions that one sign-in deletes. */
const MAX_EXPIRED = 100;

export interface NewSession {
  readonly id: string;
  readonly keyHash: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  /** documentId of the user. */
  readonly user: string;
  readonly now: number;
  readonly expiresAt: number;
  /** The end, however often the session is refreshed. */
  readonly absoluteExpiresAt: number;
}

const isSession = isOnlyRow(sql.placeholder('session'), sessions);
const isOfUser = sql`${sessions.userId} = ${sql.placeholder('user')}`;
const isOwn = sql`${isSession} and ${isOfUser}`;

const endExpired = prepared(
  () => sql`
    delete from ${sessions}
    where ${sessions.id} in (
      select ${sessions.id}
      from ${sessions}
      where ${sessions.expiresAt} <= ${sql.placeholder('now')}
      limit ${integer(MAX_EXPIRED)}
    )`,
);

const userId = sql`(select ${users.id} from ${users} where ${isOnlyRow(sql.placeholder('user'), users)})`;

/** Another Worker, whose clock was ahead, may have created the user. */
const userCreatedAt = sql`(select ${users.createdAt} from ${users} where ${isOnlyRow(sql.placeholder('user'), users)})`;

const endOldest = prepared(
  () => sql`
    delete from ${sessions}
    where ${sessions.userId} = ${userId} and ${sessions.id} not in (
      select ${sessions.id}
      from ${sessions}
      where ${sessions.userId} = ${userId}
      order by ${sessions.updatedAt} desc, ${sessions.id} desc
      limit ${integer(MAX_SESSIONS - 1)}
    )`,
);

const open = prepared(
  () => sql`
    insert into ${sessions} (
      "document_id", "locale", "published_at", "created_at", "updated_at", "user_id",
      "device_id", "device_name", "key_hash", "expires_at", "absolute_expires_at"
    ) values (
      ${sql.placeholder('id')}, '', ${sql.placeholder('now')},
      max(${sql.placeholder('now')}, coalesce(${userCreatedAt}, 0)), ${sql.placeholder('now')}, ${userId},
      ${sql.placeholder('deviceId')}, ${sql.placeholder('deviceName')}, ${sql.placeholder('keyHash')},
      ${sql.placeholder('expiresAt')}, ${sql.placeholder('absoluteExpiresAt')}
    )`,
);

/** The same batch may insert the user's row before. */
export const openSession = (session: NewSession): readonly Statement[] =>
  [endExpired, endOldest, open].map((statement) => statement({ ...session }));

/** The use of a refresh token. */
export interface KeyRotation {
  readonly session: string;
  /** Number of the user's row. */
  readonly user: number;
  /** Hashes of the key that was sent, and of its successor. */
  readonly usedHash: string;
  readonly nextHash: string;
  readonly now: number;
  readonly expiresAt: number;
  /** Milliseconds in which the same key may be used again. */
  readonly grace: number;
  readonly mustBeConfirmed: boolean;
}

export interface RotatedSession {
  readonly expiresAt: number;
  /** Tokens from before this time are rejected. */
  readonly changedAt: number;
}

const isUsed = sql`${sessions.keyHash} = ${sql.placeholder('usedHash')}`;
const isRepeated = sql`(
  ${sessions.keyHash} = ${sql.placeholder('nextHash')} and ${sessions.updatedAt} >= ${sql.placeholder('repeatedSince')}
)`;
const mayRotate = sql`exists (
  select 1
  from ${users}
  where ${users.id} = ${sql.placeholder('user')}
    and coalesce(${users.blocked}, 0) = 0
    and (${sql.placeholder('confirmed')} or ${users.confirmed} = 1)
    and coalesce(${users.createdAt}, 0) <= ${sessions.createdAt}
)`;

const rotateKey = prepared(
  () => sql`
    update ${sessions} set
      "updated_at" = iif(${isUsed}, ${sql.placeholder('now')}, ${sessions.updatedAt}),
      "expires_at" = iif(
        ${isUsed}, min(${sql.placeholder('expiresAt')}, ${sessions.absoluteExpiresAt}), ${sessions.expiresAt}
      ),
      "key_hash" = ${sql.placeholder('nextHash')}
    where ${isOwn} and (${isUsed} or ${isRepeated}) and ${sessions.expiresAt} > ${sql.placeholder('now')} and ${mayRotate}
    returning
      coalesce(${sessions.expiresAt}, 0) as "expires_at",
      (
        select max(coalesce(${users.passwordChangedAt}, 0), coalesce(${users.createdAt}, 0))
        from ${users}
        where ${users.id} = ${sql.placeholder('user')}
      ) as "changed_at"`,
);

const endUnlessRepeated = prepared(() => sql`delete from ${sessions} where ${isOwn} and not ${isRepeated}`);

/**
 * Gives a session its next key and a later end. Within the grace the last used key gets the same next key again. Any
 * other used key ends its session, since two parties know it: its successor was used, so the response was not lost. An
 * expired key, and one of a session older than the user, ends its session too; the result is undefined.
 */
export function rotateRefreshKey({
  grace,
  mustBeConfirmed,
  ...use
}: KeyRotation): Compiled<RotatedSession | undefined> {
  const values = { ...use, repeatedSince: use.now - grace, confirmed: mustBeConfirmed ? 0 : 1 };
  const turning = query(
    rotateKey(values),
    ([row]) => row && { expiresAt: Number(row.expires_at), changedAt: Number(row.changed_at) },
  );
  return { ...turning, statements: [...turning.statements, endUnlessRepeated(values)] };
}

/** Ends the sessions that meet the condition. Its result: was there any? */
function ending<Values extends Readonly<Record<string, unknown>>>(condition: SQL) {
  const deletion = prepared(() => sql`delete from ${sessions} where ${condition} returning ${sessions.id}`);
  return (values: Values): Compiled<boolean> => query(deletion(values), (rows) => rows.length > 0);
}

const isOnDevice = sql`${sessions.deviceId} = ${sql.placeholder('deviceId')}`;
const isBlocked = sql`exists (
  select 1
  from ${users}
  where ${users.id} = ${sql.placeholder('user')} and ${users.blocked} = 1
)`;

export const endSession = ending<{ user: number; session: string }>(isOwn);
export const endSessions = ending<{ user: number }>(isOfUser);
export const endSessionsOn = ending<{ user: number; deviceId: string }>(sql`${isOfUser} and ${isOnDevice}`);
export const endSessionsIfBlocked = ending<{ user: number }>(sql`${isOfUser} and ${isBlocked}`);

const endOthers = prepared(() => sql`delete from ${sessions} where ${isOfUser} and not ${isSession}`);

const keep = prepared(
  () => sql`
    update ${sessions} set
      "key_hash" = ${sql.placeholder('keyHash')},
      "updated_at" = ${sql.placeholder('now')},
      "device_id" = coalesce(${sql.placeholder('deviceId')}, ${sessions.deviceId}),
      "expires_at" = min(${sql.placeholder('expiresAt')}, ${sessions.absoluteExpiresAt})
    where ${isOwn}`,
);

/** Ends all sessions of a user except one, which gets new values; its absolute end stays. */
export const keepOneSession = (user: number, { id, ...kept }: NewSession): readonly Statement[] =>
  [endOthers, keep].map((statement) => statement({ ...kept, user, session: id }));

export interface SessionRow {
  readonly id: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const current = prepared(
  () => sql`
    select
      ${sessions.documentId} as "id",
      ${sessions.deviceId} as "device_id",
      ${sessions.deviceName} as "device_name",
      coalesce(${sessions.createdAt}, 0) as "created_at",
      coalesce(${sessions.updatedAt}, 0) as "updated_at"
    from ${sessions}
    where ${isOfUser} and ${sessions.expiresAt} > ${sql.placeholder('now')}
    order by ${sessions.updatedAt} desc, ${sessions.id} desc`,
);

/** Reads the unexpired sessions, the last used first. */
export const sessionsOf = (user: number, now: number): Compiled<readonly SessionRow[]> =>
  query(current({ user, now }), (rows) =>
    rows.map((row) => ({
      id: String(row.id),
      deviceId: row.device_id as string | null,
      deviceName: row.device_name as string | null,
      createdAt: Number(row.created_at),
      updatedAt: Number(row.updated_at),
    })),
  );
