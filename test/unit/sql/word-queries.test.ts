/**
 * @module What finds the words of a search: trigrams of an index, and the forms of each word in texts.
 */
import { describe, expect, it } from 'vitest';
import { joinMatches, matchOfWords, trigramsOf } from '../../../src/content/sql/read/trigrams.ts';
import { wordForms } from '../../../src/content/sql/read/word-forms.ts';

describe('a text', () => {
  it.each<[string | number | null, string | undefined]>([
    ['abcd', '"abc" AND "bcd"'],
    ['abc', '"abc"'],
    ['ab', undefined],
    ['', undefined],
    ['aaaaa', '"aaa"'],
    ['a"b', '"a""b"'],
    ['🙂ab', '"🙂ab"'],
    ['abc\0def', undefined],
    [12345, undefined],
    [null, undefined],
  ])('has trigrams: %j', (text, expected) => {
    expect(trigramsOf(text)).toBe(expected);
  });

  it('has 24 of them at most, from all of it', () => {
    const text = Array.from({ length: 74 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('');
    const trigrams = trigramsOf(text)?.split(' AND ') ?? [];
    expect(trigrams).toHaveLength(24);
    expect(trigrams.map((each) => text.indexOf(each.slice(1, -1)))).toEqual(
      Array.from({ length: 24 }, (_, index) => index * 3),
    );
    expect(trigramsOf(text.slice(0, 26))?.split(' AND ')).toHaveLength(24);
  });
});

it.each<[readonly (string | undefined)[], 'AND' | 'OR', string | undefined]>([
  [['a', 'b'], 'AND', '(a) AND (b)'],
  [['a', undefined], 'AND', '(a)'],
  [[undefined], 'AND', undefined],
  [[], 'AND', undefined],
  [['a', 'b'], 'OR', '(a) OR (b)'],
  [['a', undefined], 'OR', undefined],
])('matches %j are joined by %s, unless rows without one may be found', (matches, operator, expected) => {
  expect(joinMatches(matches, operator)).toBe(expected);
});

it('a long word is also matched by its parts before and behind another letter, if it may be near', () => {
  expect(matchOfWords(['abc', 'xy'], true)).toBe('("abc")');
  expect(matchOfWords(['abcdefgh'], false)).toBe(`(${trigramsOf('abcdefgh')})`);
  // The other letter is among the first three, or one of the next, …
  const around = [
    ['', 'defgh'],
    ['abc', 'efgh'],
    ['abcd', 'fgh'],
    ['abcde', ''],
  ].map((parts) => joinMatches(parts.map(trigramsOf), 'AND'));
  expect(matchOfWords(['abcdefgh', 'abc'], true)).toBe(`(${joinMatches(around, 'OR')}) AND ("abc")`);
});

describe('a word', () => {
  const textsOf = (word: string, isNear = false) => wordForms([word], isNear)[0]?.map(({ text }) => text);

  it('is looked for in lower case, in capitals, and with a capital, where these differ beyond A–Z', () => {
    expect(textsOf('night')).toEqual(['night']);
    expect(textsOf('été')).toEqual(['été', 'ÉtÉ', 'Été']);
  });

  it('begins behind a space, unless its script has none', () => {
    expect(wordForms(['night'], false)[0]?.[0]).toMatchObject({ letters: '%night%', start: '% night%', led: ' night' });
    expect(wordForms(['京'], false)[0]?.[0]).toMatchObject({ letters: '%京%', start: '%京%', led: '京' });
  });

  it('has another letter at each place, if it is long and may be near', () => {
    const near = (word: string, isNear: boolean) => wordForms([word], isNear)[0]?.filter(({ inner }) => inner);
    expect(near('harbour', false)).toEqual([]);
    expect(near('bay', true)).toEqual([]);
    expect(near('harbour', true)?.map(({ letters }) => letters)).toEqual([
      ...['%_arbour%', '%h_rbour%', '%ha_bour%', '%har_our%', '%harb_ur%', '%harbo_r%', '%harbou_%'],
    ]);
    expect(near('harbour', true)?.[1]).toMatchObject({ start: '% h_rbour%', inner: '*[^0-9a-z]h?rbour*' });
    // Beyond the length of a pattern.
    expect(near('x'.repeat(60), true)).toEqual([]);
    expect(wordForms(['x'.repeat(60)], true)[0]).toHaveLength(1);
  });
});
