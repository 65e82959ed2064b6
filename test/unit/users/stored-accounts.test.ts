/**
 * @module Rows of users as they are read: what they say of an account, and which codes are of it.
 */
import { describe, expect, it, vi } from 'vitest';
import { type CodeUse, codeFor } from '../../../src/content/credentials/codes.ts';
import type { UserCall } from '../../../src/features/users/call.ts';
import { accountByCode, storedCode } from '../../../src/features/users/codes.ts';
import { readCustom } from '../../../src/features/users/custom-data.ts';
import { forgetNames } from '../../../src/features/users/forget-names.ts';
import { selectLeftName } from '../../../src/features/users/sql/left-names.ts';
import {
  type Account,
  accountById,
  accountByIdentifier,
  rekey,
  takenNames,
} from '../../../src/features/users/sql/users.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { systemType, USER_UID } from '../../../src/schema/system-types.ts';
import { contentType, registryOf, relation, userFile } from '../../support/schema-files.ts';

const registry = registryOf([]);
const user = systemType(registry, USER_UID);
const KEY = 'a'.repeat(32);

const row = {
  ...{ id: 7, document_id: 'ann', username: 'Ann', email: 'ann@example.com', provider: 'local', password: 'hash' },
  ...{ blocked: null, confirmed: 1, email_proven: 0, created_at: 5, updated_at: 9, password_changed_at: null },
  ...{ reset_password_token: KEY, confirmation_token: KEY },
};
const accountOf = (more: object = {}) => accountById(user, 7).decode([[{ ...row, ...more }]]) as Account;

describe('an account', () => {
  it('is that of its row, and absent without one', () => {
    const { row: _, ...account } = accountOf();
    expect(account).toEqual({
      ...{ id: 7, documentId: 'ann', username: 'Ann', email: 'ann@example.com', provider: 'local', password: 'hash' },
      ...{ blocked: false, confirmed: true, emailProven: false, changedAt: 5, updatedAt: 9 },
    });
    expect(accountById(user, 7).decode([[]])).toBeUndefined();
    expect(accountOf({ blocked: 1, confirmed: 0, email_proven: 1 })).toMatchObject({
      ...{ blocked: true, confirmed: false, emailProven: true },
    });
  });

  it.each([
    [5, null, 5],
    [5, 9, 9],
    [9, 5, 9],
    [null, null, 0],
    [null, 3, 3],
  ])(
    'made at %j, with a password of %j, rejects tokens from before %j',
    (created_at, password_changed_at, changedAt) => {
      expect(accountOf({ created_at, password_changed_at }).changedAt).toBe(changedAt);
    },
  );

  it.each([
    ['local', true],
    ['google', false],
    [null, false],
  ])('of the provider %j signs in by a password: %s', (provider, signsIn) => {
    const found = accountByIdentifier(user, 'ann').decode([[{ ...row, provider }]]);
    expect(found !== undefined).toBe(signsIn);
  });

  it('gets new keys of its names, if one of them is not right', () => {
    const keys = { username_key: 'ann', email_key: 'ann@example.com' };
    expect(rekey(accountOf(keys))).toEqual([]);
    for (const wrong of [{ username_key: 'x' }, { email_key: null }, { username_key: null, email_key: 'x' }])
      expect(rekey(accountOf({ ...keys, ...wrong }))).toHaveLength(1);
  });
});

describe('names that are taken', () => {
  const names = { username: 'Ann', email: 'A@example.com', but: 7, caseSensitive: false };
  it.each([
    [1, 0],
    [0, 1],
    [0, 0],
  ])('are told for each: %j, %j', (email, username) => {
    expect(takenNames(names).decode([[{ email, username }]])).toEqual({ email: email === 1, username: username === 1 });
  });

  it('are looked up as they are and by their keys, and nothing that is no text', () => {
    const paramsOf = (more: object) => takenNames({ ...names, ...more }).statements.flatMap(({ params }) => params);
    const byEmail = ['A@example.com', 'a@example.com', 'a@example.com', 'a@example.com', 7];
    expect(paramsOf({})).toEqual([...byEmail, 'Ann', 'ann', 'ann', 'ann', 7]);
    expect(paramsOf({ caseSensitive: true })).toEqual([...byEmail, 'Ann', 'ann', 'ann', 7]);
    expect(paramsOf({ username: undefined })).toEqual(byEmail);
    expect(paramsOf({ username: 5, email: ['x'] })).toEqual([]);
  });
});

