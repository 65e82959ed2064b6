/**
 * @module The texts of documents in which the words of a search were found: parts around them, with their places.
 */
import type { JsonObject } from '../../common/json.ts';
import { isLong, isUnspaced, SEPARATORS } from '../../common/words.ts';
import type { WordSearch } from '../plan/model/read-plan.ts';
import type { Document } from './document.ts';

/** Where a word is found: in UTF-16 units, `end` behind the last one. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly word: number;
}

/** Of one text. */
const MAX_SNIPPETS = 3;
/** Of one word in one text. */
const MAX_PLACES = 30;
/** UTF-16 units of a snippet, and of what it has before its first word. */
const LENGTH = 200;
const BEFORE = 40;

const ELLIPSIS = '…';

/** Any text that differs from the word in one letter. */
const nearly = (word: string): string =>
  `(?:${[...word].map((_, at, letters) => letters.with(at, '.').join('')).join('|')})`;

/** Finds what begins with a word, in any case. A word has no characters that a regular expression reads otherwise. */
const finderOf = (word: string, isNear = false): RegExp =>
  new RegExp(`${isUnspaced(word) ? '' : `(?<=^|[\\0${SEPARATORS}])`}${isNear ? nearly(word) : word}`, 'giu');

/** Finds the words that the texts have, and long ones that they do not have with another letter. */
function findersFor(words: readonly string[], texts: readonly string[]): readonly RegExp[] {
  return words.map((word) => {
    const finder = finderOf(word);
    return isLong(word) && texts.every((text) => text.search(finder) < 0) ? finderOf(word, true) : finder;
  });
}

/** Returns where the words are, in order; no place overlaps the one before it. */
function placesIn(text: string, finders: readonly RegExp[]): readonly Place[] {
  const all = finders.flatMap((finder, word) =>
    [...text.matchAll(finder)]
      .slice(0, MAX_PLACES)
      .map(({ index, 0: found }): Place => ({ start: index, end: index + found.length, word })),
  );
  const places: Place[] = [];
  for (const place of all.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (place.start >= (places.at(-1)?.end ?? 0)) places.push(place);
  return places;
}

/** A part of a text that begins before a place: it ends where it has the length of a snippet. */
function windowAt({ start, end }: Place, text: string, places: readonly Place[]) {
  const from = Math.max(0, Math.min(start - BEFORE, text.length - LENGTH));
  const to = Math.max(end, from + LENGTH);
  const inside = places.filter((place) => place.start >= from && place.end <= to);
  return { from, to, inside, words: new Set(inside.map(({ word }) => word)).size };
}

type Window = ReturnType<typeof windowAt>;

/** Returns the text of a window, without parts of words at its ends, and the places in it. */
function snippetOf({ from, to, inside }: Window, text: string): JsonObject {
  const [first, last] = [inside[0]?.start ?? from, inside.at(-1)?.end ?? to];
  const before = from === 0 ? 0 : text.slice(from, first).search(/(?<=\s)\S/);
  const start = from + Math.max(0, before);
  const after = to >= text.length ? -1 : text.slice(last, to).search(/\s\S*$/);
  const end = after < 0 ? Math.min(to, text.length) : last + after;
  const lead = start > 0 ? ELLIPSIS : '';
  return {
    text: `${lead}${text.slice(start, end).toWellFormed()}${end < text.length ? ELLIPSIS : ''}`,
    ranges: inside.map((place) => [place.start, place.end].map((at) => at - start + lead.length)),
  };
}

/** Returns the parts of a text with the most words, in their order. */
function snippetsOf(text: string, finders: readonly RegExp[]): readonly JsonObject[] {
  const places = placesIn(text, finders);
  const windows = places.map((place) => windowAt(place, text, places));
  const chosen: Window[] = [];
  for (const window of windows.toSorted((a, b) => b.words - a.words || b.inside.length - a.inside.length)) {
    const isApart = chosen.every(({ from, to }) => window.to <= from || window.from >= to);
    if (isApart && chosen.length < MAX_SNIPPETS) chosen.push(window);
  }
  return chosen.toSorted((a, b) => a.from - b.from).map((window) => snippetOf(window, text));
}

/**
 * Returns a function that returns the highlights of a document: `{ documentId, locale, texts: { title: [{ text, ranges }] } }`.
 * @param search whose texts the documents have
 */
export function highlighterOf({ words, texts }: WordSearch): (document: Document) => JsonObject {
  const names = texts.flatMap(({ attributes }) => attributes.map(({ name }) => name));
  return ({ documentId, locale, ...values }) => {
    const given = names.flatMap((name) => (values[name] === null ? [] : [[name, String(values[name])] as const]));
    const finders = findersFor(
      words,
      given.map(([, text]) => text),
    );
    const found = given.map(([name, text]) => [name, snippetsOf(text, finders)] as const);
    const shown = Object.fromEntries(found.filter(([, snippets]) => snippets.length > 0));
    return { documentId, ...(locale ? { locale } : {}), texts: shown };
  };
}
