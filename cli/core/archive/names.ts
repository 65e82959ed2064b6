/**
 * @module The keys of files in an archive of Strapi, and documentIds for rows that have none.
 */
import { createHash } from 'node:crypto';

export interface Hashed {
  readonly hash?: unknown;
  readonly ext?: unknown;
}

/** The name of the bytes of a file, or of one of its formats. */
export const objectKey = ({ hash, ext }: Hashed): string => `${String(hash)}${typeof ext === 'string' ? ext : ''}`;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The documentId of a row that has none of its own: the same every time. */
export function madeUpDocumentId(type: string, id: number): string {
  const bytes = createHash('sha256').update(`${type} ${id}`).digest();
  return `x${[...bytes.subarray(0, 23)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')}`;
}
