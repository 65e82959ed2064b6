/**
 * @module Stored values of every kind of attribute, and what a change of the type makes of them.
 */
import { NOTHING } from './change.ts';
import type { AttributeJson, Stored } from './content.ts';

export type Values = readonly [Stored, Stored, Stored];

export const json = (value: unknown): string => JSON.stringify(value);

const paragraph = (text: string): string => JSON.stringify([{ type: 'paragraph', children: [{ type: 'text', text }] }]);

/** Declaration and values of each type. */
export const SCALARS: Readonly<Record<string, readonly [AttributeJson, Values]>> = {
  string: [{ type: 'string' }, ['zebra', 'wombat', null]],
  text: [{ type: 'text' }, ['zebra', "it's", null]],
  richtext: [{ type: 'richtext' }, ['**zebra**', '', null]],
  email: [{ type: 'email' }, ['a@example.com', 'b@example.com', null]],
  uid: [{ type: 'uid' }, ['zebra', 'zebra', 'wombat']],
  enumeration: [{ type: 'enumeration', enum: ['essay', 'report'] }, ['essay', 'report', null]],
  password: [{ type: 'password' }, ['$2a$04$x', '$2a$04$y', null]],
  integer: [{ type: 'integer' }, [12, -3, null]],
  biginteger: [{ type: 'biginteger' }, [12, 9_007_199_254_740_991, null]],
  decimal: [{ type: 'decimal' }, [1.5, 2, null]],
  float: [{ type: 'float' }, [0.25, -7, null]],
  boolean: [{ type: 'boolean' }, [1, 0, null]],
  date: [{ type: 'date' }, ['2024-02-29', '2024-03-01', null]],
  time: [{ type: 'time' }, ['10:20:30.000', '23:59:59.999', null]],
  datetime: [{ type: 'datetime' }, [1_704_153_600_000, 1_704_164_645_678, null]],
  json: [{ type: 'json' }, ['{"a":1}', '"text"', null]],
  blocks: [{ type: 'blocks' }, [paragraph('zebra'), paragraph('wombat'), null]],
  'unique string': [{ type: 'string', unique: true }, ['zebra', 'zebra', 'wombat']],
};

/** Attributes that have a column, with the values of three versions. */
export const STORED: Readonly<Record<string, readonly [AttributeJson, Values]>> = {
  ...SCALARS,
  component: [
    { type: 'component', component: 'shared.card' },
    [json({ id: 1, label: 'one', size: 1 }), json({ id: 2, label: 'two', link: { id: 3, url: '/' } }), null],
  ],
  'list of components': [
    { type: 'component', component: 'shared.card', repeatable: true },
    [json([{ id: 1, label: 'one' }]), json([{ id: 2, label: 'two' }]), '[]'],
  ],
  'dynamic zone': [
    { type: 'dynamiczone', components: ['shared.card', 'shared.note'] },
    [json([{ __component: 'shared.card', id: 1, label: 'one' }]), '[]', null],
  ],
};

export const toAuthor = (relation: string, target = 'author'): AttributeJson => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
});

/** Attributes that have a link table, with what the versions link to. */
export const LINKED: Readonly<Record<string, readonly [AttributeJson, readonly string[]]>> = {
  'relation to one': [toAuthor('manyToOne'), ['x', 'x', 'y']],
  'relation to many': [toAuthor('manyToMany'), ['x', 'y', 'y']],
  'single file': [{ type: 'media', multiple: false }, ['f', 'g', 'f']],
  'list of files': [{ type: 'media', multiple: true }, ['f', 'g', 'f']],
};

export const [STRING, TEXTS] = STORED.string as readonly [AttributeJson, Values];
export const [SINGLE, CARDS] = STORED.component as readonly [AttributeJson, Values];
export const [LIST, LISTS] = STORED['list of components'] as readonly [AttributeJson, Values];
export const [ZONE, ZONES] = STORED['dynamic zone'] as readonly [AttributeJson, Values];
export const [FILE] = LINKED['single file'] as readonly [AttributeJson, readonly string[]];
export const [TO_ONE, TARGETS] = LINKED['relation to one'] as readonly [AttributeJson, readonly string[]];

type Rows = readonly Stored[];

