/**
 * @module Hashes of what must not be readable at rest.
 */
import { Buffer } from 'node:buffer';
import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** API tokens are long random texts, so that one pass of SHA-256 is enough; the hash is what the database looks up. */
export async function hashToken(token: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
}

const SCRYPT = { N: 16_384, r: 8, p: 1 } as const;

/** `scrypt$N$r$p$salt$hash`, salted with 16 random bytes. */
export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, SCRYPT);
  return ['scrypt', SCRYPT.N, SCRYPT.r, SCRYPT.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/** Compared with when there is no user, so that the answer takes as long as for one. */
const NOBODY = `scrypt$${SCRYPT.N}$${SCRYPT.r}$${SCRYPT.p}$${'A'.repeat(22)}==$${'A'.repeat(43)}=`;

/** Is it the password of this hash? Takes its time for users without a password, too, and then says no. */
export function isPassword(password: string, stored: unknown): boolean {
  const usable = typeof stored === 'string' && stored.startsWith('scrypt$');
  const [, n, r, p, salt = '', hash = ''] = (usable ? stored : NOBODY).split('$');
  const expected = Buffer.from(hash, 'base64');
  const options = { N: Number(n), r: Number(r), p: Number(p) };
  const actual = scryptSync(password, Buffer.from(salt, 'base64'), expected.length, options);
  return timingSafeEqual(actual, expected) && usable;
}

const CODE_BYTES = 32;
const SESSION_ID_BYTES = 16;

/** The secret part of a refresh token. Only its hash is stored. */
export const newKey = (): string => randomBytes(CODE_BYTES).toString('hex');

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
