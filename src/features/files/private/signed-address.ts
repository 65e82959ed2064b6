/**
 * @module Signed addresses of private files: `/uploads/<key>?expires=…&signature=…`.
 */
import { Buffer } from 'node:buffer';
import { isSignatureOf, signatureOf } from '../../../content/credentials/secrets.ts';
import type { Call } from '../../../content/runtime/call.ts';
import { secondsOf } from '../../../schema/settings/derived.ts';

/** Another form of the signed text needs another purpose. */
const PURPOSE = 'edgewise file address, form 1';
const SIGNATURE = '&signature=';

/** What addresses are signed with. */
export type Signing = Pick<Call, 'settings' | 'secret'>;

/** Covers the deployment, the key, and the whole query string: the expiry, and the size of a picture. Only a local server has no URL. */
const signedText = (address: string, { settings: { server } }: Signing): string =>
  `${server.url === '' ? '' : new URL(server.url).host} ${address}`;

/** @param address a path, with a query string or without. @param expires seconds since 1970 */
export function signAddress(address: string, expires: number, signing: Signing): string {
  const text = `${address}${address.includes('?') ? '&' : '?'}expires=${expires}`;
  const signature = signatureOf(PURPOSE, signedText(text, signing), signing.secret);
  return `${text}${SIGNATURE}${signature.toString('base64url')}`;
}

/**
 * Returns for how many seconds the signature of an address is valid; 0 for a forged one, and without one.
 * @param address path and query string as they were sent. @param now milliseconds since 1970
 */
export function validFor(address: string, signing: Signing, now: number): number {
  const end = address.lastIndexOf(SIGNATURE);
  if (end < 0) return 0;
  const text = address.slice(0, end);
  const sent = address.slice(end + SIGNATURE.length);
  const signature = Buffer.from(sent, 'base64url');
  // The decoder ignores characters that are not in its alphabet, or too many.
  if (signature.toString('base64url') !== sent) return 0;
  if (!isSignatureOf(signature, PURPOSE, signedText(text, signing), signing.secret)) return 0;
  const expires = Number(/[?&]expires=(\d+)$/.exec(text)?.[1] ?? 0);
  return Math.max(0, Math.ceil(expires - now / 1000));
}

/** Seconds, half the lifetime of an address in a response. */
const windowSeconds = ({ upload }: Signing['settings']): number =>
  Math.max(1, Math.floor(secondsOf(upload.signedUrlExpiresIn) / 2));

/** Returns the window of time in which responses have the same addresses. @param now milliseconds since 1970 */
export const windowAt = (settings: Signing['settings'], now: number): number =>
  Math.floor(now / 1000 / windowSeconds(settings));

/** Signs an address of a response. It is valid until the window after this one ends. */
export const signInWindow = (address: string, signing: Signing): string =>
  signAddress(address, (windowAt(signing.settings, Date.now()) + 2) * windowSeconds(signing.settings), signing);
