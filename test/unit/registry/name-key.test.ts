/**
 * @module Which names are the same to their readers.
 */
import { describe, expect, it } from 'vitest';
import { nameKey } from '../../../src/registry/name-key.ts';

describe('the key of a name', () => {
  it.each([
    ['letter case', 'Mira', 'mIRA'],
    ['letter case beyond ASCII', 'ÉLAN', 'élan'],
    ['the end of a Greek word', 'ΟΔΟΣ', 'οδος'],
    ['ß', 'STRASSE', 'straße'],
    ['an i without its dot', 'mıra', 'MIRA'],
    ['the sign for kelvin', '\u212arone', 'krone'],
    ['a ligature', 'ﬁre', 'FIRE'],
    ['width', 'ｍｉｒａ', 'mira'],
    ['how an accent is written', 'e\u0301lan', 'élan'],
    ['spaces', ' mira \u3000 b', 'mira b'],
    ['what is not shown', 'm\u200bi\u00adra\ufeff\u2060', 'mira'],
  ])('does not tell %s', (_, one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it.each(['Mira', ' a b ', 'STRASSE', 'İstanbul', 'ΟΔΟΣ', 'ﬃ', 'e\u0301', '\u0345', 'ŉ', 'ǰ'])(
    'of a key is itself: %s',
    (name) => {
      expect(nameKey(nameKey(name))).toBe(nameKey(name));
    },
  );

  it('tells letters of other scripts, accents and punctuation', () => {
    expect(new Set(['mira', 'mіra', 'míra', 'mi-ra', 'mi ra', 'mi.ra'].map(nameKey)).size).toBe(6);
  });
});
