/**
 * @module Sessions of signed-in users as rows, one for each sign-in: what opens, turns and ends them. A session has one
 * key at a time, which its refresh token carries; the row has the key's hash.
 */
import type { RefreshClaims } from '../auth/jwt.ts';
import { hashCode, newKey, newSessionId } from '../auth/secrets.ts';
import { type Settings, secondsOf } from '../config.ts';
import { invalid } from '../errors.ts';
import type { InputData } from '../request/body.ts';
import type { Statement } from '../sql/statement.ts';

export interface Session {
  readonly id: string;
  readonly key: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
}

/** Of one user; a new one ends the oldest beyond. */
export const MOST_SESSIONS = 100;
const LONGEST_DEVICE_ID = 255;
/** Rows of sessions that have run out, cleared away whenever one is opened. */
const CLEARED = 100;

const ROW = `"document_id" = ? and "locale" = '' and "published_at" is not null`;

/** @throws ApiError 400 for one that is too long; what is no text names no device, as in the reference. */
export function deviceIdOf({ deviceId }: InputData): string | null {
  if (typeof deviceId !== 'string' || deviceId === '') return null;
  if (deviceId.length <= LONGEST_DEVICE_ID) return deviceId;
  const message = `deviceId must be at most ${LONGEST_DEVICE_ID} characters`;
  throw invalid(message, { errors: [{ path: ['deviceId'], message, name: 'ValidationError' }] });
}

export const newSession = (deviceId: string | null, deviceName: string | null): Session => ({
  id: newSessionId(),
  key: newKey(),
  deviceId,
  deviceName,
});

interface Lifespan {
  readonly idle: number;
  readonly most: number;
}

/** In milliseconds. */
function lifespanOf({ users }: Settings): Lifespan {
  const { idleRefreshTokenLifespan, maxRefreshTokenLifespan } = users.sessions;
  const most = secondsOf(maxRefreshTokenLifespan) * 1000;
  return { idle: Math.min(secondsOf(idleRefreshTokenLifespan) * 1000, most), most };
}

/** When a session that is opened now ends, unless it is refreshed. */
export const endOf = (now: number, settings: Settings): number => now + lifespanOf(settings).idle;

const clearExpired = (now: number): Statement => ({
  sql: `delete from "strapi_sessions" where "id" in (select "id" from "strapi_sessions" where "expires_at" <= ? limit ${CLEARED})`,
  params: [now],
});

const clearOldest = (documentId: string): Statement => {
  const user = `(select "id" from "up_users" where ${ROW})`;
  return {
    sql: `delete from "strapi_sessions" where "user_id" = ${user} and "id" not in (select "id" from "strapi_sessions" where "user_id" = ${user} order by "updated_at" desc, "id" desc limit ${MOST_SESSIONS - 1})`,
    params: [documentId, documentId],
  };
};

export interface Opening {
  /** documentId of the user. */
  readonly user: string;
  /** When the password was changed last, as far as the caller knows: a later change keeps the session from opening. */
  readonly changedAt: number;
  readonly now: number;
}

/** The last statement has a row if the session was opened: not for a user who was blocked or deleted meanwhile. */
export function openSession(session: Session, opening: Opening, settings: Settings): readonly Statement[] {
  const { user, changedAt, now } = opening;
  const { id, key, deviceId, deviceName } = session;
  const insert: Statement = {
    sql: `insert into "strapi_sessions" ("document_id", "locale", "published_at", "created_at", "updated_at", "user_id", "device_id", "device_name", "key_hash", "expires_at", "absolute_expires_at") select ?1, '', ?2, ?2, ?2, "id", ?3, ?4, ?5, ?6, ?7 from "up_users" where "document_id" = ?8 and "locale" = '' and "published_at" is not null and coalesce("blocked", 0) = 0 and coalesce("password_changed_at", 0) = ?9 returning "id"`,
    params: [
      id,
      now,
      deviceId,
      deviceName,
      hashCode(key),
      endOf(now, settings),
      now + lifespanOf(settings).most,
      user,
      changedAt,
    ],
  };
  return [clearExpired(now), clearOldest(user), insert];
}

/**
 * Gives a session its next key and more time. The first statement has a row if the key was the session's own. A key
 * that was used before is in two hands, so the second one ends its session; also one that has run out, or whose user
 * may no longer sign in.
 */
export function turnSession(claims: RefreshClaims, key: string, now: number, settings: Settings): readonly Statement[] {
  const { id, session, key: used } = claims;
  const hash = hashCode(key);
  const unconfirmed = settings.users.emailConfirmation ? 0 : 1;
  return [
    {
      sql: `update "strapi_sessions" set "key_hash" = ?, "updated_at" = ?, "expires_at" = min(?, "absolute_expires_at") where ${ROW} and "user_id" = ? and "key_hash" = ? and "expires_at" > ? and exists (select 1 from "up_users" where "id" = ? and coalesce("blocked", 0) = 0 and (? or "confirmed" = 1)) returning "expires_at", (select coalesce("password_changed_at", 0) from "up_users" where "id" = ?) as "changed_at"`,
      params: [hash, now, endOf(now, settings), session, id, hashCode(used), now, id, unconfirmed, id],
    },
    {
      sql: `delete from "strapi_sessions" where ${ROW} and "user_id" = ? and "key_hash" <> ?`,
      params: [session, id, hash],
    },
  ];
}

/** The statement has a row if there was such a session of the user. */
export const endSession = (user: number, session: string): Statement => ({
  sql: `delete from "strapi_sessions" where ${ROW} and "user_id" = ? returning "id"`,
  params: [session, user],
});

export const endSessionsOn = (user: number, deviceId: string): Statement => ({
  sql: 'delete from "strapi_sessions" where "user_id" = ? and "device_id" = ?',
  params: [user, deviceId],
});

export const endSessions = (user: number): Statement => ({
  sql: 'delete from "strapi_sessions" where "user_id" = ?',
  params: [user],
});

/** Ends the sessions of a user who is blocked by now. */
export const endSessionsIfBlocked = (user: number): Statement => ({
  sql: 'delete from "strapi_sessions" where "user_id" = ? and exists (select 1 from "up_users" where "id" = ? and "blocked" = 1)',
  params: [user, user],
});

export const listSessions = (user: number, now: number): Statement => ({
  sql: `select "document_id", "device_id", "device_name", "created_at", "updated_at" from "strapi_sessions" where "user_id" = ? and "expires_at" > ? order by "updated_at" desc, "id" desc limit ${MOST_SESSIONS}`,
  params: [user, now],
});
