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

const CODE_BYTES = 32;
const SESSION_ID_BYTES = 16;

/** The secret part of a refresh token. Only its hash is stored. */
export const newKey = (): string => randomBytes(CODE_BYTES).toString('hex');

/**
 * The key that follows another one of a session: the same each time, so that a refresh whose answer was lost can be
 * repeated, and nobody else can tell it.
 */
export const nextKey = (session: string, key: string, secret = ''): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([session, key]))
    .digest('hex');

/** Names a session; no secret. */
export const newSessionId = (): string => randomBytes(SESSION_ID_BYTES).toString('hex');
const TIME_DIGITS = 12;

/** A code for a message: when it was made, then chance. Only its hash is stored. */
export const newCode = (now: number): string =>
  now.toString(16).padStart(TIME_DIGITS, '0') + randomBytes(CODE_BYTES).toString('hex');

export const hashCode = (code: string): string => createHash('sha256').update(code).digest('hex');

/** Was the code made less than `lifetime` seconds ago? Whether it is a real one only its hash can tell. */
export function isFresh(code: string, now: number, lifetime: number): boolean {
  const made = Number.parseInt(code.slice(0, TIME_DIGITS), 16);
  return made <= now && now - made < lifetime * 1000;
}
