/**
 * @module The rows of a read: those of rules, drafts, searches and chains of locales; and what it shows of them.
 */
import { describe, expect, it } from 'vitest';
import { ASSUMED, EVERYTHING, type Grants, only } from '../../../src/access/grants.ts';
import type { Rule } from '../../../src/access/rule.ts';
import type { ReadPlan } from '../../../src/content/plan/model/read-plan.ts';
import {
  planLookup,
  planNamed,
  planOne,
  type Reader,
  rejectUnknownKeys,
} from '../../../src/content/plan/read/plan-read.ts';
import { NO_PARAMS } from '../../../src/content/request/plain-params.ts';
import { parseQueryParams } from '../../../src/content/request/query-params.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { namedDocument, single } from '../../../src/schema/document-ref.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { scalarOf, typeAt } from '../../support/recorded-registry.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { listPlan, onePlan, printCondition, readerOf, refusal, shownNames } from './support.ts';

const articles = typeAt('articles');
const authors = typeAt('authors');
const stranger: Grants = { allows: (id) => !id.endsWith('.readDrafts') };
const FORBIDDEN = { status: 403, name: 'ForbiddenError' };
const ruleWhere = (title: string, more: Partial<Rule> = {}): Rule => ({
  ...{ key: title, caller: { user: undefined, now: 0 }, where: [{ title }] },
  ...more,
});
const whereOf = (plan: ReadPlan): string => printCondition(plan.where);
const paramsOf = (search: string, settings = parseSettings({})) =>
  parseQueryParams(parseQueryString(search, settings.api.rest.limits), 'one', settings);

describe('the rows of a read', () => {
  const rule = ruleWhere('own');

  it('are those of its rule that also match its filters', () => {
    expect(whereOf(listPlan(articles, '', { rule }))).toBe('or(title $eq "own")');
    expect(whereOf(listPlan(articles, 'filters[slug]=a', { rule }))).toBe('and(or(title $eq "own"), slug $eq "a")');
    expect(whereOf(onePlan(articles, '_q=a', { rule }))).toBe('and(or(title $eq "own"), search)');
  });

  it('have no other versions than those that the rule of the read shows', () => {
    const { where } = listPlan(articles, 'publicationFilter=modified&filters[slug]=a', { rule });
    expect(where).toMatchObject({ conditions: [{}, { conditions: [{}, { visible: { kind: 'or' } }] }] });
  });

  it('are all that a write shows, of which the caller may read neither drafts nor others', () => {
    const writer: Reader = { ...readerOf({ grants: stranger }), rule, isWriter: true };
    const plan = planOne(paramsOf('status=draft'), articles, namedDocument('a'), writer);
    expect([plan.versions.status, plan.where]).toEqual(['draft', undefined]);
    const other = { ...writer, isWriter: false };
    expect(refusal(() => planOne(paramsOf('status=draft'), articles, namedDocument('a'), other))).toMatchObject(
      FORBIDDEN,
    );
  });
});

describe('drafts', () => {
  it.each(['status=draft', 'publicationFilter=modified', 'publicationFilter=published-with-draft'])(
    'are forbidden to a caller who may not read them, of a type that has some: %s',
    (search) => {
      expect(refusal(() => listPlan(articles, search, { grants: stranger }))).toMatchObject(FORBIDDEN);
      expect(() => listPlan(authors, search, { grants: stranger })).not.toThrow();
      expect(() => listPlan(articles, search)).not.toThrow();
    },
  );

  it('are not read without the parameters', () => {
    expect(listPlan(articles, '', { grants: stranger }).versions.status).toBe('published');
  });

  it('are shown by a preview, of its own document', () => {
    const rule = ruleWhere('own', { drafts: true });
    expect(listPlan(articles, 'status=draft', { grants: stranger, rule }).versions.status).toBe('draft');
    const without = ruleWhere('own', { drafts: false });
    expect(refusal(() => listPlan(articles, 'status=draft', { grants: stranger, rule: without }))).toMatchObject(
      FORBIDDEN,
    );
  });
});

