/**
 * @module What the token of a preview grants, by the grants of its maker and those of the public role.
 */
import { describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/access/grants.ts';
import type { Rule } from '../../../src/access/rule.ts';
import {
  makePreview,
  type PreviewClaims,
  previewRule,
  readPreview,
  signPreview,
} from '../../../src/features/preview/preview-token.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { id, PREVIEWS } from '../../support/worlds/previews-model.ts';

const STORY = 'api::story.story';
const PERSON = 'api::person.person';
const SECRET = 'a secret of this deployment';
const NOW = 1_700_000_000_000;
const CLAIMS: PreviewClaims = {
  ...{ maker: 1, uid: STORY, documentId: 'd', locale: 'en', drafts: true },
  ...{ issuedAt: NOW, expiresAt: NOW + 1 },
};
const SHOWS = id('story', 'findOne', 'previewLink', 'readDrafts');

type RoleGrants = NonNullable<SettingsInput['roles']>[string];

/** Returns the grants of a user's preview, where users have some and the public role has others. */
async function grantsOf(own: RoleGrants, claims: Partial<PreviewClaims> = {}, open: RoleGrants = []): Promise<Grants> {
  const roles = { public: open, authenticated: own };
  const settings = parseSettings({ ...PREVIEWS, roles });
  const preview = await readPreview(signPreview({ ...CLAIMS, ...claims }, SECRET), settings, SECRET, NOW);
  expect(preview?.grants.allows(`preview ${STORY}`)).toBe(false);
  if (!preview) throw new Error('no preview');
  return preview.forContent().grants;
}

const shows = (grants: Grants): boolean => grants.allows(`preview ${STORY}`);
const whereOf = (grants: Grants): unknown => grants.rule?.(`preview ${STORY}`)?.where;

describe('a token', () => {
  it.each([
    ['without a secret', signPreview(CLAIMS, SECRET), undefined, NOW],
    ['with another secret', signPreview(CLAIMS, SECRET), 'another', NOW],
    ['with one character more', `${signPreview(CLAIMS, SECRET)}=`, SECRET, NOW],
    ['when it expires', signPreview(CLAIMS, SECRET), SECRET, NOW + 1],
    ['of a client without a secret', 'preview_of_client_x', undefined, NOW],
    ['that is too short for a signature', 'preview_AAAA', SECRET, NOW],
    ['that is a signature alone', `preview_${Buffer.alloc(32).toString('base64url')}`, SECRET, NOW],
    ['of a type without previews', signPreview({ ...CLAIMS, uid: PERSON }, SECRET), SECRET, NOW],
  ])('%s is an invalid credential', async (_, token, secret, now) => {
    const problem = { kind: 'unauthorized' };
    await expect(readPreview(token, parseSettings(PREVIEWS), secret, now)).rejects.toMatchObject({ problem });
  });

  it('of another kind is no preview', async () => {
    expect(await readPreview('x', parseSettings(PREVIEWS), SECRET, NOW)).toBeUndefined();
  });

  it('is signed, and sealed only if a client has made it', async () => {
    expect(await makePreview(CLAIMS, SECRET)).toBe(signPreview(CLAIMS, SECRET));
    const client = { grant: 'g', host: 'agent.example', level: 'read', types: null } as const;
    const sealed = await makePreview({ ...CLAIMS, client }, SECRET);
    expect(sealed).toMatch(/^preview_of_client_/);
    const read = (now: number) => readPreview(sealed, parseSettings(PREVIEWS), SECRET, now);
    await expect(read(NOW + 1)).rejects.toMatchObject({ problem: { kind: 'unauthorized' } });
    expect(await read(NOW)).toMatchObject({ kind: 'preview' });
  });
});

describe('a preview shows its document', () => {
  it.each([
    [SHOWS, true, true],
    [id('story', 'find', 'previewLink', 'readDrafts'), true, true],
    [id('story', 'findOne', 'readDrafts'), true, false],
    [id('story', 'previewLink', 'readDrafts'), true, false],
    [id('story', 'findOne', 'previewLink'), true, false],
    [id('story', 'findOne', 'previewLink'), false, true],
  ])('if its maker has %j, of the draft (%s): %s', async (own, drafts, isShown) => {
    const grants = await grantsOf(own, { drafts });
    expect(shows(grants)).toBe(isShown);
    expect(grants.rule?.(`preview ${STORY}`)?.drafts).toBe(isShown ? drafts : undefined);
    expect(grants.previewed).toBe(STORY);
  });

  it('of one locale, or of a type without locales', async () => {
    const own = [{ documentId: 'd' }, { locale: 'en' }];
    expect(whereOf(await grantsOf(SHOWS))).toEqual([{ $and: own }]);
    expect(whereOf(await grantsOf(SHOWS, { locale: null }))).toEqual([{ $and: own.slice(0, 1) }]);
  });

  it('as far as the read of one document is granted, or that of lists without it', async () => {
    const [one, list] = ['findOne', 'find'].map((action) => ({ action: id('story', action), where: { slug: action } }));
    const links = id('story', 'previewLink', 'readDrafts');
    const filters = async (...own: readonly object[]) =>
      JSON.stringify(whereOf(await grantsOf([...own, ...links] as never)));
    expect(await filters(one as object, list as object)).toContain('{"$or":[{"slug":"findOne"}]}');
    expect(await filters(one as object, list as object)).not.toContain('"find"');
    expect(await filters(list as object)).toContain('{"$or":[{"slug":"find"}]}');
  });

  it('with rules that differ by its status, its document, and the rules of the maker', async () => {
    const narrow = [{ action: id('story', 'findOne'), fields: ['title'] }, ...id('story', 'previewLink', 'readDrafts')];
    const all = [
      await grantsOf(SHOWS),
      await grantsOf(SHOWS, { drafts: false }),
      await grantsOf(SHOWS, { documentId: 'other' }),
      await grantsOf(narrow),
    ];
    expect(new Set(all.map((grants) => grants.rule?.(`preview ${STORY}`)?.key)).size).toBe(all.length);
  });
});

describe('a preview', () => {
  const people = `preview ${PERSON}.readDrafts`;

  it.each<[string, RoleGrants, boolean]>([
    ['all', id('person', 'find', 'readDrafts'), true],
    ['none', id('person', 'find'), false],
    ['none in lists', id('person', 'findOne', 'readDrafts'), false],
    ['some', [{ action: id('person', 'find'), where: { name: 'A' } }, ...id('person', 'readDrafts')], false],
    ['parts', [{ action: id('person', 'find'), fields: ['name'] }, ...id('person', 'readDrafts')], false],
  ])('shows the drafts of a type of which its maker reads %s: %j', async (_, own, isShown) => {
    expect((await grantsOf([...SHOWS, ...own])).allows(people)).toBe(isShown);
    expect((await grantsOf([...SHOWS, ...own], { drafts: false })).allows(people)).toBe(false);
  });

  it('shows drafts that the public role reads', async () => {
    const grants = await grantsOf(SHOWS, { drafts: false }, id('person', 'find', 'readDrafts'));
    expect(grants.allows(people)).toBe(true);
  });

  it('has the other grants of the public role, and knows those of its maker', async () => {
    const [find = ''] = id('topic', 'find');
    const [update = ''] = id('topic', 'update');
    const grants = await grantsOf([...SHOWS, update], {}, [{ action: find, where: { name: 'A' } }]);
    expect([find, update, `maker ${find}`, `maker ${update}`].map((each) => grants.allows(each))).toEqual([
      ...[true, false],
      ...[false, true],
    ]);
    expect(grants.rule?.(find)?.where).toEqual([{ name: 'A' }]);
  });
});

describe('the rule of a preview', () => {
  const rule = (name: string): Rule => ({ key: name, caller: { user: name.length, now: 0 }, where: [{ name }] });
  const of = (read?: Rule, link?: Rule, more: object[] = []) =>
    previewRule({ allows: () => true, rule: () => link }, STORY, read, more as never);

  it('joins the filters of the document, of the read and of the link, each of which has alternatives', () => {
    const [one, two] = [{ a: 1 }, { b: 2 }] as never[];
    const read = { ...rule('read'), where: [one, two] } as unknown as Rule;
    expect(of(read, rule('link'), [{ documentId: 'd' }]).where).toEqual([
      { $and: [{ documentId: 'd' }, { $or: [one, two] }, { $or: [{ name: 'link' }] }] },
    ]);
    expect(of()).not.toHaveProperty('where');
    expect(of({ key: 'read', caller: { user: 1, now: 0 } })).not.toHaveProperty('where');
  });

  it('has the fields of the read', () => {
    const fields = new Set(['title']);
    expect(of({ ...rule('read'), fields }).fields).toBe(fields);
    expect(of({ ...rule('read') }, { ...rule('link'), fields })).not.toHaveProperty('fields');
  });

  it('has the caller of a rule, or none', () => {
    expect(of(rule('read'), rule('a link')).caller.user).toBe(4);
    expect(of(rule('read')).caller.user).toBe(4);
    expect(of(undefined, rule('a link')).caller.user).toBe(6);
    expect(of().caller).toEqual({ user: undefined, now: 0 });
  });

  it('has a key of its own for each filter, read and link', () => {
    const [a, b] = [rule('a'), rule('b')];
    const all = [of(), of(a), of(b), of(undefined, a), of(undefined, b), of(a, b), of(b, a), of(a, b, [{ x: 1 }])];
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  });
});
