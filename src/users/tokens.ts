/**
 * @module What a user who signs in gets: a long-lived token, or an access and a refresh token of a new session.
 */
import { issueAccessToken, issueJwt, issueRefreshToken } from '../auth/jwt.ts';
import { newKey, newSessionId } from '../auth/secrets.ts';
import { secondsOf } from '../setting-values.ts';
import { openSession } from '../sql/accounts/sessions.ts';
import type { Statement } from '../sql/statement.ts';
import type { UserCall } from './call.ts';
import { deviceNameOf } from './device-name.ts';
import { endOf, opened, type Session } from './sessions.ts';

export interface Tokens {
  readonly jwt: string;
  /** Absent for a long-lived token. */
  readonly refreshToken?: string;
}

export const usesSessions = ({ settings }: UserCall): boolean => settings.users.jwtManagement === 'refresh';

/**
 * The session that a sign-in is to open; undefined where tokens are long-lived.
 * @param id of one that is there, and gets another key.
 */
export const sessionFor = (call: UserCall, deviceId: string | null, id = newSessionId()): Session | undefined =>
  usesSessions(call) ? { id, key: newKey(), deviceId, deviceName: deviceNameOf(call.userAgent) } : undefined;

/** @param user documentId */
export const opening = (call: UserCall, session: Session | undefined, user: string): readonly Statement[] =>
  session ? openSession(opened(call, session, user)) : [];

/** @param expiresAt end of the session, which no token outlives. */
export async function sessionTokens(
  call: UserCall,
  id: number,
  changedAt: number,
  session: Pick<Session, 'id' | 'key'>,
  expiresAt: number = endOf(call.now, call.settings),
): Promise<Tokens> {
  const { now, settings, jwtSecret } = call;
  const rest = Math.ceil((expiresAt - now) / 1000);
  const access = Math.min(secondsOf(settings.users.sessions.accessTokenLifespan), rest);
  const issue = { id, now, notBefore: changedAt };
  const claims = { id, session: session.id, key: session.key };
  return {
    jwt: await issueAccessToken({ ...issue, lifetime: access }, session.id, jwtSecret),
    refreshToken: await issueRefreshToken({ ...issue, lifetime: rest }, claims, jwtSecret),
  };
}

/** Tokens that are younger than the user's last change of password. */
export async function tokensOf(call: UserCall, id: number, changedAt: number, session?: Session): Promise<Tokens> {
  if (session) return sessionTokens(call, id, changedAt, session);
  const { now, settings, jwtSecret } = call;
  const lifetime = secondsOf(settings.users.jwtExpiresIn);
  return { jwt: await issueJwt({ id, now, notBefore: changedAt, lifetime }, jwtSecret) };
}
