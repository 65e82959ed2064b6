/**
 * @module Texts → queries of a search index, which holds trigrams: three successive characters in any case.
 */
import { isLong } from '../../../common/words.ts';
import type { Operand } from '../../plan/model/read-plan.ts';

/** Trigrams looked up for one text; those of a long text are spread over it. */
const MAX_TRIGRAMS = 24;

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/** Returns undefined for a text without trigrams, or with a NUL, which an index omits and at which a query ends. */
export function trigramsOf(text: Operand): string | undefined {
  if (typeof text !== 'string' || text.includes('\0')) return undefined;
  const characters = [...text];
  const count = characters.length - 2;
  if (count < 1) return undefined;
  const step = Math.max(1, count / MAX_TRIGRAMS);
  const trigrams = new Set<string>();
  for (let at = 0; at < count; at += step) {
    const start = Math.floor(at);
    trigrams.add(quoted(characters.slice(start, start + 3).join('')));
  }
  return [...trigrams].join(' AND ');
}

/** Returns undefined where rows without a match may be found. */
export function joinMatches(matches: readonly (string | undefined)[], operator: 'AND' | 'OR'): string | undefined {
  const all = matches.filter((match) => match !== undefined);
  if (all.length === 0 || (operator === 'OR' && all.length < matches.length)) return undefined;
  return all.map((match) => `(${match})`).join(` ${operator} `);
}

/** Parts of a word of which one has the other letter: more find fewer rows, but each is a query. */
const MAX_PARTS = 4;

/**
 * Returns what finds a long word with one other letter. The two letters at each end are left to the parts beside them,
 * since their trigrams include those that such a letter leaves.
 */
function nearMatch(word: string): string | undefined {
  const letters = [...word];
  const inner = letters.length - 4;
  const parts = Math.min(MAX_PARTS, inner);
  const placeOf = (part: number) => 2 + Math.floor((part * inner) / parts);
  const matches = Array.from({ length: parts }, (_, part) => [
    trigramsOf(letters.slice(0, placeOf(part)).join('')),
    trigramsOf(letters.slice(placeOf(part + 1)).join('')),
  ]);
  return joinMatches(
    matches.map((around) => joinMatches(around, 'AND')),
    'OR',
  );
}

/** @param isNear are long words also found with one other letter? */
export const matchOfWords = (words: readonly string[], isNear: boolean): string | undefined =>
  joinMatches(
    words.map((word) => (isNear && isLong(word) ? nearMatch(word) : trigramsOf(word))),
    'AND',
  );
