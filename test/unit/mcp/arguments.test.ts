/**
 * @module Arguments of tools by their schema: what is taken for a value, and which error another one gets.
 */
import { describe, expect, it } from 'vitest';
import { acceptArguments } from '../../../src/features/mcp/arguments.ts';

const text = { type: 'string' };
const properties = {
  text,
  count: { type: 'integer', minimum: 1, maximum: 3 },
  most: { type: 'integer', maximum: 3 },
  least: { type: 'integer', minimum: 1 },
  isOn: { type: 'boolean' },
  list: { type: 'array', items: text, minItems: 1, maxItems: 2 },
  free: { type: 'array' },
  object: { type: 'object' },
  inner: { type: 'object', properties: { a: text }, required: ['a'] },
  any: {},
  choice: { enum: ['draft', '[1]'] },
};
const accept = (given: unknown) => acceptArguments(given, { type: 'object', properties });
const refused = (given: unknown, schema: object = { type: 'object', properties }) => {
  try {
    return acceptArguments(given, schema);
  } catch (error) {
    return error;
  }
};

it.each([
  [{ text: 7 }, { text: '7' }],
  [{ text: '["a"]' }, { text: '["a"]' }],
  [{ any: '2027' }, { any: '2027' }],
  [{ any: 'true' }, { any: 'true' }],
  [{ any: ' ["a"]' }, { any: ['a'] }],
  [{ any: '{"a":1}' }, { any: { a: 1 } }],
  [{ any: '{' }, { any: '{' }],
  [{ choice: '[1]' }, { choice: '[1]' }],
  [{ isOn: 'true' }, { isOn: true }],
  [{ free: [null] }, { free: [null] }],
  [{ object: { a: { b: null } } }, { object: { a: { b: null } } }],
  [{ inner: '{"a":1}' }, { inner: { a: '1' } }],
  [{ text: null, any: undefined }, {}],
  [null, {}],
  [undefined, {}],
])('%j is taken for %j', (given, accepted) => {
  expect(accept(given)).toEqual(accepted);
});

describe('a number or a list', () => {
  it.each([
    [{ count: 1 }, { count: 3 }, { list: ['a'] }, { list: ['a', 'b'] }, { most: -9 }, { most: 3 }, { least: 1 }],
  ])('is within its range: %j', (...all) => {
    for (const given of all) expect(accept(given)).toEqual(given);
  });

  it.each([
    [{ count: 0 }, 'Invalid count. Expected 1 to 3'],
    [{ count: 4 }, 'Invalid count. Expected 1 to 3'],
    [{ list: [] }, 'Invalid list. Expected 1 to 2'],
    [{ list: ['a', 'b', 'c'] }, 'Invalid list. Expected 1 to 2'],
    [{ most: 4 }, /^Invalid most/],
    [{ least: 0 }, /^Invalid least/],
  ])('is not outside of it: %j', (given, message) => {
    expect(refused(given)).toMatchObject({ path: Object.keys(given)[0], message: expect.stringMatching(message) });
  });
});

it.each<[unknown, string, string]>([
  [7, 'arguments', 'Invalid arguments. Expected object, received number'],
  [[], 'arguments', 'Invalid arguments. Expected object, received array'],
  [{ '': 1 }, 'arguments', 'Unknown argument '],
  [{ constructor: 1 }, 'constructor', 'Unknown argument constructor'],
  [{ toString: 'x' }, 'toString', 'Unknown argument toString'],
  [{ inner: { b: 1 } }, 'inner.b', 'Unknown argument inner.b'],
  [{ inner: {} }, 'inner.a', 'Missing inner.a. Expected string'],
  [{ inner: { a: null } }, 'inner.a', 'Missing inner.a. Expected string'],
  [{ list: ['a', null] }, 'list.1', 'Invalid list.1. Expected string, received null'],
  [{ list: [true] }, 'list.0', 'Invalid list.0. Expected string, received boolean'],
  [{ free: 'x' }, 'free', 'Invalid free. Expected array, received string'],
  [{ object: [] }, 'object', 'Invalid object. Expected object, received array'],
  [{ isOn: 1 }, 'isOn', 'Invalid isOn. Expected boolean, received number'],
  [{ count: 1.5 }, 'count', 'Invalid count. Expected integer, received number'],
  [{ choice: 'published' }, 'choice', 'Invalid choice. Expected one of draft, [1]'],
])('%j is wrong, and the error says where', (given, path, message) => {
  expect(refused(given)).toMatchObject({ path, message });
});

it('of a missing argument, the error says what it takes, and of a near one what was meant', () => {
  const schema = { type: 'object', properties, required: ['choice'] };
  expect(refused({}, schema)).toMatchObject({
    ...{
      path: 'choice',
      message: 'Missing choice. Expected draft, [1]',
      details: { allowed: Object.keys(properties) },
    },
  });
  expect(refused(null, schema)).toMatchObject({ path: 'choice' });
  expect(refused({ cuont: 1 })).toMatchObject({ path: 'cuont', details: { nearest: 'count' } });
});
