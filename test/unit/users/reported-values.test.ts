/**
 * @module Values that an error about the body of an account repeats: never an object that may hold a secret.
 */
import { describe, expect, it } from 'vitest';
import { withoutSecret } from '../../../src/features/users/shown-values.ts';

const reported = (path: string[], value: unknown) =>
  withoutSecret({ path, message: 'must be a text, but the final value was: `it`.', value });

describe('a list or object of an error', () => {
  it.each([
    ...['email', 'username', 'identifier', 'role', 'connect', 'disconnect', 'set', 'id', 'documentId'],
    ...['position', 'start', 'end', 'before', 'after', 'locale', 'status'],
  ])('is repeated with the key %s', (key) => {
    for (const value of [{ [key]: 1 }, [{ [key]: [{ id: 1 }, null, 'x'] }]])
      expect(reported([key, '0'], value)).toStrictEqual(expect.objectContaining({ value }));
  });

  it.each([
    ['at a key that may hold one', ['password'], {}],
    ['below such a key', ['password', 'id'], [1]],
    ['with such a key', ['role'], { code: 'x' }],
    ['with such a key further inside', ['role'], { connect: [{ id: 1 }, { id: { pasword: 'x' } }] }],
    ['whose keys are no numbers', ['0a'], []],
  ])('is left out %s', (_, path, value) => {
    expect(reported(path, value)).toStrictEqual({ path, message: 'must be a text.' });
  });
});

it.each(['text', 7, true, null, undefined])('a value without keys is repeated at any key: %j', (value) => {
  expect(reported(['nickname'], value)).toStrictEqual(expect.objectContaining({ value }));
});
