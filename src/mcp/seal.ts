/**
 * @module Claims that only this deployment can make and read: encrypted, and bound to a use and a time.
 */
import { isObject, type JsonObject } from '../common/json.ts';

const encoder = new TextEncoder();

const keyOf = async (secret: string, use: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    await crypto.subtle.digest('SHA-256', encoder.encode(`${use}\n${secret}`)),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  );

const urlSafe = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

const IV = 12;

/** @param until milliseconds since 1970 */
export async function seal(claims: JsonObject, use: string, secret: string, until: number): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV));
  const text = encoder.encode(JSON.stringify({ ...claims, until }));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(secret, use), text));
  return `${urlSafe(iv)}.${urlSafe(sealed)}`;
}

/** Returns undefined for what was not sealed here, for another use, or too long ago. */
export async function unseal(text: string, use: string, secret: string, now: number): Promise<JsonObject | undefined> {
  const [iv = '', sealed = ''] = text.split('.');
  try {
    const key = await keyOf(secret, use);
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytesOf(iv) }, key, bytesOf(sealed));
    const claims: unknown = JSON.parse(new TextDecoder().decode(opened));
    return isObject(claims) && Number(claims.until) > now ? claims : undefined;
  } catch {
    return undefined;
  }
}
