/**
 * @module Which documents a conditional grant lets a caller change, by the rows that are read before a write.
 */
import { describe, expect, it } from 'vitest';
import { type Action, type Grants, only } from '../../../src/access/grants.ts';
import { type Grant, rulesOf } from '../../../src/access/rule.ts';
import { type ApiError, type ErrorBody, toErrorBody } from '../../../src/common/errors.ts';
import {
  assertValid,
  changeConditions,
  grantCheck,
  invalidByGrant,
  readRule,
  rejectHidden,
  rejectHiddenWrite,
  responseRule,
  valuesSet,
  visibleTargets,
  withoutSet,
  writeCheck,
} from '../../../src/content/operations/grant-check.ts';
import type { Condition } from '../../../src/content/plan/model/read-plan.ts';
import type { DocumentCall } from '../../../src/content/runtime/content-call.ts';
import { AssertionFailed } from '../../../src/content/sql/batch.ts';
import type { Row } from '../../../src/content/sql/statement.ts';
import { namedDocument, single } from '../../../src/schema/document-ref.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { FILE_UID, systemType } from '../../../src/schema/system-types.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const TEXT = { text: { type: 'string' }, owner: { type: 'string' } };
const registry = registryOf([
  contentType('note', TEXT),
  contentType('story', TEXT, { drafts: true, localized: true, plural: 'stories' }),
  contentType('home', TEXT, { single: true }),
]);
const settings = parseSettings({});
const document = namedDocument('a');
const typeOf = (name: string) => systemType(registry, `api::${name}.${name}`);
const callOf = (name: string, more: Partial<DocumentCall> = {}): DocumentCall =>
  ({ registry, settings, type: typeOf(name), document, ...more }) as DocumentCall;

const NOW = Date.UTC(2026, 0, 2);
const RULES = { where: { owner: 'me' } };
/** A caller with `story.update` and the like; those with a star are limited by a rule. */
function callerWith(...granted: readonly (string | Grant)[]): { readonly grants: Grants } {
  const grants = granted.map((each): Grant => {
    if (typeof each !== 'string') return each;
    const [name, action = ''] = each.split('.');
    const id = `api::${name}.${name}.${action.replace('*', '')}`;
    return action.endsWith('*') ? { action: id, ...RULES } : id;
  });
  const ids = grants.flatMap((grant) => (typeof grant === 'string' ? [grant] : [grant.action].flat()));
  return { grants: { ...only(ids), rule: rulesOf(grants)?.({ user: 7, now: NOW }) } };
}

const onlyDrafts = (name: string, action: Action): Grant => ({
  action: `api::${name}.${name}.${action}`,
  status: 'draft',
});

function refusal(attempt: () => unknown): string {
  try {
    return JSON.stringify(attempt());
  } catch (error) {
    const { error: body }: ErrorBody = toErrorBody((error as ApiError).problem);
    return `${body.status} ${body.message}`;
  }
}

/** `1 en d-v`: row 1, a draft in English, which the caller may not change, but see. */
function rowOf(text: string): Row {
  const [id = '', locale = '', flags = ''] = text.split(' ');
  const has = (index: number, flag: string) => (flags[index] === flag ? 1 : 0);
  return { id: Number(id), locale, published: has(0, 'p'), allowed: has(1, 'a'), visible: has(2, 'v') };
}

const NOT_FOUND = '404 Not Found';
const FORBIDDEN = '403 Forbidden';
const PUBLISHED = '403 This caller may only delete drafts, and the document has a published version';
const EDITOR = ['story.update*', 'story.find*', 'story.readDrafts'];
const READER = ['story.update*', 'story.find*'];
const REMOVER = [onlyDrafts('story', 'delete'), 'story.find', 'story.readDrafts'];

function outcome(
  granted: readonly (string | Grant)[],
  action: Action,
  locale: unknown,
  rows: readonly string[],
): string {
  const changed = { kind: 'document', document, locale: locale as string } as const;
  const check = grantCheck(callOf('story'), callerWith(...granted), action, changed);
  expect(check.statements).toHaveLength(1);
  return refusal(() => {
    const { seen, isHidden, guards } = check.decode([rows.map(rowOf)]);
    expect(guards).toHaveLength(1);
    return [...(seen ?? []), ...(isHidden ? ['hidden'] : [])];
  });
}

