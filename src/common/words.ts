/**
 * @module Words of texts, as `search` takes them: what stands between them, and which may have another letter.
 */

/**
 * Characters for the brackets of a regular expression and of GLOB: ASCII that is no letter or digit, the signs of Latin-1,
 * punctuation, and that of Chinese and Japanese.
 */
export const SEPARATORS = '\x01-/:-@[-`{-¿\u2000-\u206f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20';

const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
/** A pattern of D1 has no room for longer ones. */
const LONG = /^\p{L}{7,38}$/u;

/** Is it of a script without spaces between words? Then it is found anywhere. */
export const isUnspaced = (word: string): boolean => UNSPACED.test(word);

/** May one letter of the word be another? */
export const isLong = (word: string): boolean => LONG.test(word) && !isUnspaced(word);
