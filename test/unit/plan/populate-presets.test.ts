/**
 * @module Presets of the settings in a populate, for callers from whom a rule hides attributes.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grants, only } from '../../../src/access/grants.ts';
import type { Rule } from '../../../src/access/rule.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { typeAt } from '../../support/recorded-registry.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { populatedOf, populateRegistry, printNode, uidOf } from './populate-support.ts';
import { listPlan, refusal, shownNames } from './support.ts';

const chain = Array.from({ length: 23 }, (_, index) => [`at${index}`, { populate: `@at${index + 1}` }] as const);
const populates = {
  'api::page.page': {
    card: { fields: ['title'], populate: { author: { fields: ['name'], populate: '@face' }, tags: true } },
    same: { populate: '@card' },
    own: { fields: ['slug'], populate: '@card' },
    named: { fields: ['id', 'title', 'slug'], populate: ['author', 'tags'] },
    bare: {},
    all: { fields: ['*'], populate: '*' },
    deep: { populate: '@deep:1' },
    path: { populate: 'nope' },
    entry: { populate: { nope: true } },
    loop: { populate: { author: { populate: '@pages' } } },
    ...Object.fromEntries(chain),
    at23: { fields: ['slug'] },
  },
  'api::person.person': {
    face: { fields: ['name'], populate: 'avatar' },
    pages: { populate: { pages: { populate: '@loop' } } },
    inner: { populate: { pages: { fields: ['title', 'slug'], populate: { author: true, tags: true, box: true } } } },
    path: { populate: ['pages.author', 'friend'] },
  },
} satisfies SettingsInput['populates'];
const settings = parseSettings({ populates });
const page = populateRegistry.contentTypes.get(uidOf('page'));
if (!page) throw new Error('no page');

const nodes = (name: string, search: string, grants?: Grants) =>
  populatedOf(uidOf(name), search, { settings, ...(grants && { grants }) });

/** Shows of pages the title, and tags. */
const rule: Rule = { key: 'own', caller: { user: undefined, now: 0 }, fields: new Set(['title', 'tags']) };
const ruled: Grants = { ...EVERYTHING, rule: (id) => (id === 'api::page.page.find' ? rule : undefined) };
const read = (search: string, options: object = {}) => {
  const plan = listPlan(page, search, { registry: populateRegistry, settings, ...options });
  const own = ['createdAt', 'updatedAt', 'publishedAt', 'locale'];
  return [shownNames(plan).filter((name) => !own.includes(name)), plan.selection.populate.map(printNode)];
};

const CARD = ['author{name} > (avatar{file})', 'tags[]{name, weight}'];