describe('a write under a rule', () => {
  it.each([
    ['finds no document', EDITOR, 'en', [], NOT_FOUND],
    ['finds none that is hidden', EDITOR, 'en', ['1 en da-'], NOT_FOUND],
    ['is forbidden in a visible document', READER, 'en', ['1 en p-v'], FORBIDDEN],
    ['is forbidden in a visible draft', EDITOR, 'en', ['1 en d-v'], FORBIDDEN],
    ['finds no draft without the right to drafts', READER, 'en', ['1 en d-v'], NOT_FOUND],
    ['is forbidden where a version is hidden', EDITOR, 'en', ['1 en dav', '2 en pa-'], FORBIDDEN],
    ['finds no hidden version of a draft', READER, 'en', ['1 en dav', '2 en pa-'], NOT_FOUND],
    ['is forbidden in every locale if one is hidden', EDITOR, undefined, ['1 en dav', '2 de d--'], FORBIDDEN],
    ['is forbidden in two locales', EDITOR, ['en', 'de'], ['1 en dav', '2 de d-v'], FORBIDDEN],
    ['is forbidden in a new locale of what it may not change', EDITOR, 'fr', ['1 en dav', '2 de d-v'], FORBIDDEN],
  ])('%s', (_, granted, locale, rows, expected) => {
    expect(outcome(granted, 'update', locale, rows)).toBe(expected);
  });

  it.each([
    ['in its locale', 'en', ['1 en dav', '2 de d--'], '[1]'],
    ['in its versions', 'en', ['1 en dav', '2 en pav', '3 de p-v'], '[1,2,3]'],
    ['in some locales', ['en', 'fr'], ['1 en dav', '2 fr dav', '3 de d--'], '[1,2]'],
    ['in every locale', undefined, ['1 en dav', '2 de dav'], '[1,2]'],
    ['in a new locale', 'fr', ['1 en dav', '2 de d--'], '[1]'],
    ['in a hidden locale, as in a new one', 'de', ['1 en dav', '2 de d--'], '[1,"hidden"]'],
  ])('is allowed %s', (_, locale, rows, expected) => {
    expect(outcome(EDITOR, 'update', locale, rows)).toBe(expected);
  });

  it('of a row is one in the locale of the row', () => {
    const check = grantCheck(callOf('story'), callerWith(...EDITOR), 'update', { kind: 'row', row: 2 });
    expect(check.decode([['1 en d-v', '2 de dav'].map(rowOf)])).toMatchObject({
      seen: new Set([1, 2]),
      isHidden: false,
    });
    expect(refusal(() => check.decode([['1 en dav', '2 de d-v'].map(rowOf)]))).toBe(FORBIDDEN);
  });

  it('sees the rows of a type without drafts', () => {
    const changed = { kind: 'document', document, locale: undefined } as const;
    const check = grantCheck(callOf('note'), callerWith('note.update*', 'note.find'), 'update', changed);
    expect(refusal(() => check.decode([[rowOf('1 en d-v')]]))).toBe(FORBIDDEN);
  });

  it('reads nothing without a rule on the type', () => {
    const changed = { kind: 'document', document, locale: 'en' } as const;
    for (const granted of [
      ['note.update', 'note.find'],
      ['note.update', 'note.find', 'story.update*'],
    ]) {
      const check = grantCheck(callOf('note'), callerWith(...granted), 'update', changed);
      expect([check.statements, check.decode([])]).toEqual([[], { guards: [] }]);
    }
  });

  it('says why a document with a published version cannot be deleted, to a caller who sees that version', () => {
    const cases: readonly [readonly string[], string][] = [
      [['1 en dav', '2 en p-v'], PUBLISHED],
      [['1 en dav', '2 en p--'], FORBIDDEN],
      [['1 en d-v'], FORBIDDEN],
      [['1 en dav'], '[1]'],
    ];
    for (const [rows, expected] of cases) expect(outcome(REMOVER, 'delete', 'en', rows)).toBe(expected);
    expect(outcome(EDITOR, 'delete', 'en', ['1 en p-v'])).toBe(FORBIDDEN);
  });
});

