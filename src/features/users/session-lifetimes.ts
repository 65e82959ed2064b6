/**
 * @module Sessions of users: lifetimes, and the hashed keys of their refresh tokens.
 */

import { sha256 } from '../../common/digest.ts';
import type { RefreshClaims } from '../../content/credentials/jwt.ts';
import type { Call } from '../../content/runtime/call.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { secondsOf } from '../../schema/settings/derived.ts';
import type { KeyRotation, NewSession } from './sql/sessions.ts';

export interface UserSession {
  readonly id: string;
  readonly key: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
}

const millisecondsOf = (duration: string): number => secondsOf(duration) * 1000;

/** End of a session that is opened or refreshed now. */
export function sessionEnd(now: number, { users }: Settings): number {
  const { idleRefreshTokenLifespan: idle, maxRefreshTokenLifespan: most } = users.sessions;
  return now + Math.min(millisecondsOf(idle), millisecondsOf(most));
}

/** @param user documentId */
export const opened = ({ now, settings }: Call, { key, ...session }: UserSession, user: string): NewSession => ({
  ...session,
  keyHash: sha256(key),
  user,
  now,
  expiresAt: sessionEnd(now, settings),
  absoluteExpiresAt: now + millisecondsOf(settings.users.sessions.maxRefreshTokenLifespan),
});

/** @param key the next key of the session */
export const rotationOf = (
  { now, settings }: Call,
  { id, session, key: used }: RefreshClaims,
  key: string,
): KeyRotation => ({
  session,
  user: id,
  usedHash: sha256(used),
  nextHash: sha256(key),
  now,
  expiresAt: sessionEnd(now, settings),
  grace: millisecondsOf(settings.users.sessions.refreshTokenGrace),
  mustBeConfirmed: settings.users.emailConfirmation,
});
