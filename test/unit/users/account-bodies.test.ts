/**
 * @module What the bodies of accounts may have, at the edges of each rule.
 */
import { describe, expect, it } from 'vitest';
import * as bodies from '../../../src/schema/account-bodies.ts';

const issuesOf = (schema: bodies.BodySchema, body: unknown): readonly string[] =>
  (schema.safeParse(body).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

const LOGIN = { identifier: 'a', password: 'b' };
const RESET = { password: 'abcdef', passwordConfirmation: 'abcdef', code: 'c' };
const REQUIRED = 'passwordConfirmation: passwordConfirmation is a required field';
const TOO_LONG = 'deviceId: deviceId must be at most 255 characters';

describe('a body of an account', () => {
  it.each<[string, bodies.BodySchema, unknown, readonly string[]]>([
    [
      'a password of 73 bytes',
      bodies.RESET_PASSWORD,
      { ...RESET, password: `${'é'.repeat(36)}x`, passwordConfirmation: `${'é'.repeat(36)}x` },
      ['password: Password must be less than 73 bytes'],
    ],
    [
      'another confirmation',
      bodies.RESET_PASSWORD,
      { ...RESET, passwordConfirmation: 'abcdeg' },
      ['passwordConfirmation: Passwords do not match'],
    ],
    [
      'an empty confirmation',
      bodies.RESET_PASSWORD,
      { ...RESET, passwordConfirmation: '' },
      ['passwordConfirmation: Passwords do not match'],
    ],
    ['a device of 256 characters', bodies.LOGIN, { ...LOGIN, deviceId: 'x'.repeat(256) }, [TOO_LONG]],
    ['a device of 256 characters', bodies.LOGOUT, { deviceId: 'x'.repeat(256) }, [TOO_LONG]],
  ])('is refused with %s', (_, schema, body, expected) => {
    expect(issuesOf(schema, body)).toEqual(expected);
  });

  it('reports two empty passwords at both keys', () => {
    expect(issuesOf(bodies.RESET_PASSWORD, { ...RESET, password: '', passwordConfirmation: '' })).toEqual([
      expect.stringMatching(/^password: /),
      REQUIRED,
    ]);
  });

  it('reports a missing confirmation once, and a device only without other issues', () => {
    const { passwordConfirmation: _, ...missing } = RESET;
    expect(issuesOf(bodies.RESET_PASSWORD, missing)).toEqual([expect.stringMatching(/^passwordConfirmation: Invalid/)]);
    expect(issuesOf(bodies.LOGIN, { deviceId: 'x'.repeat(256), password: 'b' })).toEqual([
      expect.stringMatching(/^identifier: /),
    ]);
  });

  it.each<[string, bodies.BodySchema, object]>([
    [
      'a password of 72 bytes',
      bodies.RESET_PASSWORD,
      { ...RESET, password: 'é'.repeat(36), passwordConfirmation: 'é'.repeat(36) },
    ],
    ['a device of 255 characters', bodies.LOGIN, { ...LOGIN, deviceId: 'x'.repeat(255) }],
    [
      'the flags of a new user',
      bodies.CREATE_USER,
      { email: 'a@b.co', username: 'a', password: 'b', role: 1, confirmed: true, blocked: false },
    ],
    ['the flags of a user', bodies.UPDATE_USER, { confirmed: true, blocked: false }],
    [
      'custom attributes',
      bodies.registerWith(['nickname']),
      { email: 'a@b.co', username: 'a', password: 'b', nickname: [1] },
    ],
  ])('keeps %s', (_, schema, body) => {
    expect(schema.parse(body)).toMatchObject(body);
  });

  it.each([undefined, '', 5, {}, null])('has no device where it is %j', (deviceId) => {
    expect(bodies.LOGIN.parse({ ...LOGIN, deviceId })).toEqual({ ...LOGIN, deviceId: null });
  });
});
