/**
 * @module Sessions of signed-in users as rows, one for each sign-in. A session has one key at a time, which its refresh
 * token carries; the row has the key's hash.
 */
import { type SQL, sql } from 'drizzle-orm';
import { asked, type Compiled } from './compiled.ts';
import { toStatement } from './render.ts';
import { integer, type Statement } from './statement.ts';
import { isOnlyRow } from './versions.ts';

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

/** The user's row may be written in the same batch. */
export function openSession(session: NewSession): readonly Statement[] {
  const { id, keyHash, deviceId, deviceName, now, expiresAt, absoluteExpiresAt } = session;
  const user = sql`(select "id" from "up_users" where ${isOnlyRow(session.user)})`;
  const newest = sql`
    select "id" from "strapi_sessions" where "user_id" = ${user}
    order by "updated_at" desc, "id" desc limit ${integer(MOST_SESSIONS - 1)}`;
  const expired = sql`select "id" from "strapi_sessions" where "expires_at" <= ${now} limit ${integer(CLEARED)}`;
  const statements = [
    sql`delete from "strapi_sessions" where "id" in (${expired})`,
    sql`delete from "strapi_sessions" where "user_id" = ${user} and "id" not in (${newest})`,
    sql`
      insert into "strapi_sessions"
        ("document_id", "locale", "published_at", "created_at", "updated_at", "user_id",
          "device_id", "device_name", "key_hash", "expires_at", "absolute_expires_at")
      values
        (${id}, '', ${now}, ${now}, ${now}, ${user},
          ${deviceId}, ${deviceName}, ${keyHash}, ${expiresAt}, ${absoluteExpiresAt})`,
  ];
  return statements.map(toStatement);
}

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

/**
 * Gives a session its next key and more time. The key that was used last gets the same next one again within the grace.
 * Any other key that was used is in two hands and ends its session, also within the grace: the one that followed it was
 * used, so its response was not lost. So does a key that has run out, and one of a session from before the user was there.
 * @returns undefined when the session was not turned.
 */
export function turnSession(turn: Turn): Compiled<Turned | undefined> {
  const { session, user, usedHash, nextHash, now, expiresAt, grace, mustBeConfirmed } = turn;
  const own = sql`${isOnlyRow(session)} and "user_id" = ${user}`;
  const isUsed = sql`"key_hash" = ${usedHash}`;
  const isRepeated = sql`"key_hash" = ${nextHash} and "updated_at" >= ${now - grace}`;
  const account = sql`
    select 1 from "up_users"
    where "id" = ${user} and coalesce("blocked", 0) = 0 and (${mustBeConfirmed ? 0 : 1} or "confirmed" = 1)
      and coalesce("up_users"."created_at", 0) <= "strapi_sessions"."created_at"`;
  const update = sql`
    update "strapi_sessions" set
      "updated_at" = iif(${isUsed}, ${now}, "updated_at"),
      "expires_at" = iif(${isUsed}, min(${expiresAt}, "absolute_expires_at"), "expires_at"),
      "key_hash" = ${nextHash}
    where ${own} and (${isUsed} or (${isRepeated})) and "expires_at" > ${now} and exists (${account})
    returning "expires_at",
      (select coalesce("password_changed_at", 0) from "up_users" where "id" = ${user}) as "changed_at"`;
  const end = sql`delete from "strapi_sessions" where ${own} and not (${isRepeated})`;
  return {
    statements: [update, end].map(toStatement),
    decode([rows = []]) {
      const [row] = rows;
      return row && { expiresAt: Number(row.expires_at), changedAt: Number(row.changed_at) };
    },
  };
}

const deleted = (which: SQL): Compiled<boolean> =>
  asked(toStatement(sql`delete from "strapi_sessions" where ${which} returning "id"`), (rows) => rows.length > 0);

/** @returns was there such a session of the user? */
export const endSession = (user: number, session: string): Compiled<boolean> =>
  deleted(sql`${isOnlyRow(session)} and "user_id" = ${user}`);

/** @returns was there any? */
export const endSessionsOn = (user: number, deviceId: string): Compiled<boolean> =>
  deleted(sql`"user_id" = ${user} and "device_id" = ${deviceId}`);

/** @returns was there any? */
export const endSessions = (user: number): Compiled<boolean> => deleted(sql`"user_id" = ${user}`);

/**
 * Ends all sessions of a user but one, which gets another key: its refresh token from before is that of nobody.
 * @param kept named as a session that is opened; its times are not moved beyond its end.
 */
export function keepOneSession(user: number, kept: NewSession): readonly Statement[] {
  const { id, keyHash, deviceId, now, expiresAt } = kept;
  const own = sql`${isOnlyRow(id)} and "user_id" = ${user}`;
  return [
    sql`delete from "strapi_sessions" where "user_id" = ${user} and not (${isOnlyRow(id)})`,
    sql`
      update "strapi_sessions" set
        "key_hash" = ${keyHash}, "updated_at" = ${now}, "device_id" = coalesce(${deviceId}, "device_id"),
        "expires_at" = min(${expiresAt}, "absolute_expires_at")
      where ${own}`,
  ].map(toStatement);
}

/** Ends the sessions of a user who is blocked by now. @returns was there any? */
export const endSessionsIfBlocked = (user: number): Compiled<boolean> =>
  deleted(sql`"user_id" = ${user} and exists (select 1 from "up_users" where "id" = ${user} and "blocked" = 1)`);

export interface SessionRow {
  readonly id: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Those that have not run out, by their last use. */
export const sessionsOf = (user: number, now: number): Compiled<readonly SessionRow[]> =>
  asked(
    toStatement(sql`
      select "document_id", "device_id", "device_name", "created_at", "updated_at" from "strapi_sessions"
      where "user_id" = ${user} and "expires_at" > ${now}
      order by "updated_at" desc, "id" desc limit ${integer(MOST_SESSIONS)}`),
    (rows) =>
      rows.map((row) => ({
        id: String(row.document_id),
        deviceId: row.device_id as string | null,
        deviceName: row.device_name as string | null,
        createdAt: Number(row.created_at),
        updatedAt: Number(row.updated_at),
      })),
  );
