/**
 * @module Values that are missing: required attributes, defaults, null.
 */
import { describe, expect, it } from 'vitest';
import { typeOf } from '../../support/schema-files.ts';
import { messagesFor, validated, valueFor } from './rules-support.ts';

const required = (type: string, more: object = {}) => ({ type, required: true, ...more });
const NULL = 'it must be a `string` type, but the final value was: `null`.';

describe('a required attribute', () => {
  it.each([
    [required('string'), null, NULL],
    [required('email'), null, NULL],
    [required('uid'), null, NULL],
    [required('enumeration', { enum: ['a'] }), null, NULL],
    [required('integer'), null, 'it must be a `number` type, but the final value was: `NaN`.'],
    [required('boolean'), null, 'it must be defined.'],
    [required('date'), null, 'it must be defined.'],
    [required('json'), null, 'it must be defined.'],
    [required('string'), undefined, 'it must be defined.'],
    [required('integer'), undefined, 'it must be defined.'],
    [required('boolean'), undefined, 'it must be defined.'],
  ])('%j is missed for publication when it is %j', (json, value, message) => {
    expect(messagesFor(json, value, 'publication')).toEqual([message]);
    expect(messagesFor(json, value, 'draft')).toEqual([]);
  });

  it('has a value in the text null, where it is JSON', () => {
    expect(messagesFor(required('json'), 'null')).toEqual([]);
    expect(valueFor(required('json'), 'null')).toBeNull();
  });

  it('may be left out of an update, but not be cleared', () => {
    expect(messagesFor(required('string'), undefined, 'update')).toEqual([]);
    expect(messagesFor(required('string'), null, 'update')).toEqual([NULL]);
    expect(messagesFor(required('date'), null, 'update')).toEqual(['it cannot be null.']);
  });

  it('is satisfied by its default', () => {
    expect(messagesFor(required('string', { default: 'a' }), undefined)).toEqual([]);
    expect(valueFor(required('string', { default: 'a' }), undefined)).toBe('a');
  });
});

describe('an optional attribute', () => {
  it.each(['string', 'email', 'uid', 'integer', 'boolean', 'date', 'json', 'blocks', 'password'])(
    'of type %s may be null or absent',
    (type) => {
      for (const stage of ['draft', 'publication', 'update'] as const) {
        expect(messagesFor({ type }, null, stage)).toEqual([]);
        expect(messagesFor({ type }, undefined, stage)).toEqual([]);
      }
    },
  );

  it('may be null where it is an enumeration', () => {
    expect(messagesFor({ type: 'enumeration', enum: ['a'] }, null)).toEqual([]);
  });
});

describe('a default', () => {
  it('takes the place of nothing on create, never of null', () => {
    expect(valueFor({ type: 'integer', default: 7 }, undefined)).toBe(7);
    expect(valueFor({ type: 'integer', default: 7 }, null)).toBeNull();
    expect(valueFor({ type: 'boolean', default: false }, undefined)).toBe(false);
  });

  it('has no part in an update', () => {
    expect(valueFor({ type: 'integer', default: 7 }, undefined, 'update')).toBeUndefined();
  });
});

describe('a unique attribute whose value is taken', () => {
  const type = typeOf({ it: { type: 'string', unique: true } });

  it('is refused for publication and not on drafts', () => {
    const taken = new Set(['it']);
    expect(validated(type, { it: 'a' }, 'publication', taken).issues).toEqual([
      { path: ['it'], message: 'This attribute must be unique', value: 'a' },
    ]);
    expect(validated(type, { it: 'a' }, 'draft', taken).issues).toEqual([]);
  });
});

describe('several issues', () => {
  it('are all told, in the order of the attributes', () => {
    const type = typeOf({ a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } });
    const { issues } = validated(type, { c: 'x', a: 1, b: 'y' });
    expect(issues.map(({ path }) => path)).toEqual([['a'], ['b'], ['c']]);
  });

  it('carry the value that the rule saw', () => {
    const type = typeOf({ a: { type: 'integer', max: 5 }, b: { type: 'string' } });
    const { issues } = validated(type, { a: '6', b: 7 });
    expect(issues.map(({ value }) => value)).toEqual([6, 7]);
  });
});
