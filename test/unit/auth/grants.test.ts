/**
 * @module What roles may do before anybody grants them anything, and what follows from a grant.
 */
import { describe, expect, it } from 'vitest';
import { PLUGIN_ACTIONS } from '../../../src/access/actions.ts';
import {
  AGENT,
  draftsId,
  EVERYTHING,
  effective,
  type Grants,
  isDraftsOnly,
  mayAttachFiles,
  mayFindFiles,
  only,
  readId,
  readsWithDrafts,
  roleActions,
  roleGrants,
  withDrafts,
} from '../../../src/access/grants.ts';
import { ACCOUNT_ROUTES } from '../../../src/schema/account-routes.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

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

const note = (action: string) => `api::note.note.${action}`;
const FILES = 'plugin::upload.content-api';

describe('drafts', () => {
  it.each([
    ['find', true],
    ['findOne', true],
    ['readDrafts', true],
    ['update', false],
  ])('are read with %s: %s', (action, isRead) => {
    const { allows } = withDrafts(only([note(action)]));
    expect([allows(note('readDrafts')), allows('api::page.page.readDrafts')]).toEqual([isRead, false]);
    expect([allows(note(action)), allows(note('delete'))]).toEqual([true, false]);
  });

  it('follow from a read, which follows from none', () => {
    expect(['find', 'findOne', 'readDrafts'].filter((action) => readsWithDrafts(note(action), () => true))).toEqual([
      'readDrafts',
    ]);
  });

  it('that the public reads are read by every role, and with the setting those of what a role reads', () => {
    const roles = { public: [note('readDrafts'), note('find')], editor: ['api::page.page.find'] };
    const readBy = (publicDrafts: boolean) => {
      const { allows } = roleGrants(parseSettings({ roles, api: { rest: { publicDrafts } } }), 'editor');
      return [note('find'), note('readDrafts'), 'api::page.page.find', 'api::page.page.readDrafts'].map(allows);
    };
    expect(readBy(false)).toEqual([false, true, true, false]);
    expect(readBy(true)).toEqual([false, true, true, true]);
  });

  it('of a preview have an id of their own, as its document has', () => {
    const preview = { ...EVERYTHING, previewed: 'api::note.note' };
    const ids = (grants: Grants) => [draftsId(grants, 'api::note.note'), readId(grants, 'api::note.note', 'find')];
    expect(ids(EVERYTHING)).toEqual([note('readDrafts'), note('find')]);
    for (const id of ids(preview)) expect(ids(EVERYTHING)).not.toContain(id);
    expect(readId(preview, 'api::page.page', 'findOne')).toBe('api::page.page.findOne');
  });
});

describe('an agent', () => {
  it('reads without limits, and writes drafts and new files', () => {
    const reads = [note('find'), note('readDrafts'), note('history'), `${FILES}.find`];
    const writes = [note('create'), note('restore'), `${FILES}.upload`];
    const others = [note('publish'), note('readPrivate'), `${FILES}.destroy`];
    expect([...reads, ...writes, ...others].filter(AGENT.allows)).toEqual([...reads, ...writes]);
    expect([...reads, ...writes].filter((id) => isDraftsOnly(AGENT, id))).toEqual(writes);
  });
});

describe('a role with conditions', () => {
  const roles = { editor: [note('find'), { action: note('update'), where: { text: 'open' } }] };
  const { allows, role, rule } = roleGrants(parseSettings({ roles }), 'editor');

  it('has the limits of each action', () => {
    expect([rule?.(note('find')), rule?.(note('update'))?.where]).toEqual([undefined, [{ text: 'open' }]]);
    expect([allows(note('find')), allows(note('update')), allows(note('create')), role?.()]).toEqual([
      ...[true, true, false],
      'editor',
    ]);
    expect(roleGrants(parseSettings({ roles }), 'public').rule).toBeUndefined();
  });

  it('attaches no files by an upload where it may not write every document', () => {
    expect(mayAttachFiles({ allows, rule }, 'api::note.note')).toBe(false);
    expect(mayAttachFiles({ allows }, 'api::note.note')).toBe(true);
    expect(mayAttachFiles(only([note('find')]), 'api::note.note')).toBe(false);
  });
});

it.each([
  [`${FILES}.find`, true],
  [`${FILES}.findOne`, true],
  [`${FILES}.upload`, false],
])('private files are read with %s: %s', (id, isRead) => {
  expect(mayFindFiles(only([id]))).toBe(isRead);
});

describe('grants for drafts only', () => {
  const registry = registryOf([
    contentType('note', { text: { type: 'string' } }),
    contentType('story', { text: { type: 'string' } }, { drafts: true, plural: 'stories' }),
  ]);
  const story = 'api::story.story.update';

  it('are none where there are no drafts, and stay with others', () => {
    const ids = [note('find'), note('update'), story, `${FILES}.upload`];
    const { allows, rule } = effective(AGENT, registry);
    expect(ids.filter(allows)).toEqual([note('find'), story, `${FILES}.upload`]);
    expect(rule?.(story)).toBe(AGENT.rule?.(story));
    expect(effective({ ...AGENT, allows: () => false }, registry).allows(story)).toBe(false);
    expect(effective(only([note('update')]), registry).allows(note('update'))).toBe(true);
  });
});
