/**
 * @module JSON of unknown shape, and other values that are read without trust.
 */
import { describe, expect, it } from 'vitest';
import { isObject, ownValue, readJson, readList, readObject } from '../../../src/common/json.ts';
import { inSlice } from '../../../src/common/slice.ts';
import { isLong } from '../../../src/common/words.ts';

it.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['{}', false],
  [1, false],
])('tells an object from other values: %j', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

it.each([
  [{ a: 1 }, 'a', 1],
  [['x'], '0', 'x'],
  [{ a: 1 }, 'b', undefined],
  [{}, 'toString', undefined],
  [[], 'map', undefined],
  [null, 'a', undefined],
  [undefined, 'a', undefined],
  ['text', '0', undefined],
  ['text', 'length', undefined],
])('reads no value but an own one of an object or a list: %j %s', (value, key, expected) => {
  expect(ownValue(value, key)).toBe(expected);
});

describe('a column with JSON', () => {
  it.each([
    ['[1]', [1], [1], {}],
    ['{"a":1}', { a: 1 }, [], { a: 1 }],
    [[1], [1], [1], {}],
    [{ a: 1 }, { a: 1 }, [], { a: 1 }],
    ['"x"', 'x', [], {}],
    [null, null, [], {}],
    [7, 7, [], {}],
  ])('is read as it is, as a list, and as an object: %j', (stored, value, list, object) => {
    expect([readJson(stored), readList(stored), readObject(stored)]).toEqual([value, list, object]);
  });
});

it('a slice has a start, and an end if it has a limit', () => {
  const list = [1, 2, 3];
  expect(inSlice(list, undefined)).toBe(list);
  expect(inSlice(list, { start: 1 })).toEqual([2, 3]);
  expect(inSlice(list, { start: 1, limit: 1 })).toEqual([2]);
});

it.each([
  ['letters', true],
  ['größere', true],
  ['letter', false],
  ['letters1', false],
  ['a'.repeat(38), true],
  ['a'.repeat(39), false],
  ['漢字漢字漢字漢', false],
  ['lettersคำ', false],
])('another letter may stand in %s: %s', (word, expected) => {
  expect(isLong(word)).toBe(expected);
});
