/**
 * @module Who a user of a provider without OpenID Connect is, whatever it responds with.
 */
import { describe, expect, it } from 'vitest';
import { OAUTH_PROVIDERS, textIn } from '../../../src/features/users/providers/oauth-profiles.ts';

/** Every request gets the response of the user, except that for e-mail addresses. */
const profileFrom = (name: string, user: unknown, emails?: unknown) =>
  OAUTH_PROVIDERS[name]?.profile(async (url) => (url.endsWith('/emails') ? emails : user));

it.each([
  ['x', 'x'],
  ['', undefined],
  [5, undefined],
  [null, undefined],
  [['x'], undefined],
])('a text in a response is not empty, and no %j', (value, text) => {
  expect(textIn({ key: value }, 'key')).toBe(text);
  expect(textIn(value, 'key')).toBeUndefined();
});

describe('the user', () => {
  it.each([7, '7'])('has the id %j', async (id) => {
    for (const name of ['discord', 'facebook', 'github'])
      expect(await profileFrom(name, { id })).toMatchObject({ subject: '7', email: undefined, username: undefined });
    expect(await profileFrom('patreon', { data: { id } })).toMatchObject({ subject: '7', isVerified: false });
  });

  it.each([undefined, null, '', true, { id: 7 }, ['7']])('is nobody with the id %j', async (id) => {
    for (const name of ['discord', 'facebook', 'github'])
      await expect(profileFrom(name, { id })).rejects.toThrow('the user of the provider has no id');
    await expect(profileFrom('patreon', { data: { id } })).rejects.toThrow('the user of the provider has no id');
  });
});

describe('the address of a user of GitHub', () => {
  const user = { id: 7, email: 'public@example.com' };
  it.each<[emails: unknown, email: string | undefined, isVerified: boolean]>([
    [[{ email: 'a@example.com', primary: true, verified: true }], 'a@example.com', true],
    [[{ email: 'a@example.com', primary: true, verified: 'true' }], 'a@example.com', false],
    [[{ email: 'a@example.com', primary: 'true', verified: true }], undefined, false],
    [[null, { email: 'a@example.com', primary: true, verified: true }], 'a@example.com', true],
    [[], undefined, false],
    [{ message: 'Not Found' }, undefined, false],
    [undefined, undefined, false],
  ])('is of the list %j the first one', async (emails, email, isVerified) => {
    expect(await profileFrom('github', user, emails)).toMatchObject({ email, isVerified });
  });
});

it.each([undefined, null, 'x', []])('a user of Patreon may have the attributes %j', async (attributes) => {
  expect(await profileFrom('patreon', { data: { id: '7', attributes } })).toEqual({
    subject: '7',
    isVerified: false,
    email: undefined,
    username: undefined,
  });
});
