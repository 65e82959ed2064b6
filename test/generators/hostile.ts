/**
 * @module Values that nobody should send. None of them holds a text that `invariants.ts` takes for a leak.
 */
import fc from 'fast-check';

const INJECTIONS = [
  `'`,
  `"`,
  '`',
  `' or '1'='1`,
  `" or ""="`,
  `'); delete from tags; --`,
  `1; drop table tags`,
  `' union all values (1) --`,
  `\\'; --`,
  '/*',
  '--',
  '?1',
  '$1',
  '%',
  '_',
  '\\',
  '%00',
  '\0',
  'a\0b',
  '\r\nx-injected: 1',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '#{7*7}',
  '{{7*7}}',
];

const NAMES_OF_OBJECTS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'length'];

const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1e3',
  '1e308',
  '1e999',
  '-1e999',
  'NaN',
  'Infinity',
  '-Infinity',
  '0x10',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '9'.repeat(400),
  '٣',
  '１２',
];

const TEXTS = [
  '',
  ' ',
  'null',
  'undefined',
  'true',
  'false',
  '*',
  ',',
  ',,,',
  '.',
  ':',
  '[]',
  '{}',
  '{"a":1}',
  '[[[[[[',
  'é',
  'É',
  'ß',
  'İ',
  '\u202Egnirts\u202C',
  '\u0000\uFFFF',
  '🎉',
  '👨‍👩‍👧‍👦',
  'e\u0301',
  '\uFEFF',
  '\u2028',
  'a'.repeat(300),
  '\u{10FFFF}',
];

const DATES = ['2024-02-30', '0000-00-00', '9999-12-31T23:59:59.999Z', '+275760-09-13', '-1', '24:00:00', '2024'];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...INJECTIONS, ...NAMES_OF_OBJECTS, ...NUMBERS, ...TEXTS, ...DATES) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.integer().map(String) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('\uD800', '\uDFFF', 'a'), maxLength: 4 }) },
);

/** Percent-encoded as clients do, half encoded as they should not, or broken. */
export const encoded: (text: string) => fc.Arbitrary<string> = (text) =>
  fc.constantFrom(
    encode(text),
    encode(text),
    encode(text),
    text.replaceAll(/[\s#\p{Cc}]/gu, ''),
    `${encode(text)}%`,
    `%zz${encode(text)}`,
    `%C3${encode(text)}%ED%A0%80`,
  );

export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80');
}

/** Whole query strings that are too long, too deep or too many. */
export const monstrousQueries: readonly string[] = [
  `filters[title]=${'a'.repeat(60_000)}`,
  `filters[title]=${'a'.repeat(100_000)}`,
  `_q=${'%C3%A9'.repeat(10_000)}`,
  `filters[$or]${'[0][$or]'.repeat(200)}[0][title]=a`,
  `filters${'[$not]'.repeat(500)}[title]=a`,
  `filters[title]${'[$not]'.repeat(15)}[$eq]=a`,
  `filters${'[author][articles]'.repeat(9)}[title]=a`,
  `sort=${'author.articles.'.repeat(9)}title`,
  `sort=${Array.from({ length: 30 }, () => 'title').join(',')}`,
  `sort${'[a]'.repeat(200)}=asc`,
  `fields=${'title,'.repeat(5_000)}`,
  `populate=${'author.articles.'.repeat(50)}author`,
  `populate${'[author][populate][articles][populate]'.repeat(4)}=*`,
  `populate=${Array.from({ length: 300 }, () => 'author').join(',')}`,
  `locale=${'en,'.repeat(1_000)}`,
  `pagination[page]=${'9'.repeat(1_000)}`,
  Array.from({ length: 10_000 }, () => 'a=1').join('&'),
  Array.from({ length: 3_000 }, (_, index) => `filters[$or][${index}][title]=a`)
    .join('&')
    .slice(0, 65_000),
  Array.from({ length: 2_100 }, (_, index) => `filters[title][$in][${index}]=${index}`).join('&'),
  Array.from({ length: 1_900 }, () => 'filters[title][$notIn][]=a').join('&'),
  Array.from({ length: 100 }, (_, index) => `locale[${index}]=en`).join('&'),
  `filters[title][99999]=a`,
  `${'['.repeat(500)}=1`,
  `filters[title][$in]=${'1,'.repeat(20_000)}`,
];
