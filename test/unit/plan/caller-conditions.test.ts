/**
 * @module Conditions of grants: the values of the caller that they name, and the rows and versions that they are about.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grants, only } from '../../../src/access/grants.ts';
import type { Rule, RuleCaller } from '../../../src/access/rule.ts';
import type { RuleRows } from '../../../src/content/plan/read/name-scope.ts';
import { grantCondition, ruleCondition } from '../../../src/content/plan/read/rule-condition.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { component, contentType, registryOf, relation, userFile } from '../../support/schema-files.ts';
import { printCondition, refusal } from './support.ts';

const TEXTS = ['string', 'text', 'richtext', 'email', 'uid', 'json', 'blocks', 'password'];
const USERS = 'plugin::users-permissions.user';
const toUser = { type: 'relation', relation: 'manyToOne', target: USERS };
const registry = registryOf(
  [
    contentType('team', { name: { type: 'string' } }),
    contentType(
      'plan',
      {
        ...{ open: { type: 'boolean' }, part: relation('manyToOne', 'plan'), idea: relation('oneToOne', 'idea') },
        tasks: relation('oneToMany', 'task', { mappedBy: 'plan' }),
        thoughts: relation('oneToMany', 'idea', { mappedBy: 'plan' }),
      },
      { drafts: true, localized: true },
    ),
    contentType(
      'idea',
      {
        story: relation('manyToOne', 'story', { inversedBy: 'ideas' }),
        plan: relation('manyToOne', 'plan', { inversedBy: 'thoughts' }),
      },
      { drafts: true },
    ),
    contentType('task', {
      ...Object.fromEntries(TEXTS.map((type) => [type, { type }])),
      choice: { type: 'enumeration', enum: ['a'] },
      ...{ date: { type: 'date' }, datetime: { type: 'datetime' }, boolean: { type: 'boolean' } },
      ...{ number: { type: 'integer' }, key: { type: 'string', private: true } },
      ...{ author: toUser, editors: { ...toUser, relation: 'manyToMany' } },
      ...{ team: relation('manyToOne', 'team'), plan: relation('manyToOne', 'plan', { inversedBy: 'tasks' }) },
      box: { type: 'component', component: 'kit.box' },
    }),
    contentType(
      'story',
      {
        ...{ title: { type: 'string' }, plan: relation('manyToOne', 'plan') },
        ideas: relation('oneToMany', 'idea', { mappedBy: 'story' }),
      },
      { drafts: true },
    ),
  ],
  [component('kit.box', { label: { type: 'string' } })],
  {},
  {
    user: userFile({
      ...{ department: { type: 'string' }, level: { type: 'integer' } },
      ...{ team: relation('manyToOne', 'team'), teams: relation('manyToMany', 'team') },
    }),
  },
);
const NOW = Date.UTC(2030, 0, 2, 3, 4, 5);
const ISO = '"2030-01-02T03:04:05.000Z"';
const TIME = '{"time":"string"}';
const anna: RuleCaller = { user: 7, now: NOW };
const nobody: RuleCaller = { user: undefined, now: NOW };
const anyTime: RuleCaller = { ...anna, isAnyTime: true };

interface Options {
  readonly caller?: RuleCaller;
  readonly drafts?: boolean;
  readonly grants?: Grants;
  readonly rows?: RuleRows;
}

const typeNamed = (name: string) => {
  const type = registry.contentTypes.get(`api::${name}.${name}`);
  if (!type) throw new Error(name);
  return type;
};

function conditionOf(where: Record<string, unknown>, options: Options = {}, name = 'task'): string {
  const { caller = anna, drafts, grants = EVERYTHING, rows = 'published' } = options;
  const rule = { caller, ...(drafts !== undefined && { drafts }) };
  const context = { registry, settings: parseSettings({}), grants };
  return printCondition(grantCondition(where, typeNamed(name), rows, rule, context));
}

describe('a value of the user', () => {
  it.each<[object, string, string]>([
    [{ author: '$user' }, 'user published to published: id $eq "7"', 'user published to published: never'],
    [{ editors: { id: '$user' } }, 'user published to published: id $eq "7"', 'user published to published: never'],
    [{ string: ['a', '$user'] }, 'string $in "a" "7"', 'never'],
    [{ string: { $eqi: '$user.department' } }, 'string $eqi department of 7', 'never'],
    [{ string: '$user.id' }, 'string $eq id of 7', 'never'],
    [{ string: '$user.documentId' }, 'string $eq documentId of 7', 'never'],
    [{ number: { $lt: '$user.level' } }, 'number $lt level of 7', 'never'],
    [
      { team: '$user.team' },
      'team published to published: documentId $eq team published to published.documentId of 7',
      'never',
    ],
    [
      { team: { $eq: '$user.teams' } },
      'team published to published: documentId $eq team published to published.documentId of 7',
      'never',
    ],
    [{ author: '$user.id' }, 'user published to published: id $eq id of 7', 'user published to published: never'],
    [{ string: 'open' }, 'string $eq "open"', 'string $eq "open"'],
    [{ string: '$users' }, 'string $eq "$users"', 'string $eq "$users"'],
    [
      { $or: [{ string: 'open' }, { author: '$user' }] },
      'or(string $eq "open", user published to published: id $eq "7")',
      'or(string $eq "open", user published to published: never)',
    ],
  ])('in %j is bound, and nothing without a user', (where, ofAnna, ofNobody) => {
    expect(conditionOf(where as Record<string, unknown>)).toBe(ofAnna);
    expect(conditionOf(where as Record<string, unknown>, { caller: nobody })).toBe(ofNobody);
  });

  it.each<[object, string]>([
    [{ string: { $eq: ['a', '$user.department'] } }, 'one value beside an operator for one value'],
    [{ string: ['$user.department'] }, 'one value beside an operator for one value'],
    [{ string: { $notIn: ['$user.department'] } }, 'one value beside an operator for one value'],
    [{ string: { $between: ['$user.department'] } }, 'one value beside an operator for one value'],
    [{ string: '$user.level' }, 'an attribute of the user with the same type'],
    [{ string: '$user.team' }, 'an attribute of the user with the same type'],
    [{ team: { $ne: '$user.team' } }, 'only $eq beside a relation of the user'],
    [{ team: { $eq: '$user.team', $ne: 'x' } }, 'only $eq beside a relation of the user'],
    [{ plan: '$user.team' }, 'a relation of the user to the same content type'],
    [{ box: '$user.team' }, 'a relation of the user to the same content type'],
    [{ $not: { author: '$user' } }, 'no value of the user'],
    [{ $not: { string: '$user.department' } }, 'no value of the user'],
    [{ author: { id: { $not: '$user' } } }, 'no value of the user'],
  ])('is rejected in %j: %s', (where, problem) => {
    for (const caller of [anna, nobody]) {
      const rejected = refusal(() => conditionOf(where as Record<string, unknown>, { caller }));
      expect(rejected.message).toContain(`Expected ${problem}`);
    }
  });

  it.each([['password'], ['nothing']])('is no %s of the user', (name) => {
    const rejected = refusal(() => conditionOf({ string: `$user.${name}` }));
    expect(rejected.message).toBe(`A user has no attribute "${name}"`);
  });

  it('may be negated in a filter of a request, where it is a text', () => {
    expect(conditionOf({ $not: { string: 'a $user' } })).toBe('not(string $eq "a $user")');
  });
});

describe('the time', () => {
  it.each<[string, string, string]>([
    ...TEXTS.map((type): [string, string, string] => [type, ISO, TIME]),
    ['choice', ISO, TIME],
    ['date', '"2030-01-02"', '{"time":"date"}'],
    ['datetime', String(NOW), '{"time":"datetime"}'],
    ['boolean', '1', '1'],
  ])('is compared with %s as %s, or filled by each request as %s', (name, ofNow, ofRequest) => {
    expect(conditionOf({ [name]: '$now' })).toBe(`${name} $eq ${ofNow}`);
    expect(conditionOf({ [name]: '$now' }, { caller: anyTime })).toBe(`${name} $eq ${ofRequest}`);
    expect(conditionOf({ [name]: { $contains: '$now' } }, { caller: anyTime })).toBe(`${name} $contains ${TIME}`);
  });

  it('is filled beside other values, which stay', () => {
    const where = { string: ['a', '$now', '$user'] };
    expect(conditionOf(where)).toBe(`string $in "a" ${ISO} "7"`);
    expect(conditionOf(where, { caller: anyTime })).toBe(`string $in "a" ${TIME} "7"`);
  });
});

describe('a condition', () => {
  it('that is empty shows nothing', () => {
    expect(conditionOf({})).toBe('never');
  });

  it('may name hidden attributes, and types that the caller may not list', () => {
    const where = { key: 'a', password: 'b', team: { name: 'c' } };
    expect(conditionOf(where, { grants: only([]) })).toBe(
      'and(key $eq "a", password $eq "b", team published to published: name $eq "c")',
    );
  });

  const mayReadDrafts = only(['api::plan.plan.readDrafts']);
  const makerMayReadDrafts = only(['maker api::plan.plan.readDrafts']);

  it.each<[string, Options, string]>([
    // From rows without drafts, drafts count too.
    ['task', {}, 'plan published to published'],
    ['task', { grants: mayReadDrafts }, 'plan published to published both'],
    ['task', { grants: mayReadDrafts, drafts: true }, 'plan published to published'],
    ['task', { grants: makerMayReadDrafts, drafts: true }, 'plan published to published both'],
    ['task', { grants: makerMayReadDrafts, drafts: false }, 'plan published to published both'],
    ['task', { grants: makerMayReadDrafts }, 'plan published to published'],
    ['task', { grants: mayReadDrafts, rows: 'both' }, 'plan published to published both'],
    // From rows with drafts, those of the same version.
    ['story', { grants: mayReadDrafts }, 'plan published to published'],
    ['story', { grants: mayReadDrafts, rows: 'draft' }, 'plan draft to draft'],
    ['story', { rows: 'draft' }, 'plan published to draft'],
    ['story', { grants: mayReadDrafts, rows: 'both' }, 'plan published to published both own'],
    ['story', { rows: 'both' }, 'plan published to published own'],
  ])('on rows of %s follows the drafts that its caller may read: %j', (name, options, step) => {
    const where = { plan: { open: true } };
    expect(conditionOf(where, { grants: only([]), ...options }, name)).toBe(`${step}: open $eq 1`);
  });

  it('behind a published target of a draft follows published links alone', () => {
    const where = { plan: { part: { open: true } } };
    const options: Options = { grants: only([]), rows: 'draft' };
    expect(conditionOf(where, options, 'story')).toBe(
      'plan published to draft: plan published to published: open $eq 1',
    );
    expect(conditionOf(where, { ...options, grants: mayReadDrafts }, 'story')).toBe(
      'plan draft to draft: plan draft to draft: open $eq 1',
    );
    const ofIdea = { plan: { idea: { id: 1 } } };
    expect(conditionOf(ofIdea, { ...options, grants: only(['api::idea.idea.readDrafts']) }, 'story')).toBe(
      'plan published to draft: idea published to published: id $eq "1"',
    );
  });

  it.each<[string, object, string]>([
    ['story', { ideas: { id: 1 } }, 'idea published from published: id $eq "1"'],
    ['plan', { tasks: { number: 1 } }, 'task published from draft: number $eq 1'],
    ['plan', { tasks: { plan: { open: true } } }, 'task published from draft: plan published to published: open $eq 1'],
    ['plan', { localizations: { open: true } }, 'locales published: open $eq 1'],
  ])('on drafts of %s follows links of the versions that their ends have: %j', (name, where, condition) => {
    expect(conditionOf(where as Record<string, unknown>, { grants: only([]), rows: 'draft' }, name)).toBe(condition);
  });

  const PLAN = 'plan published to published';

  it.each<[object, Grants, string]>([
    [{ idea: { id: 1 } }, only([]), `${PLAN}: idea published to published: id $eq "1"`],
    [{ idea: { id: 1 } }, mayReadDrafts, `${PLAN} both: idea published to published own: id $eq "1"`],
    [{ thoughts: { id: 1 } }, mayReadDrafts, `${PLAN} both: idea published from published: id $eq "1"`],
    [{ tasks: { number: 1 } }, mayReadDrafts, `${PLAN} both: task published from published both own: number $eq 1`],
    [
      { tasks: { plan: { open: true } } },
      mayReadDrafts,
      `${PLAN} both: task published from published both own: ${PLAN} both: open $eq 1`,
    ],
    [{ localizations: { open: true } }, mayReadDrafts, `${PLAN} both: locales published: open $eq 1`],
  ])('behind rows without drafts follows the links of each version: %j', (plan, grants, condition) => {
    expect(conditionOf({ plan }, { grants })).toBe(condition);
  });
});

describe('the rule of a grant', () => {
  const context = { registry, settings: parseSettings({}), grants: EVERYTHING };
  const rule: Rule = { key: '', caller: anna };
  const whereOf = (given: Rule | undefined) => ruleCondition(given, typeNamed('task'), 'published', context);

  it('limits rows to those that meet one of its conditions', () => {
    const where = [{ string: 'open' }, { author: '$user' }];
    expect(printCondition(whereOf({ ...rule, where }))).toBe(
      'or(string $eq "open", user published to published: id $eq "7")',
    );
  });

  it('limits no rows without conditions', () => {
    expect(whereOf(undefined)).toBeUndefined();
    expect(whereOf({ ...rule, fields: new Set(['string']) })).toBeUndefined();
  });
});