describe('private attributes', () => {
  const hidden = { type: 'string', private: true };
  const part = { type: 'component', component: 'kit.part' };
  const registry = registryOf(
    [
      contentType('note', {
        ...{ title: { type: 'string' }, hidden, pin: { type: 'password' }, part },
        ...{ zone: { type: 'dynamiczone', components: ['kit.part'] }, other: relation('oneToOne', 'note') },
        keeper: relation('oneToOne', 'note', { private: true }),
      }),
    ],
    [component('kit.part', { text: { type: 'string' }, hidden })],
  );
  const notes = typeAt('notes', registry);
  const SYSTEM = ['createdAt', 'updatedAt', 'publishedAt', 'locale'];
  const shown = (search: string) => {
    const { selection } = onePlan(notes, search, { registry, grants: ASSUMED });
    const below = selection.populate.map((node) => {
      if (node.kind === 'dynamiczone') return [...node.parts.values()].flatMap(({ attributes }) => attributes);
      return 'selection' in node ? node.selection.attributes : [];
    });
    return [selection.attributes, ...below].map((list) =>
      list.map(({ name }) => name).filter((name) => !SYSTEM.includes(name)),
    );
  };

  it('are shown by private=true, also those of components, and passwords are not', () => {
    expect(shown('private=true&populate=part,zone')).toEqual([
      ['title', 'hidden'],
      ['text', 'hidden'],
      ['text', 'hidden'],
    ]);
  });

  it('of other documents stay hidden', () => {
    expect(shown('private=true&populate=keeper,other')).toEqual([['title', 'hidden'], ['title'], ['title']]);
  });

  it('stay hidden without the parameter', () => {
    expect(shown('populate=part,zone')).toEqual([['title'], ['text'], ['text']]);
    expect(refusal(() => shown('populate=keeper')).status).toBe(400);
  });

  it('ask for a grant that no pattern gives', () => {
    const read = (grants: Grants) => onePlan(notes, 'private=true', { registry, grants });
    expect(refusal(() => read(EVERYTHING))).toMatchObject(FORBIDDEN);
    expect(shownNames(read(only(['api::note.note.readPrivate'])))).toContain('hidden');
  });

  it('stand beside an attribute of sort that is shown already', () => {
    const names = shownNames(
      onePlan(notes, 'private=true&sort=title&filters[other][title]=a', { registry, grants: ASSUMED }),
    );
    expect(names.filter((name) => name === 'title')).toEqual(['title']);
  });
});

describe('names in a write, where they have no effect', () => {
  const rejected = (search: string, rule?: Rule) => () =>
    rejectUnknownKeys(paramsOf(search), articles, { ...readerOf({}), rule });

  it.each([
    ['filters[nope]=1', 'Invalid key nope', 'filters'],
    ['sort=nope', 'Invalid key nope', 'sort'],
    ['filters[title]=a&sort=author.nope', 'Invalid key nope at author', 'sort'],
  ])('are rejected if they are unknown: %s', (search, message, param) => {
    expect(refusal(rejected(search))).toMatchObject({ message, details: { param } });
  });

  it('are rejected if a rule hides them', () => {
    const rule = ruleWhere('a', { fields: new Set(['title']) });
    expect(rejected('filters[title]=a&sort=title', rule)).not.toThrow();
    for (const search of ['filters[slug]=a', 'sort=slug']) expect(refusal(rejected(search, rule)).status).toBe(400);
  });

  it.each(['', 'sort=title:up', 'filters[title]=a', 'status=draft'])('are accepted: %j', (search) => {
    expect(rejected(search)).not.toThrow();
  });
});

describe('an attribute of sort', () => {
  it.each([
    ['sort=slug&fields=tone&filters[title]=a', ['tone']],
    ['sort=slug&fields=tone&filters[title]=a&filters[summary]=b', ['tone']],
    ['sort=slug&fields=tone&filters[title]=a&filters[author][name]=b', ['tone', 'slug']],
    ['sort=slug,title,slug&fields=tone&filters[author][name]=b', ['tone', 'slug', 'title']],
    ['sort=id,documentId&fields=tone&filters[author][name]=b', ['tone']],
    ['sort=tone&fields=tone&filters[author][name]=b', ['tone']],
  ])('is shown, too, if a filter joins another table: %s shows %j', (search, names) => {
    const plan = listPlan(articles, `${search}&populate=tags`);
    expect(shownNames(plan)).toEqual(names);
    expect(plan.selection.populate).toHaveLength(1);
  });
});

const LOCALES = [
  { code: 'en', name: 'English', isDefault: true },
  { code: 'de-AT', name: 'Austrian', fallback: ['de', 'en'] },
  { code: 'de', name: 'German' },
];
const chained = parseSettings({ i18n: { locales: LOCALES } });

describe('a chain of locales', () => {
  const listed = (search: string, rule?: Rule) => listPlan(articles, search, { settings: chained, rule });

  it('has the first row of each document that the caller may see', () => {
    const locales = ['de-AT', 'de', 'en'];
    const plan = listed('locale=de-AT&fallback=true');
    expect(plan.versions).toEqual({ status: 'published', locales });
    expect(plan.chain).toStrictEqual({ kind: 'first-locale', status: 'published', locales });
    const seen = listed('locale=de-AT&fallback=true', ruleWhere('own'));
    expect(seen.chain).toMatchObject({ kind: 'first-locale', visible: { kind: 'or' } });
  });

  it.each(['locale=de-AT', 'locale[]=de-AT&locale[]=de', 'locale=de&fallback=true', 'fallback=true'])(
    'is none with %s',
    (search) => {
      expect(listed(search)).not.toHaveProperty('chain');
      expect(listPlan(authors, search, { settings: chained })).not.toHaveProperty('chain');
    },
  );

  it('of two locales is one, too', () => {
    const [en, , german] = LOCALES;
    const locales = [
      { ...en, isDefault: true },
      { ...german, fallback: ['en'] },
    ] as typeof LOCALES;
    const settings = parseSettings({ i18n: { locales } });
    expect(listPlan(articles, 'locale=de&fallback=true', { settings }).chain).toMatchObject({ locales: ['de', 'en'] });
  });

  it.each([
    ['locale=de-AT&fallback=true', 'none'],
    ['locale=de-AT&fallback=true&pagination[withCount]=true', 'query'],
    ['locale=de-AT', 'counter'],
    ['locale=de&fallback=true', 'counter'],
  ])('is counted only if the request says so: %s: %s', (search, count) => {
    expect(listed(search).count).toBe(count);
  });
});

