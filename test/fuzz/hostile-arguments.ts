/**
 * @module JSON that no tool expects.
 */
import fc from 'fast-check';

const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};

const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, 2 ** 53, '', ' ', '\0', '\ud800', '\uffff', '..', '%', '__proto__', 'a'.repeat(5_000)],
  ...[
    [],
    [[]],
    [null],
    {},
    { '': '' },
    { toString: 1 },
    { valueOf: {}, toString: null },
    { toJSON: 1 },
    { length: 1e9 },
  ],
  ...[JSON.parse('{"__proto__":{"toString":1},"constructor":{"prototype":1}}'), [{ toString: 1 }], { $eq: null }],
  ...[{ id: { toString: 1 } }, { connect: [{ toString: 1 }] }, { '\ud800': '\ud800' }, { $and: { $or: [] } }],
  nested(40, (inner) => [inner]),
  nested(40, (inner) => ({ $and: [inner] })),
  nested(3_000, (inner) => [inner]),
  nested(3_000, (inner) => ({ a: inner })),
  Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index])),
];

/** Texts, plain and broken. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    'title',
    '*',
    'draft',
    'en',
    'zz',
    '"',
    'createdAt:desc',
    '\ud800',
    '../..',
    'a\r\nb: c',
    'x'.repeat(300),
  ),
);

export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...VALUES),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.constantFrom('title', 'author', '$eq', '$or', '__proto__', 'fields', 'populate', '*'), texts),
);
