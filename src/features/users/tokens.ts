/**
 * @module The tokens of a sign-in: a long-lived one, or the access and refresh token of a session.
 */
import { issueAccessToken, issueJwt, issueRefreshToken } from '../../content/credentials/jwt.ts';
import { newKey, newSessionId } from '../../content/credentials/secrets.ts';
import type { Statement } from '../../content/sql/statement.ts';
import { secondsOf } from '../../schema/settings/derived.ts';
import type { UserCall } from './call.ts';
import { deviceNameOf } from './device-name.ts';
import { opened, sessionEnd, type UserSession } from './session-lifetimes.ts';
import { openSession } from './sql/sessions.ts';

export interface Tokens {
  readonly jwt: string;
  /** Absent for a long-lived token. */
  readonly refreshToken?: string;
}

export const usesSessions = ({ settings }: UserCall): boolean => settings.users.jwtManagement === 'refresh';

/** Returns the session to open; undefined for long-lived tokens. @param id of an existing session, which gets a new key */
export const sessionFor = (call: UserCall, deviceId: string | null, id = newSessionId()): UserSession | undefined =>
  usesSessions(call) ? { id, key: newKey(), deviceId, deviceName: deviceNameOf(call.userAgent) } : undefined;

/** @param user documentId */
export const opening = (call: UserCall, session: UserSession | undefined, user: string): readonly Statement[] =>
  session ? openSession(opened(call, session, user)) : [];

/** @param expiresAt end of the session, which limits both tokens */
export async function sessionTokens(
  { now, settings, jwtSecret }: UserCall,
  id: number,
  changedAt: number,
  session: Pick<UserSession, 'id' | 'key'>,
  expiresAt: number = sessionEnd(now, settings),
): Promise<Tokens> {
  const rest = Math.ceil((expiresAt - now) / 1000);
  const access = Math.min(secondsOf(settings.users.sessions.accessTokenLifespan), rest);
  const issue = { id, now, notBefore: changedAt };
  return {
    jwt: await issueAccessToken({ ...issue, lifetime: access }, session.id, jwtSecret),
    refreshToken: await issueRefreshToken({ ...issue, lifetime: rest }, session.id, session.key, jwtSecret),
  };
}

/** @param changedAt tokens from before this time are rejected; milliseconds since 1970 */
export async function tokensOf(call: UserCall, id: number, changedAt: number, session?: UserSession): Promise<Tokens> {
  if (session) return sessionTokens(call, id, changedAt, session);
  const { now, settings, jwtSecret } = call;
  const lifetime = secondsOf(settings.users.jwtExpiresIn);
  return { jwt: await issueJwt({ id, now, notBefore: changedAt, lifetime }, jwtSecret) };
}
