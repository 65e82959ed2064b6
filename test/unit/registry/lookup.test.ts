/**
 * @module Lookups in paths: which attributes name documents, and which values they have.
 */
import { describe, expect, it } from 'vitest';
import { isLookup, lookupOf } from '../../../src/schema/lookup.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const UNIQUE = { type: 'string', unique: true };
const { contentTypes } = registryOf(
  [
    contentType('thing', {
      ...{ slug: { type: 'uid' }, code: UNIQUE, number: { type: 'integer', unique: true } },
      ...{ title: { type: 'string' }, hidden: { ...UNIQUE, private: true }, spilled: UNIQUE },
      cover: { type: 'media' },
    }),
  ],
  [],
  { 'api::thing.thing': ['spilled'] },
);
const type = contentTypes.get('api::thing.thing');
const found = (segment: string) => {
  const lookup = type && lookupOf(segment, type);
  return lookup && [lookup.attribute.name, lookup.value];
};

describe('a lookup', () => {
  it.each(['title:a', 'hidden:a', 'spilled:a', 'cover:a', 'nope:a', 'number:many', 'slug', ':a'])(
    'names no document by %s',
    (segment) => {
      expect(found(segment)).toBeUndefined();
    },
  );

  it.each([
    ['slug:night', ['slug', 'night']],
    ['code:a:b\nc', ['code', 'a:b\nc']],
    ['code:', ['code', '']],
    ['number:12', ['number', 12]],
  ])('has the attribute and the value of %j', (segment, expected) => {
    expect(isLookup(segment)).toBe(true);
    expect(found(segment)).toEqual(expected);
  });
});
