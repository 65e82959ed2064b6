/**
 * @module The part of a user's rights that a client has, which acts in the user's name.
 */
import { describe, expect, it } from 'vitest';
import { delegated, isLevel, LEVELS, type Level } from '../../../src/access/delegation.ts';
import { DRAFTS_ONLY, only, roleGrants } from '../../../src/access/grants.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const note = (...actions: readonly string[]) => actions.map((action) => `api::note.note.${action}`);
const file = (...actions: readonly string[]) => actions.map((action) => `plugin::upload.content-api.${action}`);
const [FIND, CREATE, UPDATE] = note('find', 'create', 'update') as [string, string, string];

const READS = [
  ...note('find', 'findOne', 'readDrafts', 'previewLink', 'history'),
  ...file('find', 'findOne'),
  'plugin::i18n.locales.listLocales',
];
const DRAFTS = [...note('create', 'update', 'delete', 'discardDraft', 'restore'), ...file('upload')];
const OTHERS = note('publish', 'unpublish');
const NEVER = [...file('destroy'), 'plugin::users-permissions.user.me', 'plugin::upload.folder.create'];
const ALL = [...READS, ...DRAFTS, ...OTHERS, ...NEVER];

const clientOf = (level: Level, types: readonly string[] | null = null, actions = ALL) =>
  delegated(only(actions), { level, types });

describe('a client', () => {
  it.each<[Level, readonly string[]]>([
    ['read', READS],
    ['drafts', [...READS, ...DRAFTS]],
    ['write', [...READS, ...DRAFTS, ...OTHERS]],
  ])('has the actions of its level, if the user has them: %s', (level, actions) => {
    expect(ALL.filter(clientOf(level).allows)).toEqual(actions);
    for (const id of actions)
      expect(
        clientOf(
          level,
          null,
          ALL.filter((other) => other !== id),
        ).allows(id),
      ).toBe(false);
  });

  it('has those of the allowed types alone, and those of files', () => {
    const actions = [...ALL, 'api::page.page.find'];
    expect(actions.filter(clientOf('write', null, actions).allows)).toContain('api::page.page.find');
    expect(actions.filter(clientOf('write', ['api::page.page'], actions).allows)).toEqual([
      ...file('find', 'findOne'),
      'plugin::i18n.locales.listLocales',
      ...file('upload'),
      'api::page.page.find',
    ]);
  });

  it('has a level that there is', () => {
    expect(LEVELS.filter(isLevel)).toEqual(['read', 'drafts', 'write']);
    expect(['everything', '', 1, null, undefined].filter(isLevel)).toEqual([]);
  });
});

describe('the limits of a user', () => {
  const where = { author: '$user' };
  const roles = { editor: [CREATE, { action: [FIND, UPDATE], where }] };
  const user = roleGrants(parseSettings({ roles }), 'editor', { user: 1, now: 0 });
  const { drafts, write } = {
    drafts: delegated(user, { level: 'drafts', types: null }),
    write: delegated(user, { level: 'write', types: null }),
  };

  it('are those of the client, too', () => {
    for (const id of [FIND, CREATE, UPDATE]) expect(write.rule?.(id)).toEqual(user.rule?.(id));
    expect([write.role?.(), drafts.role?.()]).toEqual(['editor', 'editor']);
  });

  it('are joined by the one to drafts, where the client writes those alone', () => {
    expect(drafts.rule?.(FIND)).toEqual(user.rule?.(FIND));
    expect(drafts.rule?.(CREATE)).toBe(DRAFTS_ONLY);
    expect(drafts.rule?.(UPDATE)).toMatchObject({ where: [where], status: 'draft', caller: { user: 1 } });
    expect([user.rule?.(UPDATE)?.key, DRAFTS_ONLY.key]).not.toContain(drafts.rule?.(UPDATE)?.key);
  });
});
