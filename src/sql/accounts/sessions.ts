/**
 * @module Sessions of signed-in users, one row for each sign-in. A session has one key at a time: its refresh token has
 * the key, and the row has the key's hash. Times are milliseconds since 1970.
 */
import { and, desc, eq, gt, gte, lte, not, or, type SQL, sql } from 'drizzle-orm';
import type { Compiled } from '../compiled.ts';
import { integer } from '../pieces.ts';
import { db, named, prepared } from '../prepared.ts';
import type { Statement } from '../statement.ts';
import { sessions, users } from '../system-tables.ts';
import { isOnlyRow } from '../versions.ts';

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
const isOfUser = eq(sessions.userId, sql.placeholder('user'));
const isOwn = and(isSession, isOfUser);

const endExpired = prepared(() =>
  db.delete(sessions).where(sql`${sessions.id} in (
    select ${sessions.id}
    from ${sessions}
    where ${lte(sessions.expiresAt, sql.placeholder('now'))}
    limit ${integer(MAX_EXPIRED)}
  )`),
);

const userId = sql<number>`(select ${users.id} from ${users} where ${isOnlyRow(sql.placeholder('user'), users)})`;

/** Another Worker, whose clock was ahead, may have created the user. */
const userCreatedAt = sql`(select ${users.createdAt} from ${users} where ${isOnlyRow(sql.placeholder('user'), users)})`;

const endOldest = prepared(() =>
  db.delete(sessions).where(sql`${sessions.userId} = ${userId} and ${sessions.id} not in (
    select ${sessions.id}
    from ${sessions}
    where ${sessions.userId} = ${userId}
    order by ${sessions.updatedAt} desc, ${sessions.id} desc
    limit ${integer(MAX_SESSIONS - 1)}
  )`),
);

const open = prepared(() =>
  db.insert(sessions).values({
    documentId: sql.placeholder('id'),
    locale: '',
    publishedAt: sql.placeholder('now'),
    createdAt: sql`max(${sql.placeholder('now')}, coalesce(${userCreatedAt}, 0))`,
    updatedAt: sql.placeholder('now'),
    userId,
    deviceId: sql.placeholder('deviceId'),
    deviceName: sql.placeholder('deviceName'),
    keyHash: sql.placeholder('keyHash'),
    expiresAt: sql.placeholder('expiresAt'),
    absoluteExpiresAt: sql.placeholder('absoluteExpiresAt'),
  }),
);

/** The same batch may insert the user's row before. */
export const openSession = (session: NewSession): readonly Statement[] =>
  [endExpired, endOldest, open].map(({ statement }) => statement({ ...session }));

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

const isUsed = eq(sessions.keyHash, sql.placeholder('usedHash'));
const isRepeated = sql`(${eq(sessions.keyHash, sql.placeholder('nextHash'))} and ${gte(sessions.updatedAt, sql.placeholder('repeatedSince'))})`;
const mayRotate = sql`exists (
  select 1
  from ${users}
  where ${eq(users.id, sql.placeholder('user'))}
    and coalesce(${users.blocked}, 0) = 0
    and (${sql.placeholder('confirmed')} or ${users.confirmed} = 1)
    and coalesce(${users.createdAt}, 0) <= ${sessions.createdAt}
)`;

const rotateKey = prepared(() =>
  db
    .update(sessions)
    .set({
      updatedAt: sql`iif(${isUsed}, ${sql.placeholder('now')}, ${sessions.updatedAt})`,
      expiresAt: sql`iif(${isUsed}, min(${sql.placeholder('expiresAt')}, ${sessions.absoluteExpiresAt}), ${sessions.expiresAt})`,
      keyHash: sql`${sql.placeholder('nextHash')}`,
    })
    .where(and(isOwn, or(isUsed, isRepeated), gt(sessions.expiresAt, sql.placeholder('now')), mayRotate))
    .returning(
      named({
        expiresAt: sql<number>`coalesce(${sessions.expiresAt}, 0)`,
        changedAt: sql<number>`(
          select max(coalesce(${users.passwordChangedAt}, 0), coalesce(${users.createdAt}, 0))
          from ${users}
          where ${eq(users.id, sql.placeholder('user'))}
        )`,
      }),
    ),
);

const endUnlessRepeated = prepared(() => db.delete(sessions).where(and(isOwn, not(isRepeated))));

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
  const turning = rotateKey.read(values, ([row]) => row);
  return { ...turning, statements: [...turning.statements, endUnlessRepeated.statement(values)] };
}

/** Ends the sessions that meet the condition. Its result: was there any? */
function ending<Values extends Readonly<Record<string, unknown>>>(condition: SQL | undefined) {
  const deletion = db.delete(sessions).where(condition);
  const { read } = prepared(() => deletion.returning(named({ id: sessions.id })));
  return (values: Values): Compiled<boolean> => read(values, (rows) => rows.length > 0);
}

const isOnDevice = eq(sessions.deviceId, sql.placeholder('deviceId'));
const isBlocked = sql`exists (
  select 1
  from ${users}
  where ${eq(users.id, sql.placeholder('user'))} and ${users.blocked} = 1
)`;

export const endSession = ending<{ user: number; session: string }>(isOwn);
export const endSessions = ending<{ user: number }>(isOfUser);
export const endSessionsOn = ending<{ user: number; deviceId: string }>(and(isOfUser, isOnDevice));
export const endSessionsIfBlocked = ending<{ user: number }>(and(isOfUser, isBlocked));

const endOthers = prepared(() => db.delete(sessions).where(and(isOfUser, not(isSession))));

const keep = prepared(() =>
  db
    .update(sessions)
    .set({
      keyHash: sql`${sql.placeholder('keyHash')}`,
      updatedAt: sql`${sql.placeholder('now')}`,
      deviceId: sql`coalesce(${sql.placeholder('deviceId')}, ${sessions.deviceId})`,
      expiresAt: sql`min(${sql.placeholder('expiresAt')}, ${sessions.absoluteExpiresAt})`,
    })
    .where(isOwn),
);

/** Ends all sessions of a user except one, which gets new values; its absolute end stays. */
export const keepOneSession = (user: number, { id, ...kept }: NewSession): readonly Statement[] =>
  [endOthers, keep].map(({ statement }) => statement({ ...kept, user, session: id }));

export interface SessionRow {
  readonly id: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const current = prepared(() =>
  db
    .select(
      named({
        id: sessions.documentId,
        deviceId: sessions.deviceId,
        deviceName: sessions.deviceName,
        createdAt: sql<number>`coalesce(${sessions.createdAt}, 0)`,
        updatedAt: sql<number>`coalesce(${sessions.updatedAt}, 0)`,
      }),
    )
    .from(sessions)
    .where(and(isOfUser, gt(sessions.expiresAt, sql.placeholder('now'))))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id)),
);

/** Reads the unexpired sessions, the last used first. */
export const sessionsOf = (user: number, now: number): Compiled<readonly SessionRow[]> =>
  current.read({ user, now }, (rows) => rows);