/** From, to, what is stored, what is kept of it. */
export const CONVERSIONS: readonly (readonly [from: string, to: string, stored: Rows, kept: Rows])[] = [
  ['decimal', 'float', [1.5, 2, 0.25], [1.5, 2, 0.25]],
  ['string', 'integer', ['12', 'abc', ''], NOTHING],
  ['integer', 'string', [0, -12, null], ['0', '-12', null]],
  ['string', 'text', ['zebra', '', null], ['zebra', '', null]],
  ['text', 'string', ['zebra', '', null], ['zebra', '', null]],
  ['datetime', 'date', [1_704_153_600_000, 1_704_164_645_678, null], NOTHING],
  ['string', 'biginteger', ['9007199254740992', '12abc', null], NOTHING],
  ['string', 'decimal', ['1.25', 'x', '3'], NOTHING],
  ['string', 'float', ['1.25', 'x', '3'], NOTHING],
  ['string', 'boolean', ['true', '1', null], NOTHING],
  ['string', 'date', ['2024-02-29', 'soon', null], NOTHING],
  ['string', 'time', ['10:20', 'ten', null], NOTHING],
  ['string', 'datetime', ['2024-01-02T03:04:05.678Z', 'soon', null], NOTHING],
  ['string', 'enumeration', ['essay', 'report', null], ['essay', 'report', null]],
  ['string', 'uid', ['zebra', 'zebra', 'wombat'], ['zebra', 'zebra', 'wombat']],
  ['string', 'password', ['zebra', 'wombat', null], NOTHING],
  ['string', 'json', ['plain "text"', '{"a":1}', '12'], ['"plain \\"text\\""', '{"a":1}', '12']],
  ['password', 'string', ['$2a$04$x', null, null], NOTHING],
  ['richtext', 'blocks', ["It's", 'wombat', null], [paragraph("It's"), paragraph('wombat'), null]],
  ['richtext', 'text', ['zebra', '', null], ['zebra', '', null]],
  ['email', 'string', ['a@example.com', null, null], ['a@example.com', null, null]],
  ['uid', 'string', ['zebra', 'zebra', 'wombat'], ['zebra', 'zebra', 'wombat']],
  ['enumeration', 'string', ['essay', 'report', null], ['essay', 'report', null]],
  ['integer', 'biginteger', [12, -3, null], [12, -3, null]],
  ['integer', 'decimal', [12, -3, null], [12, -3, null]],
  ['integer', 'float', [12, -3, null], [12, -3, null]],
  ['integer', 'boolean', [0, 1, 2], NOTHING],
  ['integer', 'datetime', [1_704_164_645_678, 9e15, null], NOTHING],
  ['integer', 'date', [5, null, null], NOTHING],
  ['biginteger', 'integer', [12, -3, null], [12, -3, null]],
  ['biginteger', 'string', [12, 9_007_199_254_740_991, null], ['12', '9007199254740991', null]],
  ['biginteger', 'decimal', [12, -3, null], NOTHING],
  ['decimal', 'integer', [1.5, 2, -3.25], NOTHING],
  ['decimal', 'string', [1.5, 2, null], ['1.5', '2', null]],
  ['float', 'decimal', [0.25, -7, null], [0.25, -7, null]],
  ['float', 'string', [3, 1.5, null], ['3', '1.5', null]],
  ['float', 'integer', [0.25, -7, null], NOTHING],
  ['boolean', 'string', [1, 0, null], ['true', 'false', null]],
  ['boolean', 'json', [1, 0, null], NOTHING],
  ['boolean', 'integer', [1, 0, null], [1, 0, null]],
  ['date', 'string', ['2024-02-29', null, null], ['2024-02-29', null, null]],
  ['date', 'datetime', ['1970-01-02', null, null], [86_400_000, null, null]],
  ['date', 'integer', ['2024-02-29', null, null], NOTHING],
  ['time', 'string', ['10:20:30.000', null, null], NOTHING],
  ['datetime', 'string', [1_704_164_645_678, null, null], ['2024-01-02T03:04:05.678Z', null, null]],
  ['datetime', 'time', [1_704_164_645_678, null, null], NOTHING],
  ['json', 'blocks', ['[{}]', '{}', null], NOTHING],
  ['json', 'string', ['{"a":1}', '"text"', null], NOTHING],
  ['blocks', 'json', [paragraph('zebra'), null, null], [paragraph('zebra'), null, null]],
];

/** The same inside components, as responses show it: from, to, before, after; `null` is lost. */
export const SHOWN_CONVERSIONS: readonly (readonly [from: string, to: string, before: unknown, after: unknown])[] = [
  ['string', 'integer', '12', null],
  ['string', 'integer', null, null],
  ['string', 'biginteger', '9007199254740993', null],
  ['string', 'boolean', 'true', null],
  ['integer', 'boolean', 1, null],
  ['boolean', 'integer', true, 1],
  ['date', 'datetime', '2024-01-02', '2024-01-02T00:00:00.000Z'],
  ['integer', 'decimal', 12, 12],
  ['string', 'datetime', '2024-01-02', null],
  ['string', 'json', "it's", "it's"],
  ['string', 'json', '{"a":[1]}', { a: [1] }],
  ['string', 'json', '-9007199254740991', -9007199254740991],
  ['string', 'json', '9007199254740993', '9007199254740993'],
  ['string', 'json', '{"a":[-9007199254740993]}', '{"a":[-9007199254740993]}'],
  ['string', 'json', '99999999999999999999', '99999999999999999999'],
  ['text', 'blocks', 'x', [{ type: 'paragraph', children: [{ type: 'text', text: 'x' }] }]],
  ['biginteger', 'string', '9007199254740993', '9007199254740993'],
  ['boolean', 'string', false, 'false'],
  ['boolean', 'json', true, null],
  ['blocks', 'json', [{ type: 'quote' }], [{ type: 'quote' }]],
  ['datetime', 'date', '2024-01-02T03:04:05.678Z', null],
  ['datetime', 'string', '2024-01-02T03:04:05.678Z', '2024-01-02T03:04:05.678Z'],
  ['json', 'string', { a: 1 }, null],
  ['decimal', 'string', 1.5, '1.5'],
  ['string', 'password', 'x', null],
];
