/**
 * @module Values of each scalar type by chance: as bodies bring them and as readers find them, those that fit no attribute,
 * and operands of filters. Written by hand from docs/writing.md and Strapi's rules, without the code that stores them. A new
 * type joins all fuzzers by its entry.
 */
import fc from 'fast-check';
import { sameFor } from '../../src/common/same-for.ts';
import type { ScalarType } from '../../src/schema/fields.ts';
import type { ScalarAttribute } from '../../src/schema/model.ts';

/** A value of a body, and what is read afterwards. */
export type Pair = readonly [sent: unknown, read: unknown];

/** As much of an attribute as decides which values fit. */
export type Limits = Pick<ScalarAttribute, 'type' | 'enum' | 'min' | 'max'>;

interface Values {
  readonly pairs: (attribute: Limits) => fc.Arbitrary<Pair>;
  /** Values that are rejected, also in a draft. */
  readonly wrong: readonly unknown[];
  /** Operands; absent: words. */
  readonly operands?: fc.Arbitrary<string>;
}

const same = (...values: readonly unknown[]): readonly Pair[] => values.map((value) => [value, value]);

/** Some values that are worth a try, and any others that are read as they are sent. */
const either = (listed: readonly Pair[], any?: fc.Arbitrary<unknown>): fc.Arbitrary<Pair> =>
  fc.oneof(fc.constantFrom(...listed), ...(any ? [any.map((value): Pair => [value, value])] : []));

const within = (pairs: readonly Pair[], { min = -Infinity, max = Infinity }: Limits): readonly Pair[] =>
  pairs.filter(([, read]) => Number(read) >= min && Number(read) <= max);

const moment = fc.date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2100-01-01') });
const iso = moment.map((date) => date.toISOString());
const days = iso.map((text) => text.slice(0, 10));
const times = iso.map((text) => text.slice(11, 23));
const bigIntegers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const numbers = fc
  .oneof(fc.integer({ min: -5, max: 200 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map(String);

/** Fractions that are exact in binary. */
const quarters = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: Math.ceil(min * 4), max: Math.floor(max * 4) }).map((count) => count / 4);

const WORDS = [
  ...['abc', 'Zed', 'a longer text', 'plain', '', ' blanks ', 'naïve ☃ 😀', 'it\'s "quoted" \\ `x`', 'a\nb\tc'],
  ...['$1 {{a}} ?1 %_', '0', 'null', 'a\0b'],
];
const PARAGRAPH = { type: 'paragraph', children: [{ type: 'text', text: 'a', bold: true }] };
const HEADING = { type: 'heading', level: 2, children: [{ type: 'text', text: 'a' }] };

const text: Values = {
  pairs: () => either(same(...WORDS), fc.string({ unit: 'grapheme', maxLength: 20 })),
  wrong: [5, true, {}, ['a']],
};
const INTEGERS: readonly Pair[] = [
  ...same(0, -5, 130, 2_147_483_647),
  ['12', 12],
  ['0x10', 16],
  ['1e2', 100],
  [[3], 3],
];
const NUMBERS: readonly Pair[] = [...same(0, 1.5, -2.25, 1e10), ['1.25', 1.25], [' 7 ', 7], ['1e2', 100], [[3], 3]];
const number: Values = {
  pairs: (limits) => {
    const { min = -1e6, max = 1e6 } = limits;
    return either(within(NUMBERS, limits), quarters(min, max));
  },
  wrong: ['no number', {}, true],
  operands: numbers,
};

const VALUES: Readonly<Record<ScalarType, Values>> = {
  ...sameFor(['string', 'text', 'richtext'], text),
  password: { ...text, pairs: () => fc.constantFrom(['Passw0rd', undefined]) },
  email: { ...text, pairs: () => either(same('zed@example.com', 'a+b@sub.example.org')) },
  uid: { ...text, pairs: () => either(same('a', 'a-b_c.d~e'), fc.stringMatching(/^[a-z0-9-]{1,8}$/)) },
  enumeration: { pairs: ({ enum: names = [] }) => either(same(...names)), wrong: ['nope', 5, {}] },
  integer: {
    ...number,
    pairs: (limits) =>
      either(within(INTEGERS, limits), fc.integer({ min: limits.min ?? -200, max: limits.max ?? 2_147_483_647 })),
  },
  ...sameFor<'decimal' | 'float', Values>(['decimal', 'float'], number),
  biginteger: {
    pairs: () => either([...same('0', '-12', '9223372036854775807'), [42, '42'], ['007', '7']], bigIntegers),
    wrong: ['x', {}, 1.5],
    operands: bigIntegers,
  },
  boolean: {
    pairs: () => either([...same(true, false), ['TRUE', true], ['false', false], [1, true], ['0', false]]),
    wrong: ['x', 5, {}],
    operands: fc.constantFrom('true', 'false', '1', '0', 't', 'f', 'x'),
  },
  date: {
    pairs: () => either([...same('2024-02-29', '1969-12-31'), ['2024-05-06T07:08:09.000Z', '2024-05-06']], days),
    wrong: ['x', {}, '2024-02-30'],
    operands: days,
  },
  datetime: {
    pairs: () =>
      either(
        [
          ...same('2024-05-06T07:08:09.012Z'),
          ['2024-05-06', '2024-05-06T00:00:00.000Z'],
          [1_700_000_000_012, '2023-11-14T22:13:20.012Z'],
          ['2024-05-06T07:08:09+02:00', '2024-05-06T05:08:09.000Z'],
        ],
        iso,
      ),
    wrong: ['x', {}],
    operands: iso,
  },
  time: {
    pairs: () => either([...same('07:08:09.012'), ['07:08:09', '07:08:09.000'], ['07:08:09.1', '07:08:09.100']], times),
    wrong: ['x', {}, '25:00:00'],
    operands: times,
  },
  json: {
    pairs: () =>
      either(
        [
          ...same({ a: [1, { b: null }], 'c.d': 'e' }, [], [1, 'two', false], 5, 'plain text', true, false),
          ['{"a":1}', { a: 1 }],
          ['1', 1],
          ['null', null],
          ['"q"', '"q"'],
        ],
        // Bodies with this key are rejected as a whole.
        fc
          .jsonValue({ maxDepth: 2 })
          .filter((value) => !JSON.stringify(value).includes('__proto__'))
          .map((value) => [value]),
      ),
    wrong: [],
  },
  blocks: {
    pairs: () => either([...same([], [PARAGRAPH], [PARAGRAPH, HEADING]), [JSON.stringify([HEADING]), [HEADING]]]),
    wrong: [[{ type: 'nope' }]],
  },
};

/** A value that fits, with what is read of it. */
export const pairOf = (attribute: Limits): fc.Arbitrary<Pair> => VALUES[attribute.type].pairs(attribute);

/** A value that fits. */
export const fittingValue = (attribute: Limits): fc.Arbitrary<unknown> => pairOf(attribute).map(([sent]) => sent);

/** Values that are rejected wherever an attribute of the type is. */
export const wrongOf = ({ type }: Limits): readonly unknown[] => VALUES[type].wrong;

/** @param word an operand of what is compared as text */
export const operandOf = ({ type, enum: names }: Limits, word: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  names ? fc.oneof(fc.constantFrom(...names), word) : (VALUES[type].operands ?? word);
