/**
 * @module `POST /api/auth/refresh` and `/logout`, `GET /api/auth/sessions`, `DELETE /api/auth/sessions/:id`. Where
 * tokens are long-lived there are no sessions, and these paths are a 404.
 */
import { type RefreshClaims, readRefreshToken } from '../auth/jwt.ts';
import { nextKey } from '../auth/secrets.ts';
import type { User } from '../auth/user-token.ts';
import { ApiError, notFound, unauthorized } from '../errors.ts';
import type { Change } from '../execute/caller.ts';
import type { AccountInput } from '../registry/account-routes.ts';
import {
  endSession,
  endSessions,
  endSessionsOn,
  type SessionRow,
  sessionsOf,
  turnSession,
} from '../sql/accounts/sessions.ts';
import { type Compiled, mapped } from '../sql/compiled.ts';
import type { UserCall } from './call.ts';
import { readAs, withAccountGrant } from './precheck.ts';
import { turned } from './sessions.ts';
import { sessionTokens, type Tokens } from './tokens.ts';

/** A refresh token from the cookie or else from the body. */
const sentToken = ({ refreshCookie }: UserCall, { refreshToken }: AccountInput<'auth.refresh'>): string | null =>
  refreshCookie ?? refreshToken;

/** A change of sessions that tells by its own rows what it came to. */
const changing = <T>(result: Compiled<T>): Change<T> => ({ statements: [], result, stamps: [] });

function refreshing(call: UserCall, claims: RefreshClaims | undefined) {
  const { jwtSecret } = call;
  // Without a secret no token is valid.
  if (!claims || !jwtSecret) throw unauthorized('Invalid refresh token');
  const key = nextKey(claims.session, claims.key, jwtSecret);
  return mapped(turnSession(turned(call, claims, key)), (found) => {
    if (!found) throw unauthorized('Invalid refresh token');
    return { claims, key, turned: found };
  });
}

/**
 * New tokens for a refresh token, which works once; within `refreshTokenGrace`, and until the next one is used, it gets
 * the same next one again.
 * @throws ApiError 401 when it is not valid, has run out, or was used before; the last of these ends its session.
 */
export async function refreshTokens(call: UserCall, sent: AccountInput<'auth.refresh'>): Promise<Tokens> {
  const refreshed = await withAccountGrant(call, 'auth.refresh', async (caller) => {
    const token = sentToken(call, sent);
    if (token === null) throw new ApiError({ kind: 'bad-request', message: 'Missing refresh token' });
    return caller.write(changing(refreshing(call, await readRefreshToken(token, call.jwtSecret))));
  });
  const { claims, key, turned: found } = refreshed;
  return sessionTokens(call, claims.id, found.changedAt, { id: claims.session, key }, found.expiresAt);
}

/** Whose refresh token it is that came along tells which session is meant; else it is that of the access token. */
async function endingOf(call: UserCall, user: User, sent: AccountInput<'auth.logout'>): Promise<Compiled<unknown>> {
  if (sent.scope === 'all') return endSessions(user.id);
  if (sent.deviceId !== null) return endSessionsOn(user.id, sent.deviceId);
  const token = sentToken(call, sent);
  const claims = token === null ? undefined : await readRefreshToken(token, call.jwtSecret);
  const session = claims?.id === user.id ? claims.session : user.session;
  return session === null ? endSessions(user.id) : endSession(user.id, session);
}

/** Ends the caller's session, those on a device (`deviceId`), or all (`scope: 'all'`). */
export const logout = (call: UserCall, sent: AccountInput<'auth.logout'>): Promise<{ readonly ok: true }> =>
  withAccountGrant(call, 'auth.logout', async (caller, user) =>
    caller.write(changing(mapped(await endingOf(call, user, sent), () => ({ ok: true }) as const))),
  );

const isoOf = (time: number): string => new Date(time).toISOString();

const sessionView = ({ id, deviceId, deviceName, createdAt, updatedAt }: SessionRow, current: string | null) => ({
  id,
  ...(deviceId !== null && { deviceId }),
  ...(deviceName !== null && { deviceName }),
  current: id === current,
  loginAt: isoOf(createdAt),
  lastActiveAt: isoOf(updatedAt),
});

/** The caller's sessions: that of the request first, then by their last refresh. */
export async function listSessions(call: UserCall) {
  const data = await readAs(call, 'auth.getSessions', (_, user) =>
    mapped(sessionsOf(user.id, call.now), (rows) => {
      const sessions = rows.map((row) => sessionView(row, user.session));
      return [...sessions.filter(({ current }) => current), ...sessions.filter(({ current }) => !current)];
    }),
  );
  return { data };
}

/** Ends one of the caller's own sessions. @throws ApiError 404 for any other. */
export const revokeSession = (call: UserCall): Promise<{ readonly data: object }> =>
  withAccountGrant(call, 'auth.revokeSession', async (caller, user) => {
    const wasThere = await caller.write(changing(endSession(user.id, call.id)));
    if (!wasThere) throw notFound('Session not found');
    return { data: {} };
  });
