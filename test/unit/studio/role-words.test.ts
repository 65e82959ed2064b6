import { describe, expect, it } from 'vitest';
import type { ConditionalGrant } from '../../../studio/people/grant-text.ts';
import { countOf, extentIn, KINDS, type Scope, scopesOf, wordsOf } from '../../../studio/people/role-words.ts';

const ALL =
  'find findOne create update delete readDrafts publish unpublish discardDraft previewLink history restore readPrivate';

/** Returns what a role with these actions may do with articles. @param all the actions of the type */
function scopeOf(granted: string, conditions: readonly ConditionalGrant[] = [], all = ALL): Scope {
  const actions = all.split(' ').map((name) => [name, { enabled: granted.split(' ').includes(name) }] as const);
  const permissions = { 'api::article': { controllers: { article: Object.fromEntries(actions) } } };
  const role = { id: 1, type: 'editor', name: 'Editor', permissions, conditions };
  return scopesOf(role)[0] as Scope;
}

const draftsOnly = (names: string): ConditionalGrant => ({
  action: names.split(' ').map((name) => `api::article.article.${name}`),
  status: 'draft',
});

const extents = (scope: Scope) => KINDS.map(([, names]) => extentIn(scope, names));

describe('what a role may do with a content type', () => {
  it('includes drafts that everybody reads', () => {
    const actions = { find: { enabled: true }, readDrafts: { enabled: false } };
    const permissions = { 'api::article': { controllers: { article: actions } } };
    const inherited = ['api::article.article.readDrafts'];
    const [scope] = scopesOf({ id: 1, type: 'reader', name: 'Reader', permissions, inherited });
    expect(wordsOf(scope as Scope)).toBe('everything');
    expect(scope?.actions[1]).toMatchObject({ extent: 'yes', isInherited: true, limits: ['As everybody does.'] });
  });

  it.each([
    ['', 'nothing'],
    ['find findOne', 'reads'],
    ['findOne', 'reads'],
    ['find readDrafts', 'reads, also drafts'],
    ['find create', 'reads, creates, publishes'],
    ['find update', 'reads, changes, publishes'],
    ['find create update delete', 'reads, writes, publishes, deletes'],
    ['find publish', 'reads, publishes'],
    ['find unpublish', 'reads, unpublishes'],
    ['find history restore', 'reads, restores versions'],
    ['history', 'sees former versions'],
    ['readDrafts', 'reads drafts'],
    ['previewLink', 'shows the page'],
    ['discardDraft', 'discards drafts'],
    ['find readPrivate', 'reads, reads private attributes'],
    [ALL.replace(' readPrivate', ''), 'everything'],
    [ALL, 'everything, reads private attributes'],
  ])('of %s is: %s', (granted, words) => {
    expect(wordsOf(scopeOf(granted))).toBe(words);
  });

  it('with drafts alone is said of drafts, and publishes nothing', () => {
    const scope = scopeOf('find readDrafts create update delete', [draftsOnly('create update delete')]);
    expect(wordsOf(scope)).toBe('reads, also drafts, writes drafts, deletes drafts');
    expect(extents(scope)).toEqual(['limited', 'yes', 'limited', 'no', 'drafts', 'no']);
  });

  it.each([
    ['create', 'creates drafts, changes, publishes'],
    ['update', 'creates, changes drafts, publishes'],
  ])('with drafts alone of %s is said of each write', (name, words) => {
    expect(wordsOf(scopeOf('create update', [draftsOnly(name)]))).toBe(words);
  });

  it('under a condition is limited, also where it is for drafts', () => {
    const where = { action: ['api::article.article.find'], where: { tone: 'playful' }, status: 'draft' } as const;
    const scope = scopeOf('find findOne', [where]);
    expect(wordsOf(scope)).toBe('reads, under conditions');
    expect(extents(scope)[0]).toBe('limited');
    expect(scope.actions[0]?.limits).toEqual(['Only where tone is "playful".', 'Only drafts.']);
  });

  it.each<[string, Partial<ConditionalGrant>]>([
    ['documents', { where: { tone: 'playful' } }],
    ['attributes', { fields: ['title'] }],
    ['values that are set', { set: { tone: 'playful' } }],
    ['values that must match', { validate: { tone: 'playful' } }],
  ])('with drafts alone, and of some %s, publishes nothing', (_, limit) => {
    const scope = scopeOf('find create', [{ ...draftsOnly('create'), ...limit }]);
    expect(wordsOf(scope)).toBe('reads, creates drafts, under conditions');
    expect(extents(scope)).toEqual(['limited', 'no', 'limited', 'no', 'no', 'no']);
  });

  it('publishes by writing, where there are drafts', () => {
    expect(extents(scopeOf('create update'))).toEqual(['no', 'no', 'limited', 'limited', 'no', 'no']);
    const plain = scopeOf('create update', [], 'find findOne create update delete');
    expect(wordsOf(plain)).toBe('writes');
    expect(extents(plain)).toEqual(['no', undefined, 'yes', undefined, 'no', undefined]);
  });

  it('is counted where it has no words', () => {
    expect(wordsOf(scopeOf('search', [], `${ALL} search`))).toBe('1 of 13');
    expect(wordsOf(scopeOf('search readPrivate', [], `${ALL} search`))).toBe('1 of 13, reads private attributes');
    expect(countOf(scopeOf('', [], 'find upload'))).toBe('nothing');
    expect(countOf(scopeOf('find', [], 'find upload'))).toBe('1 of 2');
    expect(countOf(scopeOf('find upload', [], 'find upload'))).toBe('everything');
  });
});
