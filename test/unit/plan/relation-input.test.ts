/**
 * @module What the value of a relation in a body sets, connects and disconnects.
 */
import { describe, expect, it } from 'vitest';
import { isMixed, relationInput, type TargetRef } from '../../../src/content/plan/relations/relation-input.ts';
import type { LinkAttribute } from '../../../src/schema/model.ts';
import { attributeOf, relation } from '../../support/schema-files.ts';

const ATTRIBUTES = {
  one: relation('manyToOne', 'thing'),
  many: relation('manyToMany', 'thing'),
  file: { type: 'media', multiple: false },
  files: { type: 'media', multiple: true },
  typed: { type: 'relation', relation: 'morphToOne' },
  'typed list': { type: 'relation', relation: 'morphToMany' },
};
type Kind = keyof typeof ATTRIBUTES;

const inputOf = (kind: Kind, value: unknown, emptySetClears = false) =>
  relationInput(attributeOf(ATTRIBUTES[kind]) as LinkAttribute, value, emptySetClears);

/** `set=a,#5`: a target by its documentId, one by its id; `?` has no name. */
function printed(kind: Kind, value: unknown, emptySetClears = false): string {
  const input = inputOf(kind, value, emptySetClears);
  if (!input) return 'nothing';
  const names = (refs: readonly TargetRef[]) =>
    refs.map(({ documentId, id }) => documentId ?? (id === undefined ? '?' : `#${id}`)).join();
  const { set, connect, disconnect, others, isLenient } = input;
  const lists = Object.entries({ connect, disconnect, others }).filter(([, refs]) => refs.length > 0);
  return [
    ...(set ? [`set=${names(set)}`] : []),
    ...lists.map(([name, refs]) => `${name}=${names(refs)}`),
    ...(isLenient ? ['lenient'] : []),
  ].join(' ');
}

const AB = ['a', 'b'];

it.each<readonly [Kind, unknown, string]>([
  ['one', undefined, 'nothing'],
  ['one', {}, 'nothing'],
  ['one', null, 'set='],
  ['one', [], 'set='],
  ['one', 'a', 'set=a'],
  ['one', AB, 'set=b'],
  ['one', false, 'set=#-1'],
  ['one', true, 'set=#-1'],
  ['one', { documentId: 'a' }, 'set=a'],
  ['one', { id: 5 }, 'set=#5'],
  ['one', { set: AB }, 'set=b'],
  ['one', { connect: AB }, 'connect=a others=b'],
  ['one', { disconnect: AB }, 'disconnect=a,b'],
  ['one', { set: ['a'], connect: ['b', 'c'] }, 'set=a connect=b others=c'],
  ['file', AB, 'set=a others=b'],
  ['file', [], 'set='],
  ['file', { set: [] }, 'set='],
  ['file', { connect: AB }, 'connect=a others=b'],
  ['file', { set: AB, connect: ['c', 'd'] }, 'set=a connect=c others=d,b'],
  ['file', { set: null }, 'set='],
  ['file', { set: null, connect: ['a'] }, 'connect=a'],
  ['file', { set: null, disconnect: ['a'] }, 'disconnect=a'],
  ['files', { set: null }, 'set='],
  ['files', {}, 'nothing'],
  ['many', AB, 'set=a,b'],
  ['many', [['a'], ['b', null, false]], 'set=a,b'],
  ['many', [], 'set='],
  ['many', null, 'set='],
  ['many', true, 'set=#-1'],
  ['many', false, 'set=#-1'],
  ['many', { set: 'a' }, 'set=a'],
  ['many', { set: null }, 'nothing'],
  ['many', { set: null, connect: 'a' }, 'connect=a'],
  ['many', { set: ['a'], disconnect: ['b'] }, 'set=a disconnect=b'],
  ['many', { connect: AB, disconnect: 'c' }, 'connect=a,b disconnect=c'],
  ['many', { connect: null }, 'nothing'],
  ['many', { connect: [] }, 'nothing'],
  ['many', { connect: '' }, 'connect=?'],
  ['many', { connect: 0 }, 'connect=?'],
  ['many', { set: '' }, 'connect=?'],
  ['many', { set: '', connect: 'a' }, 'connect=a'],
  ['many', { disconnect: '' }, 'nothing'],
  ['many', { disconnect: 0 }, 'nothing'],
  ['typed', [], 'set='],
  ['typed', null, 'set='],
  ['typed', true, 'set=#-1'],
  ['typed', { set: [] }, 'nothing'],
  ['typed list', ['a'], 'set=a'],
  ['typed list', [], 'nothing'],
  ['typed list', null, 'nothing'],
  ['typed list', true, 'nothing'],
  ['typed list', { set: [] }, 'nothing'],
  ['typed list', { set: null }, 'nothing'],
  ['typed list', { set: ['a'] }, 'set=a'],
  ['typed list', { set: [], connect: ['a'] }, 'connect=a'],
])('a relation of the kind "%s" with %j changes: %s', (kind, value, expected) => {
  expect(printed(kind, value)).toBe(expected);
});

it.each<readonly [Kind, unknown, string]>([
  ['one', { set: null }, 'set='],
  ['one', { set: 'a' }, 'set=a'],
  ['many', { set: null }, 'set='],
  ['many', { connect: 'a' }, 'connect=a'],
  ['many', {}, 'nothing'],
  ['typed list', [], 'set='],
  ['typed list', null, 'set='],
  ['typed list', true, 'nothing'],
  ['typed list', { set: [] }, 'set='],
  ['typed list', { set: null }, 'set='],
  ['typed list', { set: [], connect: ['a'] }, 'set= connect=a'],
])('if an empty `set` clears, one of the kind "%s" with %j changes: %s', (kind, value, expected) => {
  expect(printed(kind, value, true)).toBe(expected);
});

