/**
 * @module What roles may do before anybody grants them anything.
 */
import { describe, expect, it } from 'vitest';
import { PLUGIN_ACTIONS } from '../../../src/access/actions.ts';
import { roleActions } from '../../../src/access/grants.ts';
import { ACCOUNT_ROUTES } from '../../../src/schema/account-routes.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const actionsOf = (role: string, input = {}) =>
  roleActions(parseSettings(input), role)
    .map((action) => action.replace('plugin::users-permissions.', ''))
    .toSorted();

describe('by default', () => {
  it('the public may do what a fresh Strapi lets it do, and no more', () => {
    expect(actionsOf('public')).toEqual([
      'auth.callback',
      'auth.connect',
      'auth.emailConfirmation',
      'auth.forgotPassword',
      'auth.logout',
      'auth.refresh',
      'auth.register',
      'auth.resetPassword',
      'auth.sendEmailConfirmation',
    ]);
  });

  it('users may do what a fresh Strapi lets them do, and no more', () => {
    expect(actionsOf('authenticated')).toEqual([
      'auth.changePassword',
      'auth.getSessions',
      'auth.logout',
      'auth.revokeSession',
      'user.me',
    ]);
  });

  it('other roles may do nothing, and nobody anything where the settings say so', () => {
    expect(actionsOf('editor', { roles: { editor: [] } })).toEqual([]);
    expect(actionsOf('constructor')).toEqual([]);
    for (const role of ['public', 'authenticated'])
      expect(actionsOf(role, { users: { defaultGrants: false } })).toEqual([]);
  });
});

describe('the routes of accounts', () => {
  it('have one action each, and each action one route', () => {
    const names = ACCOUNT_ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(ACCOUNT_ROUTES.length);
    expect(new Set(ACCOUNT_ROUTES.map(({ action }) => action)).size).toBe(ACCOUNT_ROUTES.length);
    expect(new Set(PLUGIN_ACTIONS).size).toBe(PLUGIN_ACTIONS.length);
  });
});