function printed(condition: Condition | undefined): string {
  if (condition?.kind === 'and' || condition?.kind === 'or')
    return `${condition.kind}(${condition.conditions.map(printed).join(', ')})`;
  if (condition?.kind === 'not') return `not(${printed(condition.condition)})`;
  if (condition?.kind === 'compare') return `${condition.attribute.name} ${condition.operator} ${condition.operands}`;
  return condition?.kind === 'version' ? condition.status : (condition?.kind ?? '-');
}
const OWN = 'or(owner $eq me)';

describe('the conditions of a change', () => {
  it.each<[string, Action, readonly (string | Grant)[], string]>([
    ['note', 'update', ['note.update*', 'note.find*'], `${OWN} ${OWN}`],
    ['note', 'update', ['note.update', 'note.find*'], `- ${OWN}`],
    ['note', 'update', ['note.update*', 'note.find'], `${OWN} -`],
    ['note', 'update', ['note.update*'], `${OWN} ${OWN}`],
    ['note', 'update', ['note.update*', 'note.find*', 'note.findOne'], `${OWN} -`],
    ['note', 'update', ['note.update*', 'note.find', 'note.findOne*'], `${OWN} ${OWN}`],
    ['home', 'update', ['home.update*', 'home.find', 'home.findOne*'], `${OWN} -`],
    ['story', 'delete', [onlyDrafts('story', 'delete'), 'story.find'], 'draft -'],
    [
      'story',
      'delete',
      [{ ...RULES, action: 'api::story.story.delete', status: 'draft' }],
      `and(draft, ${OWN}) ${OWN}`,
    ],
    ['story', 'delete', ['story.delete*', 'story.find'], `${OWN} -`],
    ['story', 'update', [{ ...RULES, action: 'api::story.story.update', status: 'draft' }], `${OWN} ${OWN}`],
  ])('of a %s (%s) with %j: allowed and visible', (name, action, granted, expected) => {
    const conditions = changeConditions(callOf(name), callerWith(...granted), action);
    expect(`${printed(conditions?.allowed)} ${printed(conditions?.visible)}`).toBe(expected);
  });

  it('are absent without rules on the type', () => {
    expect(changeConditions(callOf('note'), callerWith('note.update', 'note.find'), 'update')).toBeUndefined();
    expect(changeConditions(callOf('note'), callerWith('note.update', 'story.find*'), 'update')).toBeUndefined();
  });
});

describe('the rule of a response to a write', () => {
  const fieldsOf = (name: string, ...granted: readonly (string | Grant)[]) => {
    const rule = responseRule(callOf(name), callerWith(...granted), 'update');
    return rule && (rule.where ? 'where' : [...(rule.fields ?? [])].join());
  };
  const update = { action: 'api::note.note.update', fields: ['text'] };

  it('is that of the read, or else of the write', () => {
    expect(fieldsOf('note', update, 'note.find*')).toBe('where');
    expect(fieldsOf('note', update, 'note.find')).toBeUndefined();
    expect(fieldsOf('note', update)).toBe('text');
    expect(fieldsOf('note', 'note.update', 'note.find')).toBeUndefined();
  });

  it('of a read is that of one document, if that is granted', () => {
    expect(readRule(callOf('note'), callerWith('note.find', 'note.findOne*'))).toBeDefined();
    expect(readRule(callOf('note'), callerWith('note.find*', 'note.findOne'))).toBeUndefined();
    expect(readRule(callOf('note'), callerWith('note.find*'))).toBeDefined();
  });
});

describe('the targets that a body may name', () => {
  const conditionOf = (type: ReturnType<typeof typeOf>, given: object, ...granted: readonly string[]) => {
    const { grants } = callerWith(...granted, ...(granted.includes('files') ? [{ action: FIND_FILES }] : []));
    return printed(visibleTargets({ registry, settings: parseSettings(given) }, { grants })(type));
  };
  const FIND_FILES = 'plugin::upload.content-api.find';
  const file = systemType(registry, FILE_UID);

  it.each([
    ['note', [], 'never'],
    ['note', ['note.find'], '-'],
    ['note', ['note.find*'], OWN],
    ['story', ['story.find'], 'published'],
    ['story', ['story.find*'], `and(published, ${OWN})`],
    ['story', ['story.find*', 'story.readDrafts'], OWN],
    ['story', ['story.find', 'story.readDrafts'], '-'],
  ])('of type %s with %j: %s', (name, granted, expected) => {
    expect(conditionOf(typeOf(name), {}, ...granted)).toBe(expected);
  });

  it('are public files, unless the caller may find files, or all are public', () => {
    const isPrivate = { upload: { private: true } };
    expect(conditionOf(file, isPrivate)).toBe('not(hash $endsWith -private)');
    expect(conditionOf(file, isPrivate, 'files')).toBe('-');
    expect(conditionOf(file, {})).toBe('-');
  });
});

