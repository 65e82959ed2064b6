/**
 * @module How Strapi enciphers an archive: no salt, no initialisation vector.
 */
import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv, scryptSync } from 'node:crypto';

const CIPHER = 'aes-128-ecb';
/** Bytes of a key, and of a block. */
export const BLOCK_BYTES = 16;

export const cipherKeyOf = (passphrase: string): Buffer => scryptSync(passphrase, '', BLOCK_BYTES);

export const cipherWith = (key: Buffer): Cipheriv => createCipheriv(CIPHER, key, null);
export const decipherWith = (key: Buffer): Decipheriv => createDecipheriv(CIPHER, key, null);
