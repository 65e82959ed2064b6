/**
 * @module Which names are the same to their readers.
 */
import { describe, expect, it } from 'vitest';
import { nameKey } from '../../../src/schema/name-key.ts';

describe('the key of a name', () => {
  it.each([
    ['letter case', 'Mira', 'mIRA'],
    ['letter case beyond ASCII', 'ÉLAN', 'élan'],
    ['the end of a Greek word', 'ΟΔΟΣ', 'οδος'],
    ['ß', 'STRASSE', 'straße'],
    ['a capital ß', 'STRAẞE', 'Straße'],
    ['an i without its dot', 'mıra', 'MIRA'],
    ['the sign for kelvin', '\u212arone', 'krone'],
    ['a ligature', 'ﬁre', 'FIRE'],
    ['width', 'ｍｉｒａ', 'mira'],
    ['how an accent is written', 'e\u0301lan', 'élan'],
    ['spaces', ' mira \u3000 b', 'mira b'],
    ['what is not shown', 'm\u200bi\u00adra\ufeff\u2060', 'mira'],
    ['control characters', 'mi\u0000r\u001ba\u007f', 'mira'],
    ['line breaks, tabs and blanks of Braille from spaces', 'mi\tr\u0085a\u2800\n', 'mi r a'],
  ])('does not tell %s', (_, one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it.each(['Mira', ' a b ', 'STRASSE', 'İstanbul', 'ΟΔΟΣ', 'ﬃ', 'e\u0301', '\u0345', 'ŉ', 'ǰ'])(
    'of a key is itself: %s',
    (name) => {
      expect(nameKey(nameKey(name))).toBe(nameKey(name));
    },
  );

  /** All but surrogates, and what is neither assigned nor ignorable. */
  const CODE_POINTS = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((text) => /[^\p{Cn}\p{Co}]|\p{Default_Ignorable_Code_Point}/u.test(text));
  const codesOf = (texts: readonly string[]) => texts.map((text) => text.codePointAt(0)?.toString(16));

  /** The characters of which this is not so; they are looked at in groups first, which takes a tenth of the time. */
  function failing(holds: (texts: readonly string[]) => boolean): readonly (string | undefined)[] {
    const groups = Array.from({ length: Math.ceil(CODE_POINTS.length / 100) }, (_, group) =>
      CODE_POINTS.slice(100 * group, 100 * group + 100),
    );
    return codesOf(groups.filter((group) => !holds(group)).flatMap((group) => group.filter((text) => !holds([text]))));
  }

  it('is its own key, whatever characters the name has', () => {
    const around = (text: string) => `${text} a${text}b ${text}\u0307 \u03a3${text}\u03a3 `;
    const isStable = (name: string) => nameKey(nameKey(name)) === nameKey(name);
    expect(failing((texts) => isStable(texts.map(around).join('')) && isStable(texts.join('')))).toEqual([]);
  });

  it('has nothing that is not shown, and white space as one space', () => {
    const isBlank = (text: string) => /\p{White_Space}/u.test(text);
    const isHidden = (text: string) =>
      /\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{Variation_Selector}/u.test(text);
    const wrong = CODE_POINTS.filter(
      (text) => (isBlank(text) || isHidden(text)) && nameKey(`ad${text}min`) !== (isBlank(text) ? 'ad min' : 'admin'),
    );
    expect(codesOf(wrong)).toEqual([]);
    expect(CODE_POINTS.filter(isHidden).length).toBeGreaterThan(4_000);
  });

  it.each<[string, (text: string) => string]>([
    ['in capitals', (text) => text.toUpperCase()],
    ['in small letters', (text) => text.toLowerCase()],
    ['decomposed', (text) => text.normalize('NFD')],
    ['in its compatible form', (text) => text.normalize('NFKC')],
  ])('is the same of a name %s', (_, formOf) => {
    const keyOf = (texts: readonly string[]) => nameKey(texts.map((text) => `x${text}y`).join(''));
    expect(failing((texts) => keyOf(texts.map(formOf)) === keyOf(texts))).toEqual([]);
  });

  it('tells letters of other scripts, accents and punctuation', () => {
    expect(new Set(['mira', 'mіra', 'míra', 'mi-ra', 'mi ra', 'mi.ra'].map(nameKey)).size).toBe(6);
  });
});