describe('a write of a hidden locale', () => {
  const HIDDEN = ['1 en dav', '2 de d--'].map(rowOf);
  const checked = (action: Action, more: Partial<DocumentCall> = {}, locale = 'de') => {
    const { statements, decode } = writeCheck(
      callOf('story', more),
      callerWith(...EDITOR, 'story.delete'),
      action,
      locale,
    );
    return { statements, ...decode([HIDDEN, []]) };
  };

  it('is rejected as one of no document, a delete changes nothing, and no tag matches', () => {
    expect(refusal(() => checked('update').guards())).toBe(NOT_FOUND);
    expect(refusal(() => rejectHiddenWrite(checked('update')))).toBe(NOT_FOUND);
    expect(checked('delete').guards()).toHaveLength(1);
    for (const action of ['update', 'delete'] as const)
      expect(refusal(() => checked(action, { ifMatch: '*' }).guards())).toMatch(/^412 If-Match /);
  });

  it('differs from one of a visible locale, whose tag is compared when the guards are asked for', () => {
    const visible = checked('update', {}, 'en');
    expect([visible.isHidden, visible.seen, visible.guards().length]).toEqual([false, new Set([1]), 1]);
    rejectHiddenWrite(visible);
    const unmatched = checked('update', { ifMatch: '"x"' }, 'en');
    expect(unmatched.statements).toHaveLength(2);
    // Errors of planning come before it.
    rejectHiddenWrite(unmatched);
    expect(refusal(() => unmatched.guards())).toMatch(/^412 If-Match /);
    expect(checked('update', { ifNoneMatch: '"x"' }, 'en').guards()).toHaveLength(2);
  });

  it('does not concern a new document', () => {
    const check = checked('create', { ifMatch: '"x"' });
    expect([check.statements, check.guards()]).toEqual([[], []]);
  });

  it('is rejected by itself', () => {
    expect(refusal(() => rejectHidden({ isHidden: true }))).toBe(NOT_FOUND);
    expect(() => rejectHidden({})).not.toThrow();
  });
});

describe('what a rule sets and requires', () => {
  const set = { owner: '$user', at: '$now', text: 'open' };

  it('is written in place of what the body has', () => {
    const rule = { key: '', set, caller: { user: 7, now: NOW } };
    expect(valuesSet(rule)).toEqual({ owner: 7, at: '2026-01-02T00:00:00.000Z', text: 'open' });
    expect(valuesSet({ ...rule, caller: { user: undefined, now: NOW } }).owner).toBeNull();
    expect(valuesSet({ key: '', caller: rule.caller })).toEqual({});
    expect(withoutSet({ text: 'closed', other: 1 }, rule)).toEqual({ other: 1 });
  });

  it('is asserted of the written document', () => {
    const row = {
      type: typeOf('home'),
      document: single(typeOf('home')),
      locale: undefined,
      status: 'published',
    } as never;
    const requires = { action: 'api::home.home.update', validate: { text: 'open' } };
    const codes: string[] = [];
    const assertions = (...granted: readonly (string | Grant)[]) =>
      assertValid(callOf('home'), callerWith(...granted), 'update', row, (code) => {
        codes.push(code);
        return `5 ${code}`;
      });
    expect([assertions('home.update'), assertions('home.update*')]).toEqual([[], []]);
    expect(assertions(requires)).toHaveLength(1);
    const [code = ''] = codes;
    const failures = [new AssertionFailed(code), new AssertionFailed('OTHER'), new Error(code)];
    expect(failures.map((failure) => invalidByGrant(failure) === failure)).toEqual([false, true, true]);
    expect(
      refusal(() => {
        throw invalidByGrant(failures[0]);
      }),
    ).toBe('400 The written document does not match what the grant requires');
  });
});
