/**
 * @module Hashes of what must not be readable at rest.
 */
import { createHmac, randomBytes } from 'node:crypto';

/** @throws Error when the deployment has no JWT_SECRET: anybody could sign. */
export function requiredSecret(secret: string | undefined): string {
  if (!secret) throw new Error('JWT_SECRET is not set: run `wrangler secret put JWT_SECRET`, or see .dev.vars');
  return secret;
}

const KEY_BYTES = 32;
const SESSION_ID_BYTES = 16;

/** The secret part of a refresh token. Only its hash is stored. */
export const newKey = (): string => randomBytes(KEY_BYTES).toString('hex');

/**
 * The key that follows another one of a session: the same each time, so that a refresh whose answer was lost can be
 * repeated, and nobody else can tell it.
 */
export const nextKey = (session: string, key: string, secret: string): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([session, key]))
    .digest('hex');

/** Names a session; no secret. */
export const newSessionId = (): string => randomBytes(SESSION_ID_BYTES).toString('hex');
