/**
 * @module Values as a body may bring them, each with what a reader has to find: written down by hand from the rules of
 * values in docs/writing.md and Strapi's, without the code that stores them.
 */
import type { Dice } from '../support/dice.ts';
import type { ScalarType } from './written-model.ts';

type Pair = readonly [sent: unknown, read: unknown];

const same = (...values: readonly unknown[]): readonly Pair[] => values.map((value) => [value, value]);
const TEXTS = same(
  'plain',
  '',
  ' blanks ',
  'naïve ☃ 😀',
  'it\'s "quoted" \\ `x`',
  'a\nb\tc',
  '$1 {{a}} ?1 %_',
  '0',
  'null',
);
const BLOCKS = [{ type: 'paragraph', children: [{ type: 'text', text: 'a', bold: true }] }];
const NUMBERS: readonly Pair[] = [...same(0, 1.5, -2.25, 1e10), ['1.25', 1.25], [' 7 ', 7], ['1e2', 100], [[3], 3]];

const PAIRS: Readonly<Record<ScalarType, readonly Pair[]>> = {
  string: TEXTS,
  text: TEXTS,
  richtext: TEXTS,
  integer: [...same(0, -5, 2_147_483_647), ['12', 12], ['0x10', 16], ['1e2', 100], [[3], 3]],
  biginteger: [...same('0', '-12', '9223372036854775807'), [42, '42'], ['007', '7']],
  decimal: NUMBERS,
  float: NUMBERS,
  boolean: [...same(true, false), ['TRUE', true], ['false', false], [1, true], ['0', false]],
  date: [...same('2024-02-29', '1969-12-31'), ['2024-05-06T07:08:09.000Z', '2024-05-06']],
  datetime: [
    ...same('2024-05-06T07:08:09.012Z'),
    ['2024-05-06', '2024-05-06T00:00:00.000Z'],
    [1_700_000_000_012, '2023-11-14T22:13:20.012Z'],
    ['2024-05-06T07:08:09+02:00', '2024-05-06T05:08:09.000Z'],
  ],
  time: [...same('07:08:09.012'), ['07:08:09', '07:08:09.000'], ['07:08:09.1', '07:08:09.100']],
  email: same('zed@example.com', 'a+b@sub.example.org'),
  enumeration: same('a', 'b', 'c d'),
  json: [
    ...same({ a: [1, { b: null }], 'c.d': 'e' }, [], [1, 'two', false], 5, 'plain text', true, false),
    ['{"a":1}', { a: 1 }],
    ['1', 1],
    ['null', null],
    ['"q"', '"q"'],
  ],
  blocks: [...same([], BLOCKS), [JSON.stringify(BLOCKS), BLOCKS]],
};

/** A value of a scalar, or null. */
export function scalarPair(type: ScalarType, dice: Dice): Pair {
  const pairs = PAIRS[type] as readonly [Pair, ...Pair[]];
  return dice.once(8) ? [null, null] : dice.pick(pairs);
}