describe('a preset', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['populate=@card', ['title'], CARD],
    ['populate=@same', ['title'], CARD],
    ['populate=@own', ['slug'], CARD],
    ['populate=@card&fields=slug', ['slug'], CARD],
    ['populate=@bare', ['title', 'slug'], []],
    ['populate=@named', ['title', 'slug'], ['author{name}', 'tags[]{name, weight}']],
    ['populate[author][populate]=@face', ['title', 'slug'], ['author{name} > (avatar{file})']],
    ['populate[author][populate]=@face&populate[author][fields]=id', ['title', 'slug'], ['author{} > (avatar{file})']],
  ])('shows its fields and its populate: %s', (search, fields, shown) => {
    expect(read(search)).toEqual([fields, shown]);
  });

  it('shows everything of a star', () => {
    const [fields, shown] = read('populate=@all');
    expect(fields).toEqual(['title', 'slug']);
    expect(shown).toEqual(read('populate=*')[1]);
  });

  it('has the fields of the first of twenty that it names', () => {
    // One is named by the request, and twenty follow.
    expect(read('populate=@at3')[0]).toEqual(['slug']);
    expect(read('populate=@at2')[0]).toEqual(['title', 'slug']);
  });

  it('is for every caller: what a rule hides is left out', () => {
    expect(read('populate=@named', { grants: ruled, rule })).toEqual([['title'], ['tags[]{name, weight}']]);
    expect(read('populate=@card', { grants: ruled, rule })).toEqual([['title'], ['tags[]{name, weight}']]);
    expect(nodes('person', 'populate=@inner', ruled)).toEqual(['pages[]{title} > (tags[]{name, weight})']);
    expect(nodes('person', 'populate=@path', ruled)).toEqual(['friend{name}']);
    expect(nodes('person', 'populate=@inner')).toEqual([
      'pages[]{title, slug} > (author{name}; tags[]{name, weight}; box{label})',
    ]);
    expect(nodes('person', 'populate[pages][populate]=@named', ruled)).toEqual([
      'pages[]{title} > (tags[]{name, weight})',
    ]);
  });

  it.each([
    'populate=author',
    'populate[author]=true',
    'populate=@card&fields=slug',
    'populate[author][populate][pages][fields]=slug',
    'populate[author][populate][pages][populate]=author',
    'populate[author][populate][pages][populate][author]=true',
  ])('and no request may name it: %s', (search) => {
    const fields = new Set(['title', 'tags', ...(search.includes('pages') ? ['author'] : [])]);
    expect(refusal(() => read(search, { grants: ruled, rule: { ...rule, fields } })).status).toBe(400);
  });

  it.each([
    ['populate=@nope', 'There is no populate @nope of api::page.page', { key: '@nope' }],
    ['populate=@constructor', 'There is no populate @constructor of api::page.page', { key: '@constructor' }],
    ['populate=@face', 'There is no populate @face of api::page.page', { key: '@face' }],
    ['populate[tags][populate]=@card', 'There is no populate @card of api::tag.tag', { key: '@card' }],
    ['populate[box][populate]=@card', 'There is no populate @card of components', { key: '@card' }],
    ['populate=@path', 'Invalid key nope', { key: 'nope' }],
    ['populate=@entry', 'Invalid key nope', { key: 'nope' }],
    ['populate=@loop', 'The populate api::page.page @loop leads back to itself', {}],
  ])('is rejected: %s: %s', (search, message, key) => {
    expect(refusal(() => read(search))).toMatchObject({
      ...{ status: 400, message },
      details: { source: 'query', param: 'populate', ...key },
    });
  });

  it('is rejected without the name of a type that the caller may not list', () => {
    const grants = only(['api::page.page.find']);
    expect(refusal(() => read('populate[tags][populate]=@nope', { grants })).message).toBe(
      'There is no populate @nope',
    );
  });

  it('is an unknown key without api.rest.extensions', () => {
    const off = parseSettings({ populates, api: { rest: { extensions: false } } });
    expect(refusal(() => read('populate=@card', { settings: off })).message).toBe('Invalid key @card');
  });
});

