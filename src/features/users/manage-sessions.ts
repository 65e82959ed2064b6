/**
 * @module `POST /api/auth/logout`, `GET /api/auth/sessions`, `DELETE /api/auth/sessions/:id`;
 * `/api/users/:id/sessions` for those who may manage the sessions of others.
 */

import { notFound } from '../../common/errors.ts';
import { isUser } from '../../content/credentials/credential.ts';
import { readRefreshToken } from '../../content/credentials/jwt.ts';
import type { User } from '../../content/credentials/user-token.ts';
import type { AtomicChange, Caller } from '../../content/runtime/caller.ts';
import { type Compiled, mapped } from '../../content/sql/compiled.ts';
import type { AccountInput } from '../../schema/account-routes.ts';
import type { UserCall } from './call.ts';
import { namedUser } from './named-user.ts';
import { readAs, withAccountGrant } from './precheck.ts';
import { endGrants } from './sql/oauth-grants.ts';
import { endSession, endSessions, endSessionsOn, type SessionRow, sessionsOf } from './sql/sessions.ts';

/** A change whose own rows are its result. */
const changing = <T>(result: Compiled<T>): AtomicChange<T> => ({ statements: [], result });

/** Ends the sessions of a user, and what clients may do in their name. */
function endEverything({ id }: User): Compiled<unknown> {
  const ended = endSessions({ user: id });
  return { ...ended, statements: [...ended.statements, endGrants(id)] };
}

/** The session of the refresh token of the body, or else of the access token: a cookie may be of another one. */
async function endingOf(call: UserCall, user: User, sent: AccountInput<'auth.logout'>): Promise<Compiled<unknown>> {
  if (sent.scope === 'all') return endEverything(user);
  if (sent.deviceId !== null) return endSessionsOn({ user: user.id, deviceId: sent.deviceId });
  const { refreshToken } = sent;
  const claims = refreshToken === null ? undefined : await readRefreshToken(refreshToken, call.jwtSecret);
  const session = claims?.id === user.id ? claims.session : user.session;
  return session === null ? endEverything(user) : endSession({ user: user.id, session });
}

/** Ends the caller's session, those of a device (`deviceId`), or all (`scope: 'all'`). */
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

/** Lists the caller's sessions: the current one first, then by last refresh. */
export async function listSessions(call: UserCall) {
  const data = await readAs(call, 'auth.getSessions', (_, user) =>
    mapped(sessionsOf(user.id, call.now), (rows) => {
      const sessions = rows.map((row) => sessionView(row, user.session));
      return [...sessions.filter(({ current }) => current), ...sessions.filter(({ current }) => !current)];
    }),
  );
  return { data };
}

/** Lists the sessions of any user, by last refresh. */
export async function listUserSessions(call: UserCall) {
  const data = await withAccountGrant(call, 'user.getSessions', async (caller) => {
    const current = isUser(caller.credential) ? caller.credential.session : null;
    const rows = await caller.read(sessionsOf(await namedUser(call, caller), call.now));
    return rows.map((row) => sessionView(row, current));
  });
  return { data };
}

/** @throws ApiError 404 unless the user has the session */
async function endOne(caller: Caller, user: number, session: string): Promise<{ readonly data: object }> {
  const ended = await caller.write(changing(endSession({ user, session })));
  if (!ended) throw notFound('Session not found');
  return { data: {} };
}

/** Ends a session of the caller. @throws ApiError 404 for any other */
export const revokeSession = (call: UserCall): Promise<{ readonly data: object }> =>
  withAccountGrant(call, 'auth.revokeSession', (caller, user) => endOne(caller, user.id, call.id));

/** Ends a session of any user. @throws ApiError 404 unless the user has it */
export const revokeUserSession = (call: UserCall): Promise<{ readonly data: object }> =>
  withAccountGrant(call, 'user.revokeSession', async (caller) =>
    endOne(caller, await namedUser(call, caller), call.session),
  );
