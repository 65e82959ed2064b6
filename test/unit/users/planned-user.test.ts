/**
 * @module The batch that writes a user: what it assumes, what it writes, and what an error repeats of it.
 */
import { describe, expect, it } from 'vitest';
import { rolesOf } from '../../../src/content/credentials/roles.ts';
import { ensureRoles } from '../../../src/content/credentials/sql/roles.ts';
import type { WriteContext } from '../../../src/content/plan/model/write-request.ts';
import type { InputData } from '../../../src/content/request/body.ts';
import {
  assertUnchangedUser,
  namesOf,
  planUser,
  rejectTaken,
  type Save,
} from '../../../src/features/users/save-user.ts';
import { type Account, assertNamesFree, type Names } from '../../../src/features/users/sql/users.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { registryOf, userFile } from '../../support/schema-files.ts';

const registry = registryOf([], [], {}, { user: userFile({ tags: { type: 'json' } }) });
const context = { registry, settings: parseSettings({}) };
const writeContext: WriteContext = { time: 5, nextId: () => 1, hashPassword: (password) => `hash of ${password}` };

const account: Account = {
  ...{ id: 7, documentId: 'ann', username: 'Ann', email: 'ann@example.com', provider: 'local', password: 'hash' },
  ...{ blocked: false, confirmed: true, emailProven: true, changedAt: 0, updatedAt: 3, row: {} },
};
const [role] = rolesOf(context.settings);
const plan = (save: Save, settings = context.settings) => planUser({ ...context, settings }, save, 'new', writeContext);

const NOBODY = { username: undefined, email: undefined, but: 0, caseSensitive: false };

describe('the names of a user', () => {
  it.each<[data: InputData, of: Account | undefined, names: Partial<Names>]>([
    [{ username: 'Ann', email: 'ann@example.com' }, undefined, { username: 'Ann', email: 'ann@example.com' }],
    [{ username: 'Ann', email: 'ANN@example.com' }, account, { but: 7 }],
    [{ username: 'ann', email: 'anna@example.com' }, account, { username: 'ann', email: 'anna@example.com', but: 7 }],
    [{ username: 5, email: ['x'] }, account, { username: 5, email: ['x'], but: 7 }],
    [{}, account, { but: 7 }],
    [{}, undefined, {}],
  ])('of %j are looked up, unless they are its own', (data, of, names) => {
    expect(namesOf(context, data, of)).toEqual({ ...NOBODY, ...names });
    expect(namesOf({ ...context, settings: parseSettings({ users: { caseSensitiveNames: true } }) }, data, of)).toEqual(
      { ...NOBODY, ...names, caseSensitive: true },
    );
  });

  it('are rejected if one of them is taken', () => {
    for (const taken of [
      { email: true, username: false },
      { email: false, username: true },
    ])
      expect(() => rejectTaken(taken)).toThrow('Email or Username are already taken');
    expect(() => rejectTaken({ email: false, username: false })).not.toThrow();
  });
});

describe('the batch', () => {
  const also = [{ sql: 'select 1', params: [] }];
  const unchanged = [{ sql: 'select 2', params: [] }];
  const writes = (save: Save) =>
    plan(save).statements.filter(({ sql }) => /^(update|insert into) "up_users" /.test(sql));
  const assumptionsOf = (save: Save) => {
    const { statements } = plan(save);
    return statements.slice(
      0,
      statements.findIndex(({ sql }) => /^(update|insert into) "up_users" /.test(sql)),
    );
  };
  const same = assertUnchangedUser(context, account);
  const free = (names: object) => assertNamesFree({ ...NOBODY, ...names });

  it.each<[why: string, save: Save, assumed: readonly unknown[]]>([
    [
      'that the names of a new user are free',
      { data: { username: 'anna', email: 'a@example.com' } },
      [free({ username: 'anna', email: 'a@example.com' })],
    ],
    ['that the user is unchanged', { account, data: { confirmed: true } }, [same]],
    ['that the new name is free', { account, data: { username: 'anna' } }, [same, free({ username: 'anna', but: 7 })]],
    [
      'what its custom attributes assume',
      { account, data: { email: 'a@example.com' }, own: { current: {}, unchanged } },
      [same, ...unchanged, free({ email: 'a@example.com', but: 7 })],
    ],
  ])('assumes %s', (_, save, assumed) => {
    expect(assumptionsOf(save)).toEqual(assumed);
    expect(writes(save)).toHaveLength(1);
  });

  it('writes the roles of the settings where the user gets one, and what its caller adds at the end', () => {
    const roles = ensureRoles(rolesOf(context.settings));
    expect(assumptionsOf({ account, data: { role: role?.documentId } })).toEqual([roles, same]);
    expect(plan({ account, data: { confirmed: true }, also }).statements.slice(-1)).toEqual(also);
  });

  it('is not made with a name that is too long, which is reported once', () => {
    expect(() => plan({ account, data: { username: 'x'.repeat(256) } })).toThrow(
      /^username must be at most 255 characters$/,
    );
  });

  it.each([
    [{ role: { connect: [{ id: 1 }, { id: 1 }, { id: 1 }] } }, 'Too many entries'],
    [{ role: { connect: [{ id: 1 }] } }, undefined],
    [{ tags: '[[[[1]]]]' }, 'nested'],
  ])('is not made of too much: %j', (data, message) => {
    const limits = { bodyEntries: 2, bodyDepth: 3 };
    const made = () => plan({ account, data }, parseSettings({ api: { rest: { limits } } }));
    if (message === undefined) expect(made).not.toThrow();
    else expect(made).toThrow(message);
  });
});

describe('what is written beside the data', () => {
  const written = (data: InputData) => plan({ account, data }).request.data;

  it.each<[data: InputData, more: object]>([
    [{ confirmed: true }, {}],
    [{ username: 'Änna' }, { usernameKey: 'änna' }],
    [{ email: 'ann@example.com' }, { emailKey: 'ann@example.com' }],
    [{ email: 'A@example.com' }, { emailKey: 'a@example.com', emailProven: false }],
    [{ email: 'a@example.com', emailProven: true }, { emailKey: 'a@example.com' }],
  ])('for %j are keys of names, and that another address is not proven', (data, more) => {
    expect(written(data)).toEqual({ ...data, ...more });
  });

  it('for a new user is that no address is proven, unless the write proves it', () => {
    const plain = { username: 'Änna', email: 'a@example.com' };
    const keys = { usernameKey: 'änna', emailKey: 'a@example.com' };
    expect(plan({ data: plain }).request.data).toEqual({ ...plain, ...keys, emailProven: false });
    const proven = { ...plain, emailProven: true };
    expect(plan({ data: proven }).request.data).toEqual({ ...proven, ...keys });
  });

  it('is in no error, nor is what the server alone writes', () => {
    const sent = { email: 'a@example.com', role: role?.documentId };
    const secret = { resetPasswordToken: 'x', confirmationToken: 'y', emailProven: true };
    const data = { ...sent, ...secret, passwordChangedAt: '2030-01-01T00:00:00.000Z' };
    expect(plan({ account, data }).request.sent).toEqual(sent);
  });
});
