/**
 * @module Codes in messages: time, key of the account, and a signature over both and the use. Only the key is stored, so
 * several codes are valid at once, until they expire or the key is deleted.
 */
import { Buffer } from 'node:buffer';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { requiredSecret } from './secrets.ts';

const KEY_BYTES = 16;
const TIME_DIGITS = 12;
/** Hexadecimal digits of a key, and of a signature: 128 bits. */
const KEY_DIGITS = 2 * KEY_BYTES;

const CODE = new RegExp(`^[0-9a-f]{${TIME_DIGITS + 2 * KEY_DIGITS}}$`);

/** What a code is for; it is void once any of it has changed. */
export interface CodeUse {
  readonly action: 'confirm-email' | 'reset-password' | 'invite' | 'handed-invite';
  readonly key: string;
  /** documentId of the user. */
  readonly user: string;
  readonly email: string;
  /** The stored hash; null if a change of password does not void the code. */
  readonly password: unknown;
}

export const newCodeKey = (): string => randomBytes(KEY_BYTES).toString('hex');

/** The key in a code; empty for a malformed one. */
export const keyOfCode = (code: string): string =>
  CODE.test(code) ? code.slice(TIME_DIGITS, TIME_DIGITS + KEY_DIGITS) : '';

/** @throws Error without a JWT_SECRET. */
export function codeFor({ action, key, user, email, password }: CodeUse, now: number, secret?: string): string {
  const made = now.toString(16).padStart(TIME_DIGITS, '0');
  const signed = JSON.stringify([action, made, key, user, email, password]);
  const signature = createHmac('sha256', requiredSecret(secret)).update(signed).digest('hex');
  return made + key + signature.slice(0, KEY_DIGITS);
}

/** Was the code made for this use, less than `lifetime` seconds ago? */
export function isCode(code: string, use: CodeUse, now: number, lifetime: number, secret?: string): boolean {
  if (!CODE.test(code)) return false;
  const made = Number.parseInt(code.slice(0, TIME_DIGITS), 16);
  const isRight = timingSafeEqual(Buffer.from(code), Buffer.from(codeFor(use, made, secret)));
  return isRight && made <= now && now - made < lifetime * 1000;
}
