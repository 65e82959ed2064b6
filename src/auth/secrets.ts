/**
 * @module Hashes of what must not be readable at rest.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** API tokens are long random texts, so that one pass of SHA-256 is enough; the hash is what the database looks up. */
export async function hashToken(token: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
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

export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');
