/**
 * @module `POST /api/auth/refresh` and `/logout`, `GET /api/auth/sessions`, `DELETE /api/auth/sessions/:id`. Where
 * tokens are long-lived there are no sessions, and these paths are a 404.
 */
import type { Credential } from '../auth/credential.ts';
import { readRefreshToken } from '../auth/jwt.ts';
import { performRead, performWrite, type Work } from '../auth/perform.ts';
import { newKey } from '../auth/secrets.ts';
import type { User } from '../auth/user-token.ts';
import { ApiError, notFound, unauthorized } from '../errors.ts';
import type { Row } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';
import { insist, refuse, rowOf, type UserCall } from './call.ts';
import {
  deviceIdOf,
  endSession,
  endSessions,
  endSessionsOn,
  listSessions as sessionsQuery,
  turnSession,
} from './sessions.ts';
import { sessionTokens, type Tokens, usesSessions } from './tokens.ts';

type Action = 'refresh' | 'logout' | 'getSessions' | 'revokeSession';

/** @throws ApiError 403 without the grant, 404 in the other mode. */
function refuseUnless(call: UserCall, { grants }: Credential, action: Action): void {
  refuse(grants, `auth.${action}`);
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

async function refreshOnce(call: UserCall): Promise<Tokens | undefined> {
  const { value: token, credential } = await performRead(call, call.credential, (assumed): Work<string> => {
    refuseUnless(call, assumed, 'refresh');
    const sent = sentToken(call);
    if (sent === undefined) throw new ApiError({ kind: 'bad-request', message: 'Missing refresh token' });
    return { statements: [], finish: () => sent, asserted: true };
  });
  const claims = await readRefreshToken(token, call.jwtSecret);
  if (!claims) throw unauthorized('Invalid refresh token');
  const key = newKey();
  const rows = await performWrite(call, credential, turnSession(claims, key, call.now, call.settings));
  if (!rows) return undefined;
  const turned = rowOf(rows);
  if (!turned) throw unauthorized('Invalid refresh token');
  const session = { id: claims.session, key };
  return sessionTokens(call, claims.id, Number(turned.changed_at), session, Number(turned.expires_at));
}

/**
 * New tokens for a refresh token, which works once.
 * @throws ApiError 401 when it is not valid, has run out, or was used before; the last of these ends its session.
 */
export const refreshTokens = (call: UserCall): Promise<Tokens> => insist(call, refreshOnce);

/** Whose refresh token it is that came along tells which session is meant; else it is that of the access token. */
async function endingOf(call: UserCall, user: User): Promise<Statement> {
  const { scope } = call.body();
  const deviceId = deviceIdOf(call.body());
  if (scope === 'all') return endSessions(user.id);
  if (deviceId !== null) return endSessionsOn(user.id, deviceId);
  const token = sentToken(call);
  const claims = token === undefined ? undefined : await readRefreshToken(token, call.jwtSecret);
  const session = claims?.id === user.id ? claims.session : user.session;
  return session === null ? endSessions(user.id) : endSession(user.id, session);
}

async function logoutOnce(call: UserCall): Promise<{ readonly ok: true } | undefined> {
  const { value: user, credential } = await performRead(call, call.credential, (assumed): Work<User> => {
    refuseUnless(call, assumed, 'logout');
    const caller = userOf(assumed);
    deviceIdOf(call.body());
    return { statements: [], finish: () => caller, asserted: true };
  });
  const rows = await performWrite(call, credential, [await endingOf(call, user)]);
  return rows && { ok: true };
}

/** Ends the caller's session, those on a device (`deviceId`), or all (`scope: 'all'`). */
export const logout = (call: UserCall): Promise<{ readonly ok: true }> => insist(call, logoutOnce);

const isoOf = (time: unknown): string => new Date(Number(time)).toISOString();

function told(row: Row, current: string | null) {
  return {
    id: row.document_id,
    ...(row.device_id !== null && { deviceId: row.device_id }),
    ...(row.device_name !== null && { deviceName: row.device_name }),
    current: row.document_id === current,
    loginAt: isoOf(row.created_at),
    lastActiveAt: isoOf(row.updated_at),
  };
}

/** The caller's sessions: that of the request first, then by their last refresh. */
export async function listSessions(call: UserCall) {
  const { value } = await performRead(call, call.credential, (credential) => {
    refuseUnless(call, credential, 'getSessions');
    const user = userOf(credential);
    const finish = ([rows = []]: readonly (readonly Row[])[]) => {
      const sessions = rows.map((row) => told(row, user.session));
      return [...sessions.filter(({ current }) => current), ...sessions.filter(({ current }) => !current)];
    };
    return { statements: [sessionsQuery(user.id, call.now)], finish };
  });
  return { data: value };
}

async function revokeOnce(call: UserCall): Promise<{ readonly data: object } | undefined> {
  const { value: user, credential } = await performRead(call, call.credential, (assumed): Work<User> => {
    refuseUnless(call, assumed, 'revokeSession');
    const caller = userOf(assumed);
    return { statements: [], finish: () => caller, asserted: true };
  });
  const rows = await performWrite(call, credential, [endSession(user.id, call.id)]);
  if (rows && !rowOf(rows)) throw notFound('Session not found');
  return rows && { data: {} };
}

/** Ends one of the caller's own sessions. @throws ApiError 404 for any other. */
export const revokeSession = (call: UserCall): Promise<{ readonly data: object }> => insist(call, revokeOnce);
