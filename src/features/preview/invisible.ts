/**
 * @module Invisible text, in the encoding of `@vercel/stega` 0.1, which Strapi 5.54 and its preview script use.
 */

/** Characters of no width, one for each digit of base 4. */
const DIGITS = ['\u200b', '\u200c', '\u200d', '\ufeff'] as const;
/** In UTF-8. */
export const BYTES_OF_DIGIT = 3;

const [zero] = DIGITS;
const PREFIX = zero.repeat(4);

/** Four digits for each character up to U+00FF. */
const CODES = Array.from({ length: 256 }, (_, code) =>
  [6, 4, 2, 0].map((shift) => DIGITS[(code >> shift) & 3]).join(''),
);

/** Returns an invisible text of the JSON of a value. @param value texts up to U+00FF */
export const invisible = (value: unknown): string =>
  PREFIX + Array.from(JSON.stringify(value), (character) => CODES[character.charCodeAt(0)]).join('');
