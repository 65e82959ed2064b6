/**
 * @module `POST /api/auth/refresh` and `/logout`, `GET /api/auth/sessions`, `DELETE /api/auth/sessions/:id`. Where
 * tokens are long-lived there are no sessions, and these paths are a 404.
 */
import type { Credential } from '../auth/credential.ts';
import { type RefreshClaims, readRefreshToken } from '../auth/jwt.ts';
import { nextKey } from '../auth/secrets.ts';
import type { User } from '../auth/user-token.ts';
import { ApiError, notFound, unauthorized } from '../errors.ts';
import type { Change } from '../execute/caller.ts';
import { type Compiled, mapped } from '../sql/compiled.ts';
import {
  endSession,
  endSessions,
  endSessionsOn,
  type SessionRow,
  sessionsOf,
  type Turned,
  turnSession,
} from '../sql/sessions.ts';
import { asGranted, readAs, type UserCall } from './call.ts';
import { deviceIdOf, turned } from './sessions.ts';
import { sessionTokens, type Tokens, usesSessions } from './tokens.ts';

/** @throws ApiError 404 where tokens are long-lived. */
function refuseLongLived(call: UserCall): void {
  if (!usesSessions(call)) throw notFound();
}

/** @throws ApiError 401 for callers that have no sessions. */
function userOf(credential: Credential): User {
  if (credential.kind !== 'user') throw unauthorized('Missing authentication');
  return credential;
}

/** A refresh token from the cookie or else from the body. */
function sentToken({ refreshCookie, body }: UserCall): string | undefined {
  if (refreshCookie) return refreshCookie;
  const { refreshToken } = body();
  return typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : undefined;
}

/** A change of sessions that tells by its own rows what it came to. */
const changing = <T>(result: Compiled<T>): Change<T> => ({ statements: [], result, touched: [] });

interface Refreshed {
  readonly claims: RefreshClaims;
  readonly key: string;
  readonly turned: Turned;
}

function refreshing(call: UserCall, claims: RefreshClaims | undefined): Compiled<Refreshed> {
  const { jwtSecret, now, settings } = call;
  // Without a secret no token is valid.
  if (!claims || !jwtSecret) throw unauthorized('Invalid refresh token');
  const key = nextKey(claims.session, claims.key, jwtSecret);
  return mapped(turnSession(turned(claims, key, now, settings)), (found) => {
    if (!found) throw unauthorized('Invalid refresh token');
    return { claims, key, turned: found };
  });
}

/**
 * New tokens for a refresh token, which works once; within `refreshTokenGrace`, and until the next one is used, it gets
 * the same next one again.
 * @throws ApiError 401 when it is not valid, has run out, or was used before; the last of these ends its session.
 */
export async function refreshTokens(call: UserCall): Promise<Tokens> {
  const refreshed = await asGranted(call, 'auth.refresh', async (caller) => {
    refuseLongLived(call);
    const sent = sentToken(call);
    if (sent === undefined) throw new ApiError({ kind: 'bad-request', message: 'Missing refresh token' });
    return caller.write(changing(refreshing(call, await readRefreshToken(sent, call.jwtSecret))));
  });
  const { claims, key, turned: found } = refreshed;
  return sessionTokens(call, claims.id, found.changedAt, { id: claims.session, key }, found.expiresAt);
}

/** Whose refresh token it is that came along tells which session is meant; else it is that of the access token. */
async function endingOf(call: UserCall, user: User): Promise<Compiled<unknown>> {
  const { scope } = call.body();
  const deviceId = deviceIdOf(call.body());
  if (scope === 'all') return endSessions(user.id);
  if (deviceId !== null) return endSessionsOn(user.id, deviceId);
  const token = sentToken(call);
  const claims = token === undefined ? undefined : await readRefreshToken(token, call.jwtSecret);
  const session = claims?.id === user.id ? claims.session : user.session;
  return session === null ? endSessions(user.id) : endSession(user.id, session);
}

/** Ends the caller's session, those on a device (`deviceId`), or all (`scope: 'all'`). */
export const logout = (call: UserCall): Promise<{ readonly ok: true }> =>
  asGranted(call, 'auth.logout', async (caller) => {
    refuseLongLived(call);
    const user = userOf(caller.credential);
    deviceIdOf(call.body());
    return caller.write(changing(mapped(await endingOf(call, user), () => ({ ok: true }) as const)));
  });

const isoOf = (time: number): string => new Date(time).toISOString();

const told = ({ id, deviceId, deviceName, createdAt, updatedAt }: SessionRow, current: string | null) => ({
  id,
  ...(deviceId !== null && { deviceId }),
  ...(deviceName !== null && { deviceName }),
  current: id === current,
  loginAt: isoOf(createdAt),
  lastActiveAt: isoOf(updatedAt),
});

/** The caller's sessions: that of the request first, then by their last refresh. */
export async function listSessions(call: UserCall) {
  const data = await readAs(call, 'auth.getSessions', (caller) => {
    refuseLongLived(call);
    const user = userOf(caller.credential);
    return mapped(sessionsOf(user.id, call.now), (rows) => {
      const sessions = rows.map((row) => told(row, user.session));
      return [...sessions.filter(({ current }) => current), ...sessions.filter(({ current }) => !current)];
    });
  });
  return { data };
}

/** Ends one of the caller's own sessions. @throws ApiError 404 for any other. */
export const revokeSession = (call: UserCall): Promise<{ readonly data: object }> =>
  asGranted(call, 'auth.revokeSession', async (caller) => {
    refuseLongLived(call);
    const user = userOf(caller.credential);
    const wasThere = await caller.write(changing(endSession(user.id, call.id)));
    if (!wasThere) throw notFound('Session not found');
    return { data: {} };
  });