describe('a list', () => {
  it('has a cursor and facets only if it names them', () => {
    expect(listPlan(articles, 'pagination[after]=&facets=tone')).toMatchObject({
      ...{ cursor: { list: ['api::article.article', 'en', 'published', '', expect.any(String)] } },
      facets: [{ name: 'tone' }],
    });
    const plain = listPlan(articles, '');
    expect(plain).not.toHaveProperty('cursor');
    expect(plain).not.toHaveProperty('facets');
    expect(plain).not.toHaveProperty('where');
  });

  it('has rows, but nothing to show, where the response has no body', () => {
    const reader = { ...readerOf({}), bodiless: true };
    const plan = planOne(paramsOf('populate=*&filters[title]=a'), articles, namedDocument('a'), reader);
    expect(plan).toMatchObject({ documentId: 'a', selection: { attributes: [], populate: [] }, count: 'none' });
    expect(whereOf(plan)).toBe('title $eq "a"');
    const seen = planOne(paramsOf('populate=*'), articles, namedDocument('a'), readerOf({}));
    expect(seen.selection.attributes).not.toEqual([]);
  });
});

describe('the read of one document', () => {
  it('may be filled with its documentId by each request', () => {
    const plan = planOne(NO_PARAMS, articles, { name: 'documentId' }, readerOf({}));
    expect(plan.documentId).toEqual({ name: 'documentId' });
    expect(planOne(NO_PARAMS, articles, namedDocument('a'), readerOf({})).documentId).toBe('a');
    const home = typeAt('homepage');
    expect(planOne(NO_PARAMS, home, single(home), readerOf({})).documentId).toBeUndefined();
  });

  it('of a file or a user may name a documentId instead of an id', () => {
    const plan = planNamed({ ...NO_PARAMS, search: 'any' }, authors, 'abc', readerOf({}));
    expect([plan.type, plan.documentId, whereOf(plan)]).toEqual([authors, 'abc', 'search']);
    const numbered = planNamed(NO_PARAMS, authors, 7, readerOf({}));
    expect([numbered.type, numbered.documentId, whereOf(numbered)]).toEqual([authors, undefined, 'id $eq 7']);
  });
});

describe('a lookup', () => {
  const lookup = { attribute: scalarOf(articles, 'slug'), value: { name: 'value' } } as const;
  const looked = (search: string, rule?: Rule, listedRule?: Rule, settings = chained) =>
    planLookup(paramsOf(search, settings), articles, lookup, { ...readerOf({ settings }), rule }, listedRule);

  it('finds a document that the rules of both reads show', () => {
    expect(whereOf(looked('', ruleWhere('a'), ruleWhere('b')))).toBe('and(or(title $eq "a"), or(title $eq "b"))');
    expect(whereOf(looked('', ruleWhere('a'), ruleWhere('a')))).toBe('or(title $eq "a")');
    expect(whereOf(looked('', ruleWhere('a')))).toBe('or(title $eq "a")');
    expect(whereOf(looked('', undefined, ruleWhere('b')))).toBe('or(title $eq "b")');
    expect(looked('').where).toBeUndefined();
  });

  it('does not find one by an attribute that a rule hides', () => {
    const titled = ruleWhere('a', { fields: new Set(['title']) });
    const slugged = ruleWhere('a', { fields: new Set(['slug', 'title']) });
    for (const rules of [
      [titled, undefined],
      [undefined, titled],
      [titled, slugged],
      [slugged, titled],
    ] as const)
      expect(refusal(() => looked('', ...rules)).status).toBe(404);
    expect(() => looked('', slugged, slugged)).not.toThrow();
  });

  it.each([
    ['', 2],
    ['locale=de', 2],
    ['filters[locale]=de', 4],
  ])('reads one row more than a document has: %j', (search, limit) => {
    const plan = looked(search);
    expect(plan.page).toEqual({ start: 0, limit, mode: 'page', withCount: false });
    expect([plan.type, plan.lookup]).toEqual([articles, lookup]);
  });
});
