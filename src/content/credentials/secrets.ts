/**
 * @module The deployment's secret, and keys of sessions.
 */
import type { Buffer } from 'node:buffer';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { notReady } from '../../common/errors.ts';

/** @throws ApiError 503 without JWT_SECRET: anyone could sign with an empty one. */
export function requiredSecret(secret: string | undefined): string {
  if (!secret)
    throw notReady(
      'JWT_SECRET is not set: npx wrangler secret put JWT_SECRET; locally, npx edgewise dev adds one to .dev.vars',
    );
  return secret;
}

export const SIGNATURE_BYTES = 32;

/**
 * Signs a text with a key of this purpose, so that no signature of another purpose fits.
 * @returns `SIGNATURE_BYTES`
 * @throws ApiError 503 without a JWT_SECRET
 */
export function signatureOf(purpose: string, text: string | Uint8Array, secret: string | undefined): Buffer {
  const key = createHmac('sha256', requiredSecret(secret)).update(purpose).digest();
  return createHmac('sha256', key).update(text).digest();
}

/** Is a signature that of the text? It takes the same time for each signature of 32 bytes. */
export const isSignatureOf = (
  signature: Uint8Array,
  purpose: string,
  text: string | Uint8Array,
  secret: string | undefined,
): boolean => signature.length === SIGNATURE_BYTES && timingSafeEqual(signature, signatureOf(purpose, text, secret));

/** The secret of a refresh token; only its hash is stored. */
export const newKey = (): string => randomBytes(32).toString('hex');

/** Derives the next key of a session; deterministic, so that a refresh whose response was lost can be repeated. */
export const nextKey = (session: string, key: string, secret: string): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([session, key]))
    .digest('hex');

export const newSessionId = (): string => randomBytes(16).toString('hex');
