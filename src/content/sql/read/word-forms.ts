/**
 * @module The forms in which a word of `search` is looked for, as patterns of LIKE and GLOB, which D1 limits to 50 bytes.
 */
import { isLong, isUnspaced } from '../../../common/words.ts';
import { inPattern } from './texts.ts';

/** Not among letters and digits of ASCII, and letters of Latin-1 and Latin Extended. */
const NOT_IN_WORD = '[^0-9a-zÀ-ɏ]';

/** Not among letters and digits of scripts before U+2000, and so no separator is. */
const BEHIND = '[^0-9a-zÀ-\u1fff]';

/** LIKE and `lower` do so for A–Z alone. */
const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A word as it is written in lower case, in capitals, and with a capital: these differ in letters beyond A–Z. */
function casesOf(word: string): readonly string[] {
  const [first = '', ...others] = word;
  return [...new Set([word, word.toUpperCase(), first.toUpperCase() + others.join('')].map(asciiLower))];
}

/** Texts and patterns; absent are those that are too long for D1. */
export interface WordForm {
  /** Finds the letters of the word, and those behind a space. */
  readonly letters: string | undefined;
  readonly start: string | undefined;
  /** Finds letters behind any separator; only of a form with another letter. */
  readonly inner?: string;
  /** Others have these: the word, what finds it behind any separator and some letters, … */
  readonly text?: string;
  readonly behind?: string | undefined;
  /** … with a space before it, as a whole word, and at the beginning of a text. */
  readonly led?: string;
  readonly alone?: string | undefined;
  readonly first?: string | undefined;
}

function formOf(text: string): WordForm {
  const letters = inPattern(`%${text}%`);
  const first = inPattern(`%\n ${text}%`);
  if (isUnspaced(text)) return { letters, start: letters, text, led: text, first };
  const alone = inPattern(`* ${text}${NOT_IN_WORD}*`);
  const behind = inPattern(`*${BEHIND}${text}*`);
  return { letters, start: inPattern(`% ${text}%`), text, behind, led: ` ${text}`, alone, first };
}

/** The same word with any one letter in place of one of its own. */
const nearForms = (text: string): readonly WordForm[] =>
  [...text].flatMap((_, at, letters) => {
    const other = (mark: string) => letters.with(at, mark).join('');
    const inner = inPattern(`*[^0-9a-z]${other('?')}*`);
    return inner ? [{ letters: `%${other('_')}%`, start: `% ${other('_')}%`, inner }] : [];
  });

/** Returns the forms of each word. @param isNear are long words also found with one other letter? */
export const wordForms = (words: readonly string[], isNear: boolean): readonly (readonly WordForm[])[] =>
  words.map((word) => [...casesOf(word).map(formOf), ...(isNear && isLong(word) ? nearForms(word) : [])]);
