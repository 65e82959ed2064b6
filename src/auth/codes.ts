/**
 * @module Codes in messages: when a code was made, the key of its account, and a signature over both and over what the
 * code is good for. The key is stored and worth nothing without the deployment's secret; a code is stored nowhere. So
 * however many are sent, each holds for its time, and all of them end with the key.
 */
import { Buffer } from 'node:buffer';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { requiredSecret } from './secrets.ts';

const KEY_BYTES = 16;
const TIME_DIGITS = 12;
/** Hexadecimal digits of a key, and of a signature: 128 bits. */
const KEY_DIGITS = 2 * KEY_BYTES;

const CODE = new RegExp(`^[0-9a-f]{${TIME_DIGITS + 2 * KEY_DIGITS}}$`);

/** What a code is good for. Where any of it is another by now, the code is void. */
export interface CodeUse {
  readonly action: 'confirm-email' | 'reset-password';
  readonly key: string;
  /** documentId of the user. */
  readonly user: string;
  readonly email: string;
  /** The stored hash; null where it does not matter. */
  readonly password: unknown;
}

export const newCodeKey = (): string => randomBytes(KEY_BYTES).toString('hex');

/** The key that a code names; empty for what is no code. */
export const keyOfCode = (code: string): string =>
  CODE.test(code) ? code.slice(TIME_DIGITS, TIME_DIGITS + KEY_DIGITS) : '';

/** @throws Error when the deployment has no JWT_SECRET: anybody could make codes. */
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
