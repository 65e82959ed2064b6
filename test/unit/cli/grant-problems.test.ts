/**
 * @module Conditional grants that cannot be: `generate` names each.
 */
import { describe, expect, it } from 'vitest';
import { grantProblems } from '../../../cli/project/grants.ts';
import { withNames } from '../../../src/access/actions.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import type { ConditionalGrant } from '../../../src/schema/settings/grant-setting.ts';
import { guardedRegistry, id } from '../../support/worlds/rights-model.ts';

type Grants = readonly (string | ConditionalGrant)[];

const problemsOf = (grants: Grants) => grantProblems(grants, guardedRegistry, parseSettings({}));
const problemOf = (grant: ConditionalGrant) => problemsOf([grant]).join('\n');

const find = (where: Record<string, unknown>) => problemOf({ action: id('note', 'find'), where });

describe('conditions', () => {
  it('may name attributes, also private ones, relations, and values of the user', () => {
    const where = {
      $or: [
        { author: '$user' },
        { editors: { id: '$user' } },
        { text: { $eqi: '$user.department' } },
        { team: '$user.team' },
        { author: { team: { name: { $in: ['red', 'blue'] } } } },
        { due: { $lt: '$now' } },
        { key: 'x' },
        { number: { $between: [1, 2] } },
        { cover: { $notNull: true } },
      ],
    };
    expect(find(where)).toBe('');
    expect(problemOf({ action: id('story', 'find'), where: { author: { $ne: '$user' } } })).toBe('');
    const actions = ['publish', 'unpublish', 'discardDraft'].map((action) => id('story', action));
    expect(problemOf({ action: actions, where: { author: '$user' } })).toBe('');
  });

  it.each([
    [{ titel: 1 }, 'Invalid key titel'],
    [{ author: { nam: 'x' } }, 'Invalid key nam at author'],
    [{ number: 'many' }, 'number'],
    [{}, 'is empty'],
    [{ $not: { author: '$user' } }, '$not'],
    [{ text: { $not: { $eq: '$user.department' } } }, '$not'],
    [{ text: '$user.nothing' }, 'A user has no attribute "nothing"'],
    [{ text: '$user.password' }, 'A user has no attribute "password"'],
    [{ number: '$user.department' }, 'same type'],
    [{ folder: '$user.team' }, 'same content type'],
    [{ team: { $ne: '$user.team' } }, 'only $eq'],
    [{ text: { $in: ['a', '$user.department'] } }, 'one value'],
  ])('are rejected: %j', (where, problem) => {
    expect(find(where)).toContain(`${id('note', 'find')}: where: `);
    expect(find(where)).toContain(problem);
  });
});

describe('the parts of a grant', () => {
  it.each<[ConditionalGrant, string]>([
    [{ action: id('note', 'create'), where: { number: 1 } }, 'takes no "where"'],
    [{ action: id('note', 'delete'), where: { number: 1 }, fields: ['text'] }, 'takes no "fields"'],
    [{ action: id('note', 'find'), set: { number: 1 } }, 'takes no "set"'],
    [{ action: id('story', 'readDrafts'), where: { author: '$user' } }, 'takes no conditions'],
    [{ action: 'plugin::users-permissions.user.find', where: { id: '$user' } }, 'takes no conditions'],
    [{ action: id('note', 'find'), fields: ['txt'] }, 'has no attribute "txt"'],
    [{ action: id('note', 'create'), set: { txt: 1 } }, 'has no attribute "txt"'],
    [{ action: id('note', 'create'), set: { folder: 'abc' } }, 'only "$user" may be set'],
    [{ action: id('note', 'create'), set: { text: '$user.department' } }, 'only $user and $now'],
    [{ action: id('note', 'create'), validate: { nmber: 1 } }, 'validate: Invalid key nmber'],
  ])('are those of its action: %j', (grant, problem) => {
    expect(problemOf(grant)).toContain(problem);
  });

  it('are the same in all grants of an action, which has none without conditions', () => {
    const own = { action: id('note', 'find'), where: { author: '$user' } };
    expect(problemsOf([own, { action: id('note', 'find'), where: { number: 1 } }])).toEqual([]);
    expect(problemsOf([own, { ...own, fields: ['text'] }]).join()).toContain(
      'the same fields, set, validate and status',
    );
    expect(problemsOf([own, 'api::*.find']).join()).toContain('without conditions, too');
    expect(problemsOf([{ action: 'api::note.*', where: { author: '$user' } }]).join()).toContain(
      'create: takes no "where"',
    );
  });
});

describe('a grant for drafts only', () => {
  const drafts = (...action: readonly string[]): ConditionalGrant => ({ action: [...action], status: 'draft' });

  it('is one of actions that may write drafts, and of uploads', () => {
    const actions = ['create', 'update', 'delete', 'discardDraft', 'restore'].map((action) => id('story', action));
    expect(problemOf(drafts(...actions, 'plugin::upload.content-api.upload'))).toBe('');
  });

  it('means them by a pattern, and no other actions', () => {
    const [grant] = withNames([drafts('api::*.*', '*.upload')], guardedRegistry) as [ConditionalGrant];
    const written = ['create', 'update', 'delete', 'restore', 'discardDraft'].map((action) => id('story', action));
    expect(grant.action).toEqual([...written, 'plugin::upload.content-api.upload']);
  });

  it.each([
    [id('story', 'publish'), 'takes no "status"'],
    [id('story', 'find'), 'takes no "status"'],
    [id('story', 'readDrafts'), 'takes no conditions'],
    [id('note', 'update'), 'has no drafts'],
    ['plugin::upload.content-api.destroy', 'takes no conditions'],
    ['plugin::users-permissions.user.update', 'takes no conditions'],
    ['api::note.*', 'api::note.*: has no action that may write drafts'],
  ])('cannot be one of %s', (action, problem) => {
    expect(problemOf(drafts(action))).toContain(problem);
  });

  it('is the only one of its action, and has no other limits for uploads', () => {
    const update = id('story', 'update');
    expect(problemsOf([drafts(update), update]).join()).toContain('without conditions, too');
    expect(problemsOf([drafts(update), { action: update, where: { author: '$user' } }]).join()).toContain('status');
    const upload = 'plugin::upload.content-api.upload';
    expect(problemOf({ ...drafts(upload), fields: ['name'] })).toContain('takes no "fields"');
  });
});
