import { afterEach, describe, expect, it, vi } from 'vitest';
import { plural } from '../../../src/common/plural.ts';
import { LANGUAGES, loadTexts, numberText, text } from '../../../studio/texts/text.ts';

const FILES = '{count} user | {count} users';

afterEach(() => {
  vi.unstubAllGlobals();
  return loadTexts('en');
});

describe('a number', () => {
  it.each([
    ['de-DE', ['en-US'], '1.000'],
    ['en-US@posix', ['en-US@posix', 'de-DE'], '1.000'],
    ['', ['*', 'C.UTF-8'], '1,000'],
  ])('is written for the language %j, of %j, that Intl knows', (language, languages, written) => {
    vi.stubGlobal('navigator', { language, languages });
    expect(numberText(1000)).toBe(written);
  });
});

describe('a text with a number', () => {
  it('has the form of the plural rules of English in messages', () => {
    expect([0, 1, 2, 21].map((count) => plural(count, 'file'))).toEqual(['files', 'file', 'files', 'files']);
    expect([1, 2].map((count) => plural(count, 'was', 'were'))).toEqual(['was', 'were']);
  });

  it('has one of two forms in Studio', () => {
    expect([0, 1, 2].map((count) => text(FILES, { count }))).toEqual(['0 users', '1 user', '2 users']);
  });

  it('has the form of the plural rules of a language with more of them', async () => {
    const forms = '{count} plik | {count} pliki | {count} plików | {count} pliku';
    Object.assign(LANGUAGES, { pl: ['Polski', async () => ({ [FILES]: forms })] });
    await loadTexts('pl');
    expect([1, 3, 5, 22].map((count) => text(FILES, { count }))).toEqual(['1 plik', '3 pliki', '5 plików', '22 pliki']);
    Reflect.deleteProperty(LANGUAGES, 'pl');
  });
});
