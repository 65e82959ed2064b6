/**
 * @module Digests of texts, and of bytes as they arrive.
 */
import { createHash, type Hash, hash } from 'node:crypto';

/** SHA-256 as 64 hexadecimal digits. */
export const sha256 = (text: string): string => hash('sha256', text);

export const openSha256 = (): Hash => createHash('sha256');

const mixed = (hash: number): number => {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (whole ^ (whole >>> 16)) >>> 0;
};

const hex = (hash: number): string => hash.toString(16).padStart(8, '0');

/**
 * Returns 16 hexadecimal digits, where collisions are harmless: calling SHA-256 takes longer than planning a short query.
 * Two lanes, one of them FNV-1a, each finalized as in MurmurHash3.
 */
export function shortHash(text: string): string {
  let [left, right] = [0x811c9dc5, 0x9e3779b9];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    left = Math.imul(left ^ code, 0x01000193);
    right = Math.imul(right ^ code, 0x5bd1e995) + index;
  }
  return hex(mixed(left ^ (right >>> 15))) + hex(mixed(right));
}