describe('a limit of a populate', () => {
  const limited = (search: string, limits: object, name = 'page') => {
    const small = parseSettings({ api: { rest: { limits } } });
    return () => populatedOf(uidOf(name), search, { settings: small });
  };

  it.each<[string, string, object, string]>([
    ['page', 'populate=author,tags', { populateNodes: 1 }, 'has too many keys'],
    ['page', 'populate[author][populate]=*', { populateNodes: 1 }, 'has too many keys'],
    ['page', 'populate[tags][populate]=*', { populateNodes: 1 }, 'has too many keys'],
    ['page', 'populate[zone][populate]=*', { populateNodes: 1 }, 'has too many keys'],
    ['page', 'populate=zone.tag', { populateNodes: 1 }, 'has too many keys'],
    ['page', 'populate=zone.author', { populateNodes: 1 }, 'has too many keys'],
    ['page', 'populate[author][populate][box]=true', { populateNodes: 1 }, 'has too many keys'],
    ['file', 'populate=related', { populateNodes: 2 }, 'has too many keys'],
    ['page', 'populate=author.friend', { populateDepth: 1 }, 'is nested too deeply'],
    ['page', 'populate[author][populate]=*', { populateDepth: 1 }, 'is nested too deeply'],
    ['page', 'populate=author.pages.tags', { populateLists: 1 }, 'has too many lists inside one another'],
    ['person', 'populate[pages][populate][any]=true', { populateLists: 1 }, 'has too many lists inside one another'],
  ])('of %s?%s: %j', (name, search, limits, problem) => {
    const [[limit = '', max]] = Object.entries(limits) as [[string, number]];
    expect(refusal(limited(search, limits, name))).toMatchObject({
      ...{ status: 400, message: `Populate ${problem}. Expected at most ${max}` },
      details: { limit, source: 'query', param: 'populate' },
    });
    const more = { [limit]: max + 1 };
    expect(limited(search, more, name)).not.toThrow();
  });

  it('has twenty attributes for each key that a star may stand for', () => {
    const names = Array.from({ length: 21 }, (_, index) => `to${index}`);
    const attributesOf = (list: readonly string[]) =>
      Object.fromEntries(list.map((each) => [each, relation('oneToOne', 'a')]));
    const text = { type: 'string' };
    const registry = registryOf([
      contentType('a', { ...attributesOf(names.slice(0, 20)), text, hidden: { ...text, private: true } }),
      contentType('b', attributesOf(names)),
    ]);
    const small = parseSettings({ api: { rest: { limits: { populateNodes: 1 } } } });
    const star = (route: string) => listPlan(typeAt(route, registry), 'populate=*', { registry, settings: small });
    expect(star('as').selection.populate).toHaveLength(20);
    expect(refusal(() => star('bs')).message).toBe('Populate has too many keys. Expected at most 1');
  });

  it('counts no list that leads to one', () => {
    expect(limited('populate=author.friend,author.pages,one,pictures,boxes.tag', { populateLists: 1 })).not.toThrow();
  });
});

describe('all levels', () => {
  const on = parseSettings({ populates, api: { rest: { deepPopulate: true } } });
  const deep =
    (search: string, name = 'page', options: object = { settings: on }) =>
    () =>
      populatedOf(uidOf(name), search, options);
  const OFF = 'The setting api.rest.deepPopulate is off';
  const TOP = 'Expected it at the top of the populate of a content type';
  const DEPTH = 'Expected a depth from 1 to 5';

  it.each<[string, string, string, string | null, object]>([
    ['page', '1', OFF, null, { settings }],
    ['page', '0', DEPTH, null, { settings: on }],
    ['page', '6', DEPTH, null, { settings: on }],
    ['page', 'x', DEPTH, null, { settings: on }],
    ['page', '', DEPTH, null, { settings: on }],
    ['file', '1', TOP, null, { settings: on }],
  ])('of %s are rejected with the depth %j: %s', (name, depth, problem, path, options) => {
    const key = `@deep:${depth}`;
    expect(refusal(deep(`populate=${key}`, name, options))).toMatchObject({
      ...{ status: 400, message: `Invalid populate ${key}. ${problem}` },
      details: { key, path, source: 'query', param: 'populate' },
    });
  });

  it('are rejected below the top', () => {
    const rejected = refusal(deep('populate[author][populate]=@deep:1'));
    expect(rejected).toMatchObject({ message: `Invalid populate @deep:1. ${TOP}`, details: { path: 'author' } });
  });

  it.each(['1', '5'])('go as deep as %s', (depth) => {
    expect(deep(`populate=@deep:${depth}`, 'tag')()).toEqual([]);
    expect(deep(`populate=@deep:${depth}`, 'person')()).not.toEqual([]);
  });

  it('are an unknown key without api.rest.extensions', () => {
    const off = parseSettings({ api: { rest: { deepPopulate: true, extensions: false } } });
    expect(refusal(deep('populate=@deep:1', 'page', { settings: off })).message).toBe('Invalid key @deep:1');
  });

  it('may be named by a preset', () => {
    expect(deep('populate=@deep', 'page')()).toEqual(deep('populate=@deep:1', 'page')());
  });

  it('of one level are those of a star, without what leads back', () => {
    const star = deep('populate=*', 'person')();
    expect(deep('populate=@deep:1', 'person')()).toEqual(star.filter((node) => !node.startsWith('friend')));
  });
});
