/**
 * @module What stands between the words of a text.
 */

/**
 * Characters for the brackets of a regular expression and of GLOB, in a text whose A–Z are small letters: ASCII that is no
 * letter or digit, the signs of Latin-1, punctuation, and that of Chinese and Japanese.
 */
export const SEPARATORS = '\x01-/:-`{-¿\u2000-\u206f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20';
