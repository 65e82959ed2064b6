/**
 * @module Columns → JSON values.
 */
import { describe, expect, it } from 'vitest';
import { assembleRow } from '../../../src/content/document/assemble.ts';
import type { ScalarType } from '../../../src/schema/fields.ts';
import { scalarOf } from '../../support/recorded-registry.ts';
import { typeOf } from '../../support/schema-files.ts';

function shown(type: ScalarType, stored: unknown) {
  const attribute = scalarOf(typeOf({ it: { type, ...(type === 'enumeration' && { enum: ['a'] }) } }), 'it');
  return assembleRow({ [attribute.column]: stored }, { attributes: [attribute], populate: [] }).it;
}

describe('a stored value', () => {
  it.each<[ScalarType, unknown, unknown]>([
    ['string', 'a', 'a'],
    ['string', '', ''],
    ['enumeration', 'a', 'a'],
    ['integer', 5, 5],
    ['integer', 0, 0],
    ['decimal', 1.5, 1.5],
    ['biginteger', '9007199254740993', '9007199254740993'],
    ['biginteger', 5, '5'],
    ['boolean', 1, true],
    ['boolean', 0, false],
    ['date', '2024-01-31', '2024-01-31'],
    ['time', '10:00:00.000', '10:00:00.000'],
    ['datetime', 0, '1970-01-01T00:00:00.000Z'],
    ['datetime', -1, '1969-12-31T23:59:59.999Z'],
    ['json', '{"a":[1,null]}', { a: [1, null] }],
    ['json', '"text"', 'text'],
    ['json', 'false', false],
    ['blocks', '[]', []],
  ])('of type %s that is %j shows as %j', (type, stored, value) => {
    expect(shown(type, stored)).toEqual(value);
  });

  it.each<ScalarType>(['string', 'integer', 'biginteger', 'boolean', 'datetime', 'json', 'blocks', 'enumeration'])(
    'of type %s that is missing shows as null',
    (type) => {
      expect(shown(type, null)).toBeNull();
      expect(shown(type, undefined)).toBeNull();
    },
  );
});
