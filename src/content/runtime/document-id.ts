/**
 * @module New documentIds: 24 lower-case letters and digits, starting with a letter, as in Strapi.
 */
import { type DocumentRef, namedDocument } from '../../schema/document-ref.ts';

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LETTERS = 26;
const LENGTH = 24;

/** The remainders of 32 bits are uniform but for 1 in 10^8. */
export const newDocumentId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(LENGTH))]
    .map((random, index) => CHARACTERS[random % (index === 0 ? LETTERS : CHARACTERS.length)])
    .join('');

/** Returns the document that a write is of, by default a new one, and the id of what it creates. */
export function writtenDocument(document?: DocumentRef) {
  const created = newDocumentId();
  return { document: document ?? namedDocument(created), newDocumentId: created };
}
