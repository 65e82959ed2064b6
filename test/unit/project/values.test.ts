import { describe, expect, it } from 'vitest';
import type { ScalarAttribute } from '../../../src/schema/model.ts';
import { sampleValue } from '../../../testing/values.ts';
import { attributeOf } from '../../support/schema-files.ts';

const of = (json: object): ScalarAttribute => attributeOf(json) as ScalarAttribute;
const NUMBERS = [1, 2, 30, 400, 5_000];

/** Two values, by what the rules say of them. */
const allOf = (json: object): readonly unknown[] => NUMBERS.map((number) => sampleValue(of(json), number));

describe('a value', () => {
  it.each([
    [{ type: 'string' }, 'it 1'],
    [{ type: 'integer' }, 1],
    [{ type: 'integer', min: 18, max: 20 }, 19],
    [{ type: 'biginteger' }, '1'],
    [{ type: 'decimal', max: 0 }, -4_095],
    [{ type: 'boolean' }, false],
    [{ type: 'date' }, '2001-01-02'],
    [{ type: 'datetime' }, '2001-01-02T00:00:00.000Z'],
    [{ type: 'time' }, '00:00:01.000'],
    [{ type: 'enumeration', enum: ['a', 'b'] }, 'b'],
    [{ type: 'email' }, 'reader-1@example.com'],
    [{ type: 'uid' }, 'it-1'],
    [{ type: 'json' }, { number: 1 }],
    [{ type: 'blocks' }, [{ type: 'paragraph', children: [{ type: 'text', text: 'it 1' }] }]],
  ])('of %j is %j', (json, value) => {
    expect(sampleValue(of(json), 1)).toEqual(value);
  });

  it.each([
    { type: 'string', minLength: 40 },
    { type: 'string', maxLength: 4 },
    { type: 'string', maxLength: 6, minLength: 3 },
    { type: 'string', maxLength: 5, minLength: 5 },
    { type: 'uid', maxLength: 4 },
    { type: 'email', maxLength: 10 },
    { type: 'string', regex: '^[A-Z]{2}-\\d{4}$' },
    { type: 'string', regex: '^[a-z]+$', minLength: 8 },
    { type: 'password', regex: '^[^@]+@[^@]+$', minLength: 6 },
    { type: 'decimal', min: 0, max: 1 },
  ])('of %j is another one for each number', (json) => {
    const values = allOf(json);
    expect(values).not.toContain(undefined);
    expect(new Set(values).size).toBe(NUMBERS.length);
  });

  it.each([
    { type: 'string', regex: '^(?=x)y$' },
    { type: 'string', regex: '^abc$', minLength: 5 },
    { type: 'integer', min: 2, max: 1 },
    { type: 'string', minLength: 9, maxLength: 3 },
  ])('of %j is none, for no value fits', (json) => {
    expect(sampleValue(of(json), 1)).toBe(undefined);
  });
});