describe('a code', () => {
  const settings = parseSettings({ users: { resetCodeExpiresIn: '1h', invitationExpiresIn: '2h' } });
  const now = 1_900_000_000_000;
  const callOf = (more: object = {}) => ({ registry, settings, now, jwtSecret: 'secret', ...more }) as UserCall;
  const codeOf = (use: Partial<CodeUse>, at = now) =>
    codeFor(
      { action: 'reset-password', key: KEY, user: 'ann', email: 'ann@example.com', password: 'hash', ...use },
      at,
      'secret',
    );
  const RESETS = ['reset-password', 'invite', 'handed-invite'] as const;
  const found = (
    actions: readonly [CodeUse['action'], ...CodeUse['action'][]],
    code: string,
    email?: string,
    of = row,
  ) => accountByCode(callOf(), actions, code, email).decode([[of]])?.action;

  it.each(RESETS)('is told by what it was made for: %s', (action) => {
    expect(found(RESETS, codeOf({ action }))).toBe(action);
    expect(found(['confirm-email'], codeOf({ action }))).toBeUndefined();
    expect(accountByCode(callOf(), RESETS, codeOf({ action })).decode([[]])).toBeUndefined();
    expect(accountByCode(callOf(), RESETS, codeOf({ action })).decode([[row]])?.account.id).toBe(7);
  });

  it.each([
    ['reset-password', 3_600_000],
    ['invite', 7_200_000],
    ['handed-invite', 7_200_000],
  ] as const)('for %s ends after %j ms', (action, lifetime) => {
    expect(found(RESETS, codeOf({ action }, now - lifetime + 1))).toBe(action);
    expect(found(RESETS, codeOf({ action }, now - lifetime))).toBeUndefined();
  });

  it('of another password is void, but for the confirmation of the own address', () => {
    const changed = { ...row, password: 'another hash' };
    expect(found(RESETS, codeOf({}), undefined, changed)).toBeUndefined();
    const own = codeOf({ action: 'confirm-email', password: null });
    expect(found(['confirm-email'], own, undefined, changed)).toBe('confirm-email');
    expect(found(['confirm-email'], own, 'ann@example.com', changed)).toBe('confirm-email');
    const other = codeOf({ action: 'confirm-email', email: 'other@example.com' });
    expect(found(['confirm-email'], other, 'other@example.com')).toBe('confirm-email');
    expect(found(['confirm-email'], other)).toBeUndefined();
    expect(found(['confirm-email'], other, 'other@example.com', changed)).toBeUndefined();
    expect(found(['confirm-email'], codeOf({ action: 'confirm-email' }))).toBeUndefined();
  });

  it('is made with the key that is stored, unless the address was changed meanwhile', async () => {
    const write = vi.fn(async () => [[row]]);
    const call = callOf({ database: { write } });
    expect(await storedCode(call, 'reset-password', accountOf())).toBe(codeOf({}));
    expect(await storedCode(call, 'confirm-email', accountOf())).toBe(
      codeOf({ action: 'confirm-email', password: null }),
    );
    expect(await storedCode(call, 'confirm-email', accountOf(), 'b@example.com')).toBe(
      codeOf({ action: 'confirm-email', email: 'b@example.com' }),
    );
    write.mockResolvedValueOnce([[]]);
    expect(await storedCode(call, 'reset-password', accountOf())).toBeUndefined();
  });
});

describe('names of deleted users', () => {
  it('are removed in four steps of a run, and in no more than there are', async () => {
    for (const [left, steps] of [
      [9, 4],
      [4, 4],
      [2, 2],
      [0, 0],
    ] as const) {
      let rest: number = left;
      const argument = JSON.stringify({ user: '7', after: 3 });
      const read = vi.fn(async () => [rest > 0 ? [{ id: 5, argument }] : []]);
      const write = vi.fn(async (_: readonly { readonly params: readonly unknown[] }[]) => {
        await Promise.resolve();
        rest -= 1;
        return [];
      });
      await forgetNames({ database: { read, write } as never });
      expect(write).toHaveBeenCalledTimes(steps);
      expect(read).toHaveBeenCalledTimes(Math.min(steps + 1, 4));
      for (const [statements] of write.mock.calls) {
        expect(statements).toHaveLength(3);
        expect(statements[0]?.params).toContain('7');
        expect(statements[2]?.params).toEqual([5]);
      }
    }
    expect(selectLeftName.decode([[]])).toBeUndefined();
  });
});

describe('custom attributes in a body', () => {
  const city = contentType('city', { name: { type: 'string' } }, { plural: 'cities' });
  const more = userFile({ nickname: { type: 'string' }, cities: relation('manyToMany', 'city') });
  const extended = registryOf([city], [], {}, { user: more });
  const grants = { allows: () => true, rules: () => [], condition: () => undefined } as never;
  const read = (
    data: object,
    mixedRelations: 'strapi' | 'reject',
    of = extended,
    target: object | null = { documentId: 'ann' },
  ) =>
    readCustom(
      {
        registry: of,
        settings: parseSettings({ api: { documents: { mixedRelations }, rest: { limits: { bodyEntries: 2 } } } }),
      } as UserCall,
      target as never,
      data as never,
      grants,
    );
  const mixed = { cities: { set: [1], connect: [2] } };

  it('are not read where there are none, or nobody has them', () => {
    const nothing = { current: {}, unchanged: [] };
    for (const { statements, decode } of [
      read({}, 'reject', registry),
      read({ nickname: 'a' }, 'reject', extended, null),
    ]) {
      expect(statements).toEqual([]);
      expect(decode([])).toEqual(nothing);
    }
  });

  it('are rejected if they are too many, or mix what a relation does', () => {
    expect(() => read({ cities: [1, 2, 3] }, 'strapi')).toThrow('Too many entries');
    expect(() => read(mixed, 'reject')).toThrow('cities has "set" beside');
    expect(() => read(mixed, 'strapi')).not.toThrow();
  });
});
