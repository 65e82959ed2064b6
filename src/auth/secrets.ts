/**
 * @module Hashes of what must not be readable at rest.
 */
import { randomBytes, scryptSync } from 'node:crypto';

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
