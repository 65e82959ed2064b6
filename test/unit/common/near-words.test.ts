/**
 * @module The word that was probably meant.
 */
import { expect, it } from 'vitest';
import { nearest, suggestion } from '../../../src/common/near-words.ts';

it.each([
  ['title', 'title', 'it is the same'],
  ['TI_tle', 'title', 'only case and signs differ'],
  ['tile', 'title', 'a letter is missing'],
  ['titlle', 'title', 'a letter is too many'],
  ['title', 'titles', 'the last letter is missing'],
  ['titxe', 'title', 'a letter is another'],
  ['itxe', 'itme', 'a letter of four is another'],
  ['itlet', 'tilet', 'two letters are swapped'],
  ['titel', 'title', 'the last two letters are swapped'],
  ['pubxishxd', 'published', 'two letters of a long word are others'],
  ['pubilhsed', 'published', 'two pairs of a long word are swapped'],
  ['articxx', 'article', 'two letters of seven are others'],
])('%s may mean %s: %s', (word, known) => {
  expect(nearest(word, ['other', known])).toBe(known);
});

it.each([
  ['ttx', 'tte', 'a word of three letters is too short'],
  ['ab', 'ba', 'a word of two letters is too short'],
  ['xxtle', 'title', 'two letters of five are others'],
  ['ixtle', 'title', 'a letter has moved, and another is wrong'],
  ['xttle', 'title', 'a letter has moved, and another is wrong'],
  ['itxxe', 'title', 'two letters are swapped, and two wrong'],
  ['tixxes', 'titles', 'two letters of six are others'],
  ['pxbxisxed', 'published', 'three letters of a long word are others'],
  ['', 'title', 'there is nothing'],
])('%s does not mean %s: %s', (word, known) => {
  expect(nearest(word, [known])).toBeUndefined();
});

it('prefers the nearer word to the one before it', () => {
  expect(nearest('Title', ['titles', 'titel', 'title'])).toBe('title');
});

it('is suggested behind the word, if there is one', () => {
  expect(suggestion('titel', ['title'])).toBe(' (did you mean title?)');
  expect(suggestion('summary', ['title'])).toBe('');
});
