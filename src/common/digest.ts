/**
 * @module Digests of texts, and of bytes as they arrive.
 */
import { createHash, type Hash, hash } from 'node:crypto';

/** SHA-256 as 64 hexadecimal digits. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data);

/** SHA-256 as in the code challenge of OAuth (https://www.rfc-editor.org/rfc/rfc7636#section-4.2). */
export const sha256Base64Url = (text: string): string => hash('sha256', text, 'base64url');

/** Returns 16 hexadecimal digits, for tags. */
export const shortHash = (data: string | Uint8Array): string => sha256(data).slice(0, 16);

export const openSha256 = (): Hash => createHash('sha256');
