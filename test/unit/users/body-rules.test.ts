/**
 * @module The issues of a body of an account route: their words, their order, and what they repeat.
 */
import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../../src/common/errors.ts';
import { parseInput } from '../../../src/features/users/body-rules.ts';
import {
  CREATE_USER,
  EMAIL,
  FORGOT_PASSWORD,
  LOGIN,
  REGISTER,
  registerWith,
  UPDATE_USER,
} from '../../../src/schema/account-bodies.ts';
import type { AccountAction } from '../../../src/schema/account-routes.ts';

type Schema = Parameters<typeof parseInput>[1];

/** Returns the data, or the issues. */
function parsed(action: AccountAction, schema: Schema, input: Readonly<Record<string, unknown>>, isStrict = true) {
  try {
    return { data: parseInput(action, schema, input, isStrict) };
  } catch (error) {
    const { message, problem } = error as ApiError;
    return { message, errors: problem.details?.errors };
  }
}

/** `key: message` of each issue. */
const complaintsOf = (errors: unknown): readonly string[] =>
  (errors as readonly { path: string[]; message: string }[]).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

const text = (name: string, value: string) =>
  `${name} must be a \`string\` type, but the final value was: \`${value}\`.`;

describe('a required text', () => {
  it.each([
    [undefined, 'identifier is a required field'],
    ['', 'identifier is a required field'],
    [null, text('identifier', 'null')],
    [5, text('identifier', '5')],
    [[], text('identifier', '[]')],
  ])('is missing, or no text: %j', (identifier, message) => {
    const path = ['identifier'];
    expect(parsed('auth.callback', LOGIN, { identifier, password: 'x' })).toEqual({
      message,
      errors: [{ path, message, name: 'ValidationError', ...(identifier !== undefined && { value: identifier }) }],
    });
  });

  it('that is no list is not also too short', () => {
    const { errors } = parsed('user.create', CREATE_USER, {
      email: 'a@example.com',
      username: [],
      password: 'x',
      role: 1,
    });
    expect(errors).toMatchObject([{ path: ['username'], message: text('username', '[]') }]);
    expect(errors).toHaveLength(1);
  });

  it('that is empty is reported twice for a new user, where it is a name or a password', () => {
    const { errors } = parsed('user.create', CREATE_USER, { username: '', email: '', password: '', role: 1 });
    expect(complaintsOf(errors)).toEqual([
      'email: email is a required field',
      'username: username must be at least 1 characters',
      'username: username is a required field',
      'password: password must be at least 1 characters',
      'password: password is a required field',
    ]);
  });

  it('is reported in the order of the schema, each with what was sent at its key', () => {
    const { message, errors } = parsed('auth.register', REGISTER, { password: 5, username: '', email: 'nobody' });
    expect(message).toBe('3 errors occurred');
    expect(errors).toMatchObject([
      { path: ['email'], message: 'email must be a valid email', value: 'nobody' },
      { path: ['username'], message: 'username is a required field', value: '' },
      { path: ['password'], message: text('password', '5'), value: 5 },
    ]);
  });
});

describe('a text of a changed user', () => {
  it.each([
    [{ email: '' }, ['email: email must be at least 1 characters']],
    [{ email: [] }, [`email: ${text('email', '[]')}`]],
    [{ username: [], email: [] }, [`email: ${text('email', '[]')}`, `username: ${text('username', '[]')}`]],
    [{ password: [] }, ['password: Password must be at least 1 character']],
    [{ password: 5 }, ['password: Password must be at least 1 character']],
  ])('that is none has no length, and an empty one no form: %j', (input, complaints) => {
    expect(complaintsOf(parsed('user.update', UPDATE_USER, input).errors)).toEqual(complaints);
  });

  it('that is too long is left to its attribute, which reports it once', () => {
    const input = { username: 'x'.repeat(256) };
    expect(parsed('user.update', UPDATE_USER, input)).toEqual({ data: input });
  });
});

describe('a device id that is too long', () => {
  it('is not repeated', () => {
    const deviceId = 'x'.repeat(256);
    const { errors } = parsed('auth.callback', LOGIN, { identifier: 'a', password: 'b', deviceId });
    const message = 'deviceId must be at most 255 characters';
    expect(errors).toEqual([{ path: ['deviceId'], message, name: 'ValidationError' }]);
  });
});

describe('a key that a body does not have', () => {
  it.each([
    [EMAIL, { email: 'a@example.com', nope: 1 }, { data: { email: 'a@example.com' } }],
    [FORGOT_PASSWORD, { email: 'a@example.com' }, { data: { email: 'a@example.com' } }],
  ])('is left out, or not there', (schema, input, outcome) => {
    expect(parsed('auth.forgotPassword', schema as Schema, input)).toEqual(outcome);
  });

  it('is reported last, by the path of the body', () => {
    expect(parsed('auth.forgotPassword', FORGOT_PASSWORD, { nope: 1, more: 2 })).toMatchObject({
      message: '2 errors occurred',
      errors: [
        { path: ['email'], message: 'email is a required field' },
        { path: [], message: 'this field has unspecified keys: nope, more' },
      ],
    });
  });

  it('is reported alone by a registration, unless the settings allow it', () => {
    const input = { email: 'a@example.com', username: 'ann', password: 'secret', nick: 'a' };
    expect(parsed('auth.register', REGISTER, { ...input, email: 5, more: 1 })).toEqual({
      message: 'Invalid parameters: nick, more',
      errors: undefined,
    });
    expect(parsed('auth.register', registerWith(['nick']), input)).toEqual({ data: input });
  });
});

describe('a role', () => {
  const user = { email: 'a@example.com', username: 'ann', password: 'secret' };
  it.each([
    ['user.create', CREATE_USER, { connect: [] }, true, ['Users must have a role']],
    ['user.create', CREATE_USER, { connect: [{ id: 1 }], set: [2] }, false, []],
    ['user.update', UPDATE_USER, { connect: [] }, true, []],
    ['user.update', UPDATE_USER, { connect: [{ id: 1 }], set: [2] }, false, []],
    ['user.update', UPDATE_USER, { disconnect: [{ id: 1 }] }, true, ['Cannot remove role']],
    ['user.invite', LOGIN, null, true, []],
  ] as const)('in a body of %s is judged by its own rules', (action, schema, role, isStrict, messages) => {
    const { errors = [] } = parsed(action, schema, { ...user, identifier: 'a', role }, isStrict);
    expect((errors as readonly { message: string }[]).map(({ message }) => message)).toEqual(messages);
  });

  it('is reported after the texts', () => {
    const { errors } = parsed('user.create', CREATE_USER, { ...user, email: '', role: -1 });
    expect(errors).toMatchObject([{ path: ['email'] }, { path: ['role'] }]);
  });

  it.each([true, false])('beside set is rejected with mixedRelations: reject (%s)', (isStrict) => {
    const role = { connect: [{ id: 1 }], set: [2] };
    const { errors = [] } = parsed('user.create', CREATE_USER, { ...user, role }, isStrict);
    expect(errors).toHaveLength(isStrict ? 1 : 0);
  });
});
