/**
 * @module Claims that only this deployment can make and read: encrypted, and bound to a use and a time.
 */
import { Buffer } from 'node:buffer';
import { isObject, type JsonObject } from '../../common/json.ts';

const keyOf = async (secret: string, use: string): Promise<CryptoKey> => {
  const bytes = await crypto.subtle.digest('SHA-256', Buffer.from(`${use}\n${secret}`));
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
};

/** Bytes of the initialization vector, which comes first. */
const IV = 12;

/** @param until milliseconds since 1970 */
export async function seal(claims: JsonObject, use: string, secret: string, until: number): Promise<string> {
  const iv = crypto.getRandomValues(Buffer.alloc(IV));
  const text = Buffer.from(JSON.stringify({ ...claims, until }));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(secret, use), text);
  return Buffer.concat([iv, Buffer.from(sealed)]).toString('base64url');
}

/** Returns undefined for what was not sealed here, for another use, or too long ago. */
export async function unseal(text: string, use: string, secret: string, now: number): Promise<JsonObject | undefined> {
  const bytes = Buffer.from(text, 'base64url');
  // The decoder ignores characters that are not in its alphabet, or too many.
  if (bytes.toString('base64url') !== text) return undefined;
  try {
    const key = await keyOf(secret, use);
    const iv = bytes.subarray(0, IV);
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(IV));
    const claims: unknown = JSON.parse(Buffer.from(opened).toString());
    return isObject(claims) && Number(claims.until) > now ? claims : undefined;
  } catch {
    return undefined;
  }
}
