/**
 * @module What a populate rejects: unknown keys, notations that an attribute does not take, and options beside others.
 */
import { describe, expect, it } from 'vitest';
import { type Grants, only } from '../../../src/access/grants.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { populatedOf, uidOf } from './populate-support.ts';
import { listPlan, type ReaderOptions, refusal } from './support.ts';

const FINDS = ['page', 'person', 'tag'].map((name) => `${uidOf(name)}.find`);
const without = (name: string): Grants => only(FINDS.filter((id) => !id.startsWith(`${uidOf(name)}.`)));
const rejected = (name: string, search: string, options: ReaderOptions = {}) =>
  refusal(() => populatedOf(uidOf(name), search, options));
const invalidKey = (key: string, path: string | null): string =>
  `Invalid key ${key}${path === null || path === key ? '' : ` at ${path}`}`;
const SOURCE = { source: 'query', param: 'populate' };

describe('a populate is rejected', () => {
  it.each<[string, string, string, string | null]>([
    ['page', 'populate=zone.nope', 'nope', 'zone.nope'],
    ['page', 'populate=zone.label', 'label', 'zone.label'],
    ['page', 'populate=picture.related', 'picture', 'picture'],
    ['page', 'populate=any.name', 'any', 'any'],
    ['page', 'populate=title.x', 'title', 'title'],
    ['page', 'populate=hidden', 'hidden', 'hidden'],
    ['page', 'populate=title', 'title', 'title'],
    ['page', 'populate=nope', 'nope', 'nope'],
    ['page', 'populate=author.nope', 'nope', 'author.nope'],
    ['page', 'populate[author]=name', 'name', 'author.name'],
    ['page', 'populate[author]=friend', 'friend', 'author.friend'],
    ['page', 'populate[author]=', '', 'author'],
    ['page', 'populate[author][]=', '', 'author'],
    ['page', 'populate[author][0]=true&populate[author][1]=name', 'name', 'author.name'],
    ['page', 'populate[author][fields]=name,nope', 'nope', null],
    ['page', 'populate[author][fields][]=name,x', 'x', null],
    ['page', 'populate[tags][count]=x', 'count', 'tags'],
    ['page', 'populate[tags][filters][nope]=a', 'nope', null],
    ['page', 'populate[author][populate]=avatar,box', 'avatar,box', 'author'],
    ['page', 'populate[author][populate][]=avatar,box', 'avatar,box', 'author'],
    ['page', 'populate[author][populate]=avatar.', '', 'author.avatar'],
    ['page', 'populate[author][populate]=%20avatar', ' avatar', 'author'],
    ['page', 'populate[author][populate]=avatar%20', 'avatar ', 'author'],
    ['page', 'populate[author][populate][friend][populate]=avatar,box', 'avatar,box', 'author.friend'],
    ['page', 'populate[tags][nope]=1', 'nope', 'tags'],
    ['page', 'populate[author][pages]=1', 'pages', 'author.pages'],
    ['page', 'populate[author][on][nope]=true', 'nope', 'author.on.nope'],
    ['page', 'populate[author][on]=', 'on', 'author.on'],
    ['page', 'populate[author][on]=x', 'on', 'author.on'],
    ['page', 'populate[nope]=true', 'nope', null],
    ['page', 'populate[0]=nope', 'nope', 'nope'],
    ['page', 'populate[on]=true', 'on', 'on'],
    ['page', 'populate[author][populate][on]=true', 'on', 'author.populate.on'],
    ['page', 'populate[title]=true', 'title', 'title'],
    ['page', 'populate[hidden]=true', 'hidden', 'hidden'],
    ['page', 'populate[secret]=true', 'secret', 'secret'],
    ['page', 'populate[zone][populate]=tag', 'populate', 'zone'],
    ['page', 'populate[zone][populate][tag]=true', 'populate', 'zone'],
    [
      'page',
      'populate[box][populate][inner][populate][any][populate]=tag',
      'populate',
      'box.populate.inner.populate.any',
    ],
    ['page', 'populate[zone][on]=x', 'on', 'zone.on'],
    ['page', 'populate[zone][on][kit.box]=tag', 'tag', 'zone.tag'],
    ['page', 'populate[zone][on][kit.box]=label', 'label', 'zone.label'],
    ['page', 'populate[zone][on][nope]=true', 'nope', 'zone.on.nope'],
    ['page', 'populate[zone][on][api::tag.tag]=true', 'api::tag.tag', 'zone.on.api::tag.tag'],
    ['page', 'populate[zone][on][kit.box][nope]=1', 'nope', 'zone'],
    ['page', 'populate[zone][on][kit.box][limit]=1', 'limit', 'zone'],
    ['page', 'populate[zone][on][kit.box][count]=x', 'count', 'zone'],
    ['page', 'populate[zone][on][kit.box][on][nope]=true', 'nope', 'zone.on[kit.box].on.nope'],
    ['page', 'populate[zone][on][kit.box][sort]=nope', 'nope', null],
    ['page', 'populate[zone][on][kit.box][filters][nope]=a', 'nope', null],
    ['page', 'populate[zone][on][kit.box][populate]=tag,page', 'tag,page', 'zone'],
    ['page', 'populate[zone][on][kit.box]=true&populate[zone][populate]=tag', 'populate', 'zone'],
    ['page', 'populate[any][populate]=tag', 'populate', 'any'],
    ['page', 'populate[any][on][nope]=true', 'nope', 'any.on.nope'],
    ['file', 'populate[related][populate]=x', 'populate', 'related'],
    ['file', 'populate=related.x', 'related', 'related'],
    ['user', 'populate[role]=x', 'x', 'role'],
  ])('for the key: %s?%s: %s at %s', (name, search, key, path) => {
    expect(rejected(name, search)).toMatchObject({
      ...{ status: 400, message: invalidKey(key, path) },
      details: { key, path, ...SOURCE },
    });
  });

  it.each<[string, string, string, string | null, string]>([
    ['page', 'populate[author][fields]=nope', 'nope', null, 'person'],
    ['page', 'populate[any][on][api::tag.tag][fields]=nope', 'nope', null, 'tag'],
    ['person', 'populate=pages.nope,friend', 'nope', 'pages.nope', 'page'],
    ['person', 'populate[pages][populate]=nope', 'nope', 'nope', 'page'],
    ['page', 'populate[author]=*', 'avatar', 'author.avatar', 'person'],
    ['page', 'populate[zone][on][kit.box]=*', 'tag', 'zone.tag', 'tag'],
  ])('for the key of what is left out, too: %s?%s: %s at %s, without %s', (name, search, key, path, hidden) => {
    expect(rejected(name, search, { grants: without(hidden) })).toMatchObject({
      ...{ message: invalidKey(key, path), details: { key, path } },
    });
  });

  // Like in Strapi, which expands the star.
  it.each<[string, string, string, string]>([
    ['page', 'populate[author]=*', 'avatar', 'author.avatar'],
    ['page', 'populate[zone][on][kit.box]=*', 'tag', 'zone.tag'],
    ['page', 'populate[any][on][api::page.page]=*', 'author', 'any.author'],
    ['page', 'populate[box][populate][inner][populate][any][on][kit.box]=*', 'tag', 'box.inner.any.tag'],
    ['person', 'populate[pages]=*', 'author', 'pages.author'],
  ])('for a star, which names the first attribute: %s?%s: %s at %s', (name, search, key, path) => {
    expect(rejected(name, search)).toMatchObject({ message: invalidKey(key, path), details: { key, path } });
  });

  it.each<[string, string, string, string, string | null]>([
    ['page', 'populate=@card,tags', 'Invalid key @card. Expected a preset alone: populate=@card', '@card', null],
    [
      'page',
      'populate[]=@card&populate[]=tags',
      'Invalid key @card. Expected a preset alone: populate=@card',
      '@card',
      null,
    ],
    [
      'page',
      'populate[author]=@card',
      'Invalid key @card at author. Expected a preset below it: populate[author][populate]=@card',
      '@card',
      'author',
    ],
    [
      'page',
      'populate[author]=@deep:2',
      'Invalid key @deep:2 at author. Expected a preset alone: populate=@deep:2',
      '@deep:2',
      'author',
    ],
    [
      'page',
      'populate[author][populate][friend]=@card',
      'Invalid key @card at author.friend. Expected a preset below it: populate[author][populate][friend][populate]=@card',
      '@card',
      'author.friend',
    ],
    [
      'page',
      'populate[zone][limit]=1',
      'Invalid limit at zone. Expected a relation to many or a list of files',
      'limit',
      'zone',
    ],
    [
      'page',
      'populate[any][limit]=1&populate[any][count]=true',
      'Invalid limit at any. Expected no count beside it',
      'limit',
      'any',
    ],
    [
      'page',
      'populate[one][limit]=1',
      'Invalid limit at one. Expected a relation to many or a list of files',
      'limit',
      'one',
    ],
    [
      'file',
      'populate[related][limit]=1',
      'Invalid limit at related. Expected a relation to many or a list of files',
      'limit',
      'related',
    ],
  ])('with what is expected: %s?%s: %s', (name, search, message, key, path) => {
    expect(rejected(name, search)).toMatchObject({ message, details: { key, path, ...SOURCE } });
  });

  it.each<[string, string, string, string]>([
    ['page', 'populate[zone]=*', 'page.zone (api::page.page)', '"*"'],
    ['page', 'populate[zone]=tag', 'page.zone (api::page.page)', '"tag"'],
    ['page', 'populate[zone][fields]=label', 'page.zone (api::page.page)', '{"fields":"label"}'],
    [
      'page',
      'populate[any][count]=true&populate[any][fields]=x',
      'page.any (api::page.page)',
      '{"count":"true","fields":"x"}',
    ],
    [
      'page',
      'populate[any][withCount]=true&populate[any][fields]=x',
      'page.any (api::page.page)',
      '{"withCount":"true","fields":"x"}',
    ],
    [
      'page',
      'populate[any][limit]=1&populate[any][fields]=x',
      'page.any (api::page.page)',
      '{"limit":"1","fields":"x"}',
    ],
    [
      'page',
      'populate[any][on][api::tag.tag]=true&populate[any][fields]=x',
      'page.any (api::page.page)',
      '{"on":{"api::tag.tag":"true"},"fields":"x"}',
    ],
    [
      'page',
      'populate[any][on][api::tag.tag]=true&populate[any][limit]=1&populate[any][fields]=x',
      'page.any (api::page.page)',
      '{"on":{"api::tag.tag":"true"},"limit":"1","fields":"x"}',
    ],
    ['file', 'populate[related]=', 'file.related (plugin::upload.file)', '""'],
    ['file', 'populate[related][0][x]=1', 'file.related (plugin::upload.file)', '[{"x":"1"}]'],
    ['file', 'populate[related][count]=true', 'file.related (plugin::upload.file)', '{"count":"true"}'],
    ['file', 'populate[related][count]=x', 'file.related (plugin::upload.file)', '{"count":"x"}'],
    ['file', 'populate[related][on][kit.box]=true', 'file.related (plugin::upload.file)', '{"on":{"kit.box":"true"}}'],
  ])('where values are of several types: %s?%s', (name, search, at, found) => {
    expect(rejected(name, search).message).toBe(
      `Invalid nested populate for ${at}. Expected a fragment ("on") or "count" but found ${found}`,
    );
  });

  it.each<[string, string, string]>([
    ['page', 'populate[author][0][x]=1', "Invalid nested populate. Expected '*' or an object"],
    [
      'page',
      'populate[author][on][kit.box]=true',
      'Using fragments is not permitted to populate "author" in "api::page.page"',
    ],
    [
      'page',
      'populate[author][on][api::tag.tag]=true',
      'Using fragments is not permitted to populate "author" in "api::page.page"',
    ],
    [
      'page',
      'populate[box][on][kit.box]=true',
      'Using fragments is not permitted to populate "box" in "api::page.page"',
    ],
    [
      'page',
      'populate[box][populate][inner][on][kit.box]=true',
      'Using fragments is not permitted to populate "inner" in ""',
    ],
    ['page', 'populate[zone][on][kit.box][0][x]=1', "Invalid nested populate. Expected '*' or an object"],
    [
      'page',
      'populate[0][a]=1&populate[1]=author',
      'Invalid populate parameter. Expected a string, an array of strings, a populate object',
    ],
  ])('for its form: %s?%s: %s', (name, search, message) => {
    expect(rejected(name, search)).toMatchObject({ status: 400, message });
  });

  it('for the key "on" unless an attribute has that name', () => {
    const registry = registryOf([contentType('a', { on: relation('oneToOne', 'a') })]);
    const [type] = registry.routes.values();
    const nodes = type && listPlan(type, 'populate[on]=true', { registry }).selection.populate;
    expect(nodes).toMatchObject([{ name: 'on' }]);
  });

  it('for options that only extensions have', () => {
    const settings = parseSettings({ api: { rest: { extensions: false } } });
    const { message } = rejected('page', 'populate[any][count]=true&populate[any][limit]=1', { settings });
    expect(message).toContain('but found {"count":"true","limit":"1"}');
    expect(rejected('page', 'populate=@card,tags', { settings }).message).toBe('Invalid key @card');
    expect(rejected('page', 'populate[author]=@card', { settings }).message).toBe('Invalid key @card at author');
  });

  it('for drafts that the caller may not read, wherever a publicationFilter leads to them', () => {
    const grants = only(FINDS);
    for (const [name, search] of [
      ['person', 'populate=pages&publicationFilter=modified'],
      ['person', 'populate=box.page&publicationFilter=modified'],
      ['page', 'populate=*&publicationFilter=modified&status=draft'],
    ] as const)
      expect([search, rejected(name, search, { grants }).status]).toEqual([search, 403]);
  });
});