it.each<readonly [unknown, string]>([
  [{ strict: false }, 'connect=a lenient'],
  [{ strict: null }, 'connect=a lenient'],
  [{ strict: true }, 'connect=a'],
  [{}, 'connect=a'],
  [null, 'connect=a'],
  ['strict', 'connect=a'],
])('positions with the options %j: %s', (options, expected) => {
  expect(printed('many', { connect: 'a', options })).toBe(expected);
});

const NONE = { position: { at: 'none' } };

it.each<readonly [unknown, object]>([
  ['a', { documentId: 'a' }],
  ['-a', { documentId: '-a' }],
  ['', {}],
  [5, { id: 5 }],
  ['5', { id: 5 }],
  [' +5 ', { id: 5 }],
  ['1e3', { id: 1000 }],
  ['1e999', { id: -1 }],
  ['5.5.5', { id: -1 }],
  ['5a', { id: -1 }],
  ['0x10', { id: -1 }],
  [true, { id: -1 }],
  [{}, {}],
  [{ documentId: 'a', id: 5 }, { documentId: 'a' }],
  [{ documentId: '', id: '7' }, { id: 7 }],
  [{ documentId: null }, {}],
  [{ documentId: 5 }, { documentId: '5' }],
  [{ documentId: ['a'] }, { documentId: '[object Object]' }],
  [{ id: null }, { id: -1 }],
  [{ id: ['5'] }, { id: -1 }],
  [
    { id: 5, locale: 'fr' },
    { id: 5, locale: 'fr' },
  ],
  [
    { documentId: 'a', locale: 5 },
    { documentId: 'a', locale: '5' },
  ],
  [{ documentId: 'a', locale: '' }, { documentId: 'a' }],
  [{ documentId: 'a', locale: null }, { documentId: 'a' }],
  [
    { documentId: 'a', __type: 'api::x.x' },
    { documentId: 'a', type: 'api::x.x' },
  ],
  [{ documentId: 'a', __type: 5 }, { documentId: 'a' }],
])('a target %j is %j', (value, expected) => {
  expect(inputOf('many', { connect: [value] })?.connect).toStrictEqual([{ ...expected, ...NONE }]);
});

describe('the position of a target', () => {
  const A = { documentId: 'a' };

  it.each<readonly [object, unknown, object]>([
    [A, '', { at: 'none' }],
    [A, null, { at: 'none' }],
    [A, 'first', { at: 'end' }],
    [A, [], { at: 'end' }],
    [A, {}, { at: 'end' }],
    [A, { end: true }, { at: 'end' }],
    [A, { start: true }, { at: 'start' }],
    [A, { start: false }, { at: 'end' }],
    [A, { before: '' }, { at: 'end' }],
    [A, { before: 'b', after: 'c', start: true }, { at: 'before', documentId: 'b' }],
    [A, { after: 'b' }, { at: 'after', documentId: 'b' }],
    [A, { after: 7 }, { at: 'after', documentId: '7' }],
    [{ id: 5 }, { after: 7 }, { at: 'after', id: 7 }],
    [{ id: 5 }, { after: 'b' }, { at: 'after', documentId: 'b' }],
    [A, { before: 'b', locale: 'de' }, { at: 'before', documentId: 'b', locale: 'de' }],
    [
      { ...A, locale: 'fr' },
      { before: 'b', locale: 'de' },
      { at: 'before', documentId: 'b', locale: 'de' },
    ],
    [{ ...A, locale: 'fr' }, { before: 'b' }, { at: 'before', documentId: 'b', locale: 'fr', isInherited: true }],
    [{ id: 5, locale: 'fr' }, { before: 7 }, { at: 'before', id: 7 }],
    [
      { id: 5, locale: 'fr' },
      { before: 7, locale: 'de' },
      { at: 'before', id: 7, locale: 'de' },
    ],
    [{ ...A, __type: 'x' }, { before: 'b' }, { at: 'before', documentId: 'b', type: 'x' }],
    [
      { ...A, __type: 'x' },
      { before: 'b', __type: 5 },
      { at: 'before', documentId: 'b', type: 'x' },
    ],
    [
      { ...A, __type: 'x' },
      { before: 'b', __type: 'y' },
      { at: 'before', documentId: 'b', type: 'y', isTyped: true },
    ],
  ])('%j at %j is %j', (target, position, expected) => {
    const [ref] = inputOf('many', { connect: [{ ...target, position }] })?.connect ?? [];
    expect(ref?.position).toStrictEqual(expected);
  });
});

it.each<readonly [unknown, boolean]>([
  [{ set: ['a'], connect: ['b'] }, true],
  [{ set: ['a'], disconnect: 'b' }, true],
  [{ set: null, connect: 'b' }, true],
  [{ set: [], connect: 'b' }, true],
  [{ set: ['a'] }, false],
  [{ set: ['a'], connect: [] }, false],
  [{ set: ['a'], connect: '' }, false],
  [{ set: '', connect: 'b' }, false],
  [{ connect: ['a'], disconnect: ['b'] }, false],
  [{ documentId: 'x', set: ['a'], connect: ['b'] }, false],
  [{ id: 1, set: ['a'], connect: ['b'] }, false],
  [['a'], false],
])('%j mixes `set` with other operations: %s', (value, expected) => {
  expect(isMixed(value)).toBe(expected);
});
