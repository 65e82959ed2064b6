/**
 * @module Digests of texts, and of bytes as they arrive.
 */
import { createHash, type Hash, hash } from 'node:crypto';

/** SHA-256 as 64 hexadecimal digits. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data);

/** Returns 16 hexadecimal digits, for tags. */
export const shortHash = (data: string | Uint8Array): string => sha256(data).slice(0, 16);

export const openSha256 = (): Hash => createHash('sha256');
