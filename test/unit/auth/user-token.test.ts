/**
 * @module The role of a user as an isolate keeps it, and what a row must have for a plan.
 */
import { expect, it } from 'vitest';
import { rolesOf } from '../../../src/content/credentials/roles.ts';
import { assumeUser, confirmUser, userNeeds } from '../../../src/content/credentials/user-token.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const FIND = 'api::note.note.find';
const UPDATE = 'api::note.note.update';
const settings = parseSettings({ roles: { authenticated: [FIND], editor: [FIND, UPDATE], reader: [FIND] } });
const idOf = (name: string) => rolesOf(settings).find(({ type }) => type === name)?.documentId ?? '';
const claims = (id: number) => ({ id, issuedAt: 1000, session: null });
const rowOf = (role: string | null) => ({ role, mayEnter: true, holds: true, usedAt: 0 });
const assumed = (id: number) => assumeUser(claims(id), settings, 5);
const TRACE = { granted: [FIND], denied: [UPDATE] };

it('is the default one until the row was read, and then that of the row', () => {
  expect(assumed(1)).toMatchObject({ role: idOf('authenticated'), isCached: false });
  const user = confirmUser(assumed(1), rowOf(idOf('editor')), settings);
  expect(user.grants.allows(UPDATE)).toBe(true);
  expect(assumed(1)).toMatchObject({ ...claims(1), role: idOf('editor'), isCached: true, now: 5 });
  expect(userNeeds(assumed(1), TRACE, settings).roles).toEqual([idOf('editor')]);
});

it('is none if the settings have no default one, or no longer that of the row', () => {
  const without = parseSettings({ roles: { editor: [FIND] }, users: { defaultRole: 'editor' } });
  expect(assumeUser(claims(2), { ...without, users: { ...without.users, defaultRole: 'gone' } }, 5).role).toBeNull();
  const user = confirmUser(assumed(2), rowOf('gone'), settings);
  expect(user.role).toBe('gone');
  expect([user.grants.allows(FIND), user.grants.role?.()]).toEqual([false, '']);
});

it('may be any that satisfies the plan, if it was not read', () => {
  const { roles, ...needs } = userNeeds(assumed(3), TRACE, settings);
  expect(roles).toEqual([idOf('authenticated'), idOf('reader')]);
  expect(needs).toEqual({ ...claims(3), grant: null, now: 5, mustBeConfirmed: false });
});

it('is limited by the client that acts for the user, whose grant the row must have', () => {
  const client = { grant: 'g', host: 'client.example', level: 'read', types: null } as const;
  const user = assumeUser({ ...claims(4), client }, settings, 5);
  expect([FIND, UPDATE].map((id) => user.grants.allows(id))).toEqual([true, false]);
  const needs = userNeeds(user, { granted: [FIND], denied: [UPDATE] }, settings);
  expect(needs).toMatchObject({ grant: 'g', roles: ['authenticated', 'editor', 'reader'].map(idOf) });
  const editor = confirmUser(user, rowOf(idOf('editor')), settings);
  expect([editor.client, editor.grants.allows(UPDATE)]).toEqual([client, false]);
});

it.each([
  ['there is no row', undefined],
  ['the token is no longer valid', { ...rowOf('x'), mayEnter: false }],
])('is forgotten when %s', (_, row) => {
  confirmUser(assumed(6), rowOf(idOf('editor')), settings);
  expect(() => confirmUser(assumed(6), row, settings)).toThrow(/^Invalid credentials$/);
  expect(assumed(6).isCached).toBe(false);
});

it('is that of no user whose row has none', () => {
  expect(() => confirmUser(assumed(7), rowOf(null), settings)).toThrow('Missing or invalid credentials');
});
