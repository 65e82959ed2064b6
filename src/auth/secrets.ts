/**
 * @module The deployment's secret, and keys of sessions.
 */
import { createHmac, randomBytes } from 'node:crypto';

/** @throws Error without a JWT_SECRET: anyone could sign with an empty one. */
export function requiredSecret(secret: string | undefined): string {
  if (!secret) throw new Error('JWT_SECRET is not set: run `wrangler secret put JWT_SECRET`, or see .dev.vars');
  return secret;
}

const KEY_BYTES = 32;
const SESSION_ID_BYTES = 16;

/** The secret part of a refresh token. Only its hash is stored. */
export const newKey = (): string => randomBytes(KEY_BYTES).toString('hex');

/** Derives the next key of a session; deterministic, so that a refresh whose response was lost can be repeated. */
export const nextKey = (session: string, key: string, secret: string): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([session, key]))
    .digest('hex');

/** No secret. */
export const newSessionId = (): string => randomBytes(SESSION_ID_BYTES).toString('hex');
