/**
 * @module Values of JSON that nobody should send, and bodies that fit but for one or two of them, at any place.
 */
import fc from 'fast-check';
import { hostileText } from './hostile.ts';

/** Values of JSON that have no text of their own are written after the rest: by name in, as text out. */
const RAW: Readonly<Record<string, string>> = {
  '<huge>': '1e400',
  '<minus zero>': '-0',
  '<long number>': '9'.repeat(400),
  '<prototype>': '{"__proto__":{"toString":1},"constructor":{"prototype":1}}',
  '<twice>': '{"id":1,"id":{},"documentId":"a","documentId":{"documentId":1}}',
  '<deep>': `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  '<deep within limits>': `${'[{"a":'.repeat(40)}1${'}]'.repeat(40)}`,
  '<half a pair>': '"\\ud800 \\u0000 \\uffff"',
};

const deepText = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const listItems = (levels: number): string =>
  `${'[{"type":"list","format":"ordered","children":'.repeat(levels)}[]${'}]'.repeat(levels)}`;

const nested = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown = 1): unknown =>
  levels === 0 ? inner : nested(levels - 1, wrap, wrap(inner));

const OBJECTS: readonly unknown[] = [
  ...[[], [[]], [null], [[[{}]]], {}, { '': '' }, { '\ud800': '\ud800' }, [{ toString: 1 }]],
  ...[{ toString: 1 }, { valueOf: {}, toString: null }, { toString: 'x', length: 1e9 }, { length: 1e9 }, { toJSON: 1 }],
  ...[{ constructor: { name: 1 } }, JSON.parse('{"__proto__":{"toString":1},"constructor":{"prototype":1}}')],
  ...[{ documentId: {} }, { documentId: null, id: {} }, { id: [] }, { id: { toString: 1 } }],
  ...[{ id: { toString: 1 }, position: { before: { toString: 1 } } }, { set: { toString: 1 } }],
  ...[{ connect: [{ toString: 1 }, [[]]], disconnect: { id: {} } }, { connect: { documentId: [], position: [] } }],
  ...[{ __component: { toString: 1 } }, { __component: '__proto__' }, { __component: ['blocks.quote'] }],
  ...[{ type: { toString: 1 } }, { type: 'list', format: { toString: 1 }, children: [] }],
  { type: 'heading', level: { valueOf: 1, toString: 1 }, children: [] },
  { type: 'paragraph', children: [{ type: 'link', url: { toString: 1 }, children: [] }] },
  { type: 'image', image: { url: { toString: 1 }, width: { valueOf: 1 } }, children: [] },
  ...[{ $eq: null }, { $and: { $or: [] } }, nested(40, (inner) => [inner]), nested(40, (inner) => ({ $and: [inner] }))],
];

/** Too large for what walks through a body. */
const LARGE: readonly unknown[] = [
  ...[nested(3_000, (inner) => [inner]), nested(3_000, (inner) => ({ a: inner }))],
  Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index])),
];

const SCALARS: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -1e308, 1e21, 0.1, 2 ** 53, 2 ** 63, '..', 'a'.repeat(5_000)],
  ...['{"toString":1}', '1e400', '2024-13-45', '275760-09-13T00:00:00Z', '99:99:99'],
  ...[deepText(90), deepText(400), deepText(2_000), listItems(40), listItems(600)],
  '[{"type":"paragraph","children":[{"type":"text","text":{"toString":1}}]}]',
];

const key = fc.constantFrom(
  ...[
    'title',
    'author',
    '$eq',
    '$or',
    'connect',
    'disconnect',
    'set',
    '__component',
    '__proto__',
    'fields',
    'populate',
  ],
);

const small: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...OBJECTS) },
  { weight: 4, arbitrary: fc.constantFrom(...SCALARS) },
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.dictionary(key, hostileText, { maxKeys: 3 }) },
);

/** A value of JSON that fits nowhere. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 9, arbitrary: small },
  { weight: 1, arbitrary: fc.constantFrom(...LARGE) },
);

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 20, arbitrary: small },
  { weight: 4, arbitrary: fc.constantFrom(...Object.keys(RAW)) },
  { weight: 1, arbitrary: fc.constant('a'.repeat(1_000_000)) },
);

type Path = readonly string[];

const isBranch = (node: unknown): node is Record<string, unknown> => typeof node === 'object' && node !== null;

/** The path of every value in a value, its own first. */
const placesIn = (node: unknown, path: Path = []): readonly Path[] => [
  path,
  ...(isBranch(node) ? Object.keys(node).flatMap((key) => placesIn(node[key], [...path, key])) : []),
];

function replaced(node: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (!isBranch(node)) return node;
  const changed = replaced(node[key], rest, by);
  if (Array.isArray(node)) return node[Number(key)] === undefined ? node : node.with(Number(key), changed);
  return { ...node, [key]: changed };
}

/** One or two values of a body replaced; the same place may be meant twice. */
export const withHostileValues = (body: unknown): fc.Arbitrary<unknown> => {
  const place = fc.constantFrom(...placesIn(body));
  return fc
    .array(fc.tuple(place, value), { minLength: 1, maxLength: 2 })
    .map((changes) => changes.reduce((node, [path, by]) => replaced(node, path, by), body));
};

/** The text of a body, with what `JSON.stringify` would not write. */
export const hostileJson = (body: unknown): string =>
  Object.entries(RAW).reduce(
    (text, [name, raw]) => text.replaceAll(JSON.stringify(name), () => raw),
    JSON.stringify(body) ?? '',
  );

/** The same as a form: keys in brackets, and everything text. */
export function hostileForm(body: unknown): string {
  const pairs = placesIn(body).flatMap((path) => {
    const found = path.reduce<unknown>((node, key) => (isBranch(node) ? node[key] : undefined), body);
    if (isBranch(found) || path.length === 0) return [];
    const [name = '', ...rest] = path;
    const key = name + rest.map((part) => `[${part}]`).join('');
    return [`${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(String(found).toWellFormed())}`];
  });
  return pairs.join('&');
}
