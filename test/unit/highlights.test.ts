/**
 * @module Parts of texts around the words of a search.
 */
import { describe, expect, it } from 'vitest';
import { highlighterOf } from '../../src/content/document/highlights.ts';
import type { WordSearch } from '../../src/content/plan/model/read-plan.ts';
import { isScalar } from '../../src/schema/attribute-kinds.ts';
import { contentType, registryOf } from '../support/schema-files.ts';

const type = registryOf([contentType('note', { body: { type: 'text' } })]).contentTypes.get(
  'api::note.note',
) as NonNullable<WordSearch['type']>;
const body = [type.attributes.get('body')].filter(isScalar);

interface Snippet {
  readonly text: string;
  readonly ranges: readonly (readonly [number, number])[];
}

const searchFor = (words: readonly string[]): WordSearch => ({
  ...{ kind: 'words', type, words, versions: { status: 'published' } },
  texts: [{ weight: 1, attributes: body }],
});

/** The snippets of a text. */
function snippetsOf(text: string | null, ...words: readonly string[]): readonly Snippet[] {
  const { texts } = highlighterOf(searchFor(words))({ documentId: 'a', body: text }) as unknown as {
    texts: { body?: readonly Snippet[] };
  };
  return texts.body ?? [];
}

const foundIn = ({ text, ranges }: Snippet): readonly string[] => ranges.map(([start, end]) => text.slice(start, end));
const filler = (words: number): string => 'lorem ipsum '.repeat(words / 2);

describe('a long word', () => {
  const long = 'lighthouse'.repeat(4).slice(0, 38);

  it('is shown with another letter, as far as it may be found so', () => {
    expect(snippetsOf(`x ${long}`, `${long.slice(0, -1)}x`)).toHaveLength(1);
    expect(snippetsOf(`x ${long}s`, `${long}x`)).toEqual([]);
  });
});

describe('a text', () => {
  it('comes as a whole if it is short', () => {
    expect(snippetsOf('A night, a Nightingale.', 'night')).toEqual([
      {
        text: 'A night, a Nightingale.',
        ranges: [
          [2, 7],
          [11, 16],
        ],
      },
    ]);
    expect(snippetsOf('midnight', 'night')).toEqual([]);
    expect(snippetsOf(null, 'night')).toEqual([]);
    expect(snippetsOf(null, 'null')).toEqual([]);
    for (const text of ['the dark night is long', `the night ${'x '.repeat(95)}`])
      expect(snippetsOf(text, 'night').map((each) => each.text)).toEqual([text]);
  });

  it('comes in parts of whole words around what was found if it is long, three at most', () => {
    const long = `${filler(60)}the harbour at night ${filler(60)}a harbour ${filler(60)}night ${filler(60)}night ${filler(60)}`;
    const snippets = snippetsOf(long, 'harbour', 'night');
    expect(snippets.map(foundIn)).toEqual([['harbour', 'night'], ['harbour'], ['night']]);
    for (const { text } of snippets) {
      expect(text).toMatch(/^…(lorem|ipsum) .* (lorem|ipsum)…$/);
      expect(text.length).toBeLessThanOrEqual(202);
      expect(long).toContain(text.slice(1, -1));
    }
  });

  it('has the parts with the most words first, and of these those with the most places', () => {
    const found = (...parts: readonly string[]) =>
      snippetsOf(parts.join(` ${filler(60)}`), 'harbour', 'night').map((each) => foundIn(each).join(' '));
    expect(found('night', 'night', 'night', 'night night')).toEqual(['night', 'night', 'night night']);
    const often = 'night night night';
    expect(found(often, often, often, 'harbour night')).toEqual([often, often, 'harbour night']);
  });

  it('has two parts where one ends at the unit where the other begins', () => {
    for (const second of ['night', 'night harbour']) {
      const text = `night${' x'.repeat(117)} ${second}${' x'.repeat(150)}`;
      expect(snippetsOf(text, 'harbour', 'night').map(foundIn)).toEqual([['night'], second.split(' ')]);
    }
  });

  it('ends with what was found if no other word fits behind it', () => {
    expect(snippetsOf(`night ${'x'.repeat(300)}`, 'night').map(({ text }) => text)).toEqual(['night…']);
  });

  it('has words that begin anywhere where no blanks are between words', () => {
    expect(snippetsOf('東京都', '京').map(foundIn)).toEqual([['京']]);
  });

  it('has no mark at its own ends', () => {
    const [first, last] = snippetsOf(`night ${filler(100)} night`, 'night');
    expect(first?.text).toMatch(/^night .*…$/);
    expect(last?.text).toMatch(/^….* night$/);
    expect([first, last].map((each) => each && foundIn(each))).toEqual([['night'], ['night']]);
  });

  it('has places in UTF-16 units, and no half of a character', () => {
    expect(snippetsOf('🙂 night', 'night')).toEqual([{ text: '🙂 night', ranges: [[3, 8]] }]);
    const [cut] = snippetsOf(`${'🙂'.repeat(100)} night ${'🙂'.repeat(101)}`, 'night');
    expect(cut && foundIn(cut)).toEqual(['night']);
    expect(cut?.text.isWellFormed()).toBe(true);
  });

  it('has a long word with another letter if no text has it as it is', () => {
    expect(snippetsOf('lighthouse', 'lighthause').map(foundIn)).toEqual([['lighthouse']]);
    expect(snippetsOf('lighthouse, lighthause', 'lighthause').map(foundIn)).toEqual([['lighthause']]);
    expect(snippetsOf('lighthause, lighthouse', 'lighthause').map(foundIn)).toEqual([['lighthause']]);
    expect(snippetsOf('shaps', 'ships')).toEqual([]);
  });

  it('has the longer of two words at one place, in any case', () => {
    expect(snippetsOf('École d’été', 'éc', 'école', 'été').map(foundIn)).toEqual([['École', 'été']]);
  });

  it('has a word that is longer than a part', () => {
    const word = 'donaudampf'.repeat(30);
    expect(snippetsOf(`${filler(60)}${word} ${filler(60)}`, word).map(foundIn)).toEqual([[word]]);
  });
});

it('a document has its locale, if it has one, and the texts in which something was found', () => {
  const highlighted = highlighterOf(searchFor(['night']));
  expect(highlighted({ documentId: 'a', locale: '', body: 'day' })).toStrictEqual({ documentId: 'a', texts: {} });
  expect(highlighted({ documentId: 'a', locale: 'en', body: 'night' })).toStrictEqual({
    ...{ documentId: 'a', locale: 'en' },
    texts: { body: [{ text: 'night', ranges: [[0, 5]] }] },
  });
});
