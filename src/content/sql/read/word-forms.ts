/**
 * @module The forms in which a word of `search` is looked for, as patterns of LIKE and GLOB, which D1 limits to 50 bytes.
 */
import { MAX_PATTERN_BYTES } from '../../../common/d1-limits.ts';

/** Scripts without spaces between words: a word is found anywhere. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Words in which one letter may be another. */
const LONG = /^\p{L}{7,}$/u;

/** Not among letters and digits of ASCII, and letters of Latin-1 and Latin Extended. */
const NOT_IN_WORD = '[^0-9a-zÀ-ɏ]';

const encoder = new TextEncoder();
const inPattern = (pattern: string): string | null =>
  encoder.encode(pattern).length > MAX_PATTERN_BYTES ? null : pattern;

/** LIKE and `lower` do so for A–Z alone. */
const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A word as it is written in lower case, in capitals, and with a capital: these differ in letters beyond A–Z. */
function casesOf(word: string): readonly string[] {
  const [first = '', ...others] = word;
  return [...new Set([word, word.toUpperCase(), first.toUpperCase() + others.join('')].map(asciiLower))];
}

/** A form in JSON: texts and patterns, null where there is none. */
export type WordForm = readonly (string | number | null)[];

/** What a word form has at each place. */
export const FORM = { word: 0, letters: 1, start: 2, text: 3, led: 4, alone: 5, first: 6, inner: 7 } as const;

function formOf(text: string, index: number): WordForm {
  const isUnspaced = UNSPACED.test(text);
  const start = inPattern(isUnspaced ? `%${text}%` : `% ${text}%`);
  const led = isUnspaced ? text : ` ${text}`;
  const alone = isUnspaced ? null : inPattern(`* ${text}${NOT_IN_WORD}*`);
  return [index, inPattern(`%${text}%`), start, text, led, alone, inPattern(`%\n ${text}%`), null];
}

/** The same word with any one letter in place of one of its own. */
function nearForms(word: string, index: number): readonly WordForm[] {
  const letters = [...word];
  return letters.flatMap((_, at) => {
    const with_ = (mark: string) => letters.with(at, mark).join('');
    const inner = inPattern(`*[^0-9a-z]${with_('?')}*`);
    const [any, led] = [`%${with_('_')}%`, `% ${with_('_')}%`];
    return inner === null ? [] : [[index, any, led, null, null, null, null, inner]];
  });
}

/** May one letter of the word be another? */
export const isLong = (word: string): boolean => LONG.test(word) && !UNSPACED.test(word);

/** @param isNear are long words also found with one other letter? */
export const wordForms = (words: readonly string[], isNear: boolean): readonly WordForm[] =>
  words.flatMap((word, index) => [
    ...casesOf(word).map((text) => formOf(text, index)),
    ...(isNear && isLong(word) ? nearForms(word, index) : []),
  ]);
