/**
 * @module Sessions of signed-in users as rows, one for each sign-in. A session has one key at a time, which its refresh
 * token carries; the row has the key's hash.
 */
import { and, desc, eq, exists, gt, gte, inArray, lte, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { type Compiled, mapped, together } from '../compiled.ts';
import { db, named, prepared, rowsAtMost } from '../prepared.ts';
import type { Statement } from '../statement.ts';
import { sessions, users } from '../system-tables.ts';
import { isOnlyRow } from '../versions.ts';

/** Of one user; a new one ends the oldest beyond. */
const MOST_SESSIONS = 100;
/** Rows of sessions that have run out, cleared away whenever one is opened. */
const CLEARED = 100;

/** A session that is opened. Times are milliseconds since 1970. */
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

const endExpired = prepared(
  db.delete(sessions).where(
    inArray(
      sessions.id,
      db
        .select({ id: sessions.id })
        .from(sessions)
        .where(lte(sessions.expiresAt, sql.placeholder('now')))
        .limit(rowsAtMost(CLEARED)),
    ),
  ),
);

const userNamed = sql<number>`(select ${users.id} from ${users} where ${isOnlyRow(sql.placeholder('user'), users)})`;

const endOldest = prepared(
  db.delete(sessions).where(
    and(
      eq(sessions.userId, userNamed),
      notInArray(
        sessions.id,
        db
          .select({ id: sessions.id })
          .from(sessions)
          .where(eq(sessions.userId, userNamed))
          .orderBy(desc(sessions.updatedAt), desc(sessions.id))
          .limit(rowsAtMost(MOST_SESSIONS - 1)),
      ),
    ),
  ),
);

const open = prepared(
  db.insert(sessions).values({
    documentId: sql.placeholder('id'),
    locale: '',
    publishedAt: sql.placeholder('now'),
    createdAt: sql.placeholder('now'),
    updatedAt: sql.placeholder('now'),
    userId: userNamed,
    deviceId: sql.placeholder('deviceId'),
    deviceName: sql.placeholder('deviceName'),
    keyHash: sql.placeholder('keyHash'),
    expiresAt: sql.placeholder('expiresAt'),
    absoluteExpiresAt: sql.placeholder('absoluteExpiresAt'),
  }),
);

/** The user's row may be written in the same batch. */
export const openSession = (session: NewSession): readonly Statement[] =>
  [endExpired, endOldest, open].map(({ statement }) => statement({ ...session }));

/** The use of a refresh token. */
export interface Turn {
  readonly session: string;
  /** Number of the user's row. */
  readonly user: number;
  /** Hash of the key that was sent, and of the one that follows it. */
  readonly usedHash: string;
  readonly nextHash: string;
  readonly now: number;
  readonly expiresAt: number;
  /** Milliseconds in which the same key may come once more. */
  readonly grace: number;
  readonly mustBeConfirmed: boolean;
}

export interface Turned {
  readonly expiresAt: number;
  /** When the user's password was changed last. */
  readonly changedAt: number;
}

const isUsed = eq(sessions.keyHash, sql.placeholder('usedHash'));
const isRepeated = sql`(${eq(sessions.keyHash, sql.placeholder('nextHash'))} and ${gte(sessions.updatedAt, sql.placeholder('repeatedSince'))})`;
const mayTurn = db
  .select({ one: sql`1` })
  .from(users)
  .where(
    and(
      eq(users.id, sql.placeholder('user')),
      sql`coalesce(${users.blocked}, 0) = 0`,
      sql`(${sql.placeholder('confirmed')} or ${users.confirmed} = 1)`,
      sql`coalesce(${users.createdAt}, 0) <= ${sessions.createdAt}`,
    ),
  );

const turn = prepared(
  db
    .update(sessions)
    .set({
      updatedAt: sql`iif(${isUsed}, ${sql.placeholder('now')}, ${sessions.updatedAt})`,
      expiresAt: sql`iif(${isUsed}, min(${sql.placeholder('expiresAt')}, ${sessions.absoluteExpiresAt}), ${sessions.expiresAt})`,
      keyHash: sql`${sql.placeholder('nextHash')}`,
    })
    .where(and(isOwn, or(isUsed, isRepeated), gt(sessions.expiresAt, sql.placeholder('now')), exists(mayTurn)))
    .returning(
      named({
        expiresAt: sessions.expiresAt,
        changedAt: sql<number>`(
          select coalesce(${users.passwordChangedAt}, 0)
          from ${users}
          where ${eq(users.id, sql.placeholder('user'))}
        )`,
      }),
    ),
);

const endUnlessRepeated = prepared(db.delete(sessions).where(and(isOwn, not(isRepeated))));

/**
 * Gives a session its next key and more time. The key that was used last gets the same next one again within the grace.
 * Any other key that was used is in two hands and ends its session, also within the grace: the one that followed it was
 * used, so its response was not lost. So does a key that has run out, and one of a session from before the user was there.
 * @returns undefined when the session was not turned.
 */
export function turnSession({ grace, mustBeConfirmed, ...use }: Turn): Compiled<Turned | undefined> {
  const values = { ...use, repeatedSince: use.now - grace, confirmed: mustBeConfirmed ? 0 : 1 };
  return mapped(
    together([
      turn.read(values, ([row]) => row && { ...row, expiresAt: row.expiresAt ?? 0 }),
      endUnlessRepeated.read(values, () => undefined),
    ]),
    ([turned]) => turned,
  );
}

const ended = (which: SQL | undefined) =>
  prepared(
    db
      .delete(sessions)
      .where(which)
      .returning(named({ id: sessions.id })),
  );

const endOwn = ended(isOwn);
const endOnDevice = ended(and(isOfUser, eq(sessions.deviceId, sql.placeholder('deviceId'))));
const endAll = ended(isOfUser);

/** @returns was there such a session of the user? */
export const endSession = (user: number, session: string): Compiled<boolean> =>
  endOwn.read({ user, session }, (rows) => rows.length > 0);

/** @returns was there any? */
export const endSessionsOn = (user: number, deviceId: string): Compiled<boolean> =>
  endOnDevice.read({ user, deviceId }, (rows) => rows.length > 0);

/** @returns was there any? */
export const endSessions = (user: number): Compiled<boolean> => endAll.read({ user }, (rows) => rows.length > 0);

const endOthers = prepared(db.delete(sessions).where(and(isOfUser, not(isSession))));

const keep = prepared(
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

/**
 * Ends all sessions of a user but one, which gets another key: its earlier refresh token is invalid.
 * @param kept named as a session that is opened; its times are not moved beyond its end.
 */
export const keepOneSession = (user: number, { id, ...kept }: NewSession): readonly Statement[] =>
  [endOthers, keep].map(({ statement }) => statement({ ...kept, user, session: id }));

const isBlocked = db
  .select({ one: sql`1` })
  .from(users)
  .where(and(eq(users.id, sql.placeholder('user')), sql`${users.blocked} = 1`));
const endBlocked = ended(and(isOfUser, exists(isBlocked)));

/** Ends the sessions of a user who is blocked by now. @returns was there any? */
export const endSessionsIfBlocked = (user: number): Compiled<boolean> =>
  endBlocked.read({ user }, (rows) => rows.length > 0);

export interface SessionRow {
  readonly id: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const current = prepared(
  db
    .select(
      named({
        id: sessions.documentId,
        deviceId: sessions.deviceId,
        deviceName: sessions.deviceName,
        createdAt: sessions.createdAt,
        updatedAt: sessions.updatedAt,
      }),
    )
    .from(sessions)
    .where(and(isOfUser, gt(sessions.expiresAt, sql.placeholder('now'))))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id))
    .limit(rowsAtMost(MOST_SESSIONS)),
);

/** Those that have not run out, by their last use. */
export const sessionsOf = (user: number, now: number): Compiled<readonly SessionRow[]> =>
  current.read({ user, now }, (rows) =>
    rows.map((row) => ({ ...row, createdAt: row.createdAt ?? 0, updatedAt: row.updatedAt ?? 0 })),
  );
