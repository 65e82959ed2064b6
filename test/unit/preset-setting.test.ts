/**
 * @module `populates` of the settings: what the commands reject, with its key, and the schemas that describe the others.
 */
import { describe, expect, it } from 'vitest';
import { describeTypes } from '../../cli/project/client-types.ts';
import { presetProblems } from '../../cli/project/preset-checks.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { describeApi } from '../support/describe-api.ts';
import { recordedRegistry } from '../support/recorded-registry.ts';
import { contentType, registryOf } from '../support/schema-files.ts';

const ARTICLE = 'api::article.article';
const AUTHOR = 'api::author.author';
type Presets = NonNullable<SettingsInput['populates']>;

const problems = (populates: Presets, api: SettingsInput['api'] = {}) =>
  presetProblems(recordedRegistry, parseSettings({ populates, api }));

describe('populates', () => {
  it.each<[Presets, string]>([
    [
      { 'api::artcle.article': {} },
      'api::artcle.article: no content type has this uid (did you mean api::article.article?)',
    ],
    [{ [ARTICLE]: { a: { fields: ['titel'] } } }, `${ARTICLE}.a: Invalid key titel`],
    [{ [ARTICLE]: { a: { fields: ['internalNotes'] } } }, `${ARTICLE}.a: Invalid key internalNotes`],
    [{ [ARTICLE]: { a: { populate: 'autor' } } }, `${ARTICLE}.a: Invalid key autor`],
    [{ [ARTICLE]: { a: { populate: { author: { fields: ['nam'] } } } } }, `${ARTICLE}.a: Invalid key nam`],
    [
      { [ARTICLE]: { a: { populate: { author: { limit: 3 } } } } },
      `${ARTICLE}.a: Invalid limit at author. Expected a relation to many or a list of files`,
    ],
    [{ [ARTICLE]: { a: { populate: '@b' } } }, `${ARTICLE}.a: There is no populate @b of ${ARTICLE}`],
    [
      { [ARTICLE]: { a: { populate: { author: { populate: '@b' } } } } },
      `${ARTICLE}.a: There is no populate @b of ${AUTHOR}`,
    ],
    [
      { [ARTICLE]: { a: { populate: { seo: { populate: '@b' } } } } },
      `${ARTICLE}.a: There is no populate @b of components`,
    ],
    [
      { [ARTICLE]: { a: { populate: '@constructor' } } },
      `${ARTICLE}.a: There is no populate @constructor of ${ARTICLE}`,
    ],
    [{ [ARTICLE]: { a: { populate: '@a' } } }, `${ARTICLE}.a: The populate ${ARTICLE} @a leads back to itself`],
  ])('is rejected: %j', (populates, line) => {
    expect(problems(populates)).toEqual([`populates.${line}`]);
  });

  it('is rejected where presets lead back to one another through relations', () => {
    const populates = {
      [ARTICLE]: { a: { populate: { author: { populate: '@b' } } } },
      [AUTHOR]: { b: { populate: { articles: { populate: '@a' } } } },
    };
    expect(problems(populates)).toEqual([
      `populates.${ARTICLE}.a: The populate ${ARTICLE} @a leads back to itself`,
      `populates.${AUTHOR}.b: The populate ${AUTHOR} @b leads back to itself`,
    ]);
  });

  it('is rejected where no request can name it', () => {
    const populates = { [ARTICLE]: { a: { populate: 'author' } } };
    expect(problems(populates, { rest: { extensions: false } })).toEqual([
      'populates: no request can name them while api.rest.extensions is false',
    ]);
    expect(problems({}, { rest: { extensions: false } })).toEqual([]);
    expect(problems({}, { rest: { extensions: false, deepPopulate: true } })).toEqual([
      'api.rest.deepPopulate: no request can use it while api.rest.extensions is false',
    ]);
  });

  it.each([
    [{ [ARTICLE]: { 'a-b': {} } }, 'a name of letters, digits and _'],
    [{ [ARTICLE]: { a: { populat: '*' } } }, 'populat'],
    [{ [ARTICLE]: { a: { fields: 'title' } } }, 'populates.api::article.article.a.fields'],
  ])('has names, fields and a populate alone: %j', (populates, message) => {
    expect(() => parseSettings({ populates })).toThrow(message);
  });

  it('takes one preset in several others, and the options of a request', () => {
    const populates = {
      [ARTICLE]: { card: { populate: { author: { populate: '@by' }, tags: { limit: 3, sort: ['name:desc'] } } } },
      [AUTHOR]: { by: { fields: ['name'], populate: { avatar: true } }, page: { populate: '@by' } },
    };
    expect(problems(populates)).toEqual([]);
  });
});

it('each preset has a schema, which the list names', () => {
  const populates = {
    [ARTICLE]: {
      card: { fields: ['title'], populate: { author: { fields: ['name'] }, tags: { limit: 1, withCount: true } } },
    },
  };
  const { paths, components } = describeApi(recordedRegistry, parseSettings({ populates }));
  expect(paths['/api/articles']?.get).toMatchObject({
    'x-presets': { '@card': { $ref: '#/components/schemas/Article_card' } },
  });
  expect(components.schemas).toMatchObject({
    Article_card: {
      required: ['id', 'documentId', 'title', 'author', 'tags', '$counts'],
      properties: {
        author: { required: ['id', 'documentId', 'name'] },
        tags: { type: 'array', items: { $ref: '#/components/schemas/Tag' } },
        $counts: { required: ['tags'] },
      },
    },
  });
});

it('each preset has a type, whose keys are all there', () => {
  const populates = {
    [ARTICLE]: {
      card: { fields: ['title'], populate: { author: { fields: ['name'] }, tags: { limit: 1, withCount: true } } },
    },
  };
  expect(describeTypes(recordedRegistry, parseSettings({ populates }))).toContain(
    `export type Article_card<S extends Status = 'published'> = (Pick<Article<S>, "id" | "documentId" | "title"> & { "author": Pick<Author<S>, "id" | "documentId" | "name"> | null; "tags": Tag<S>[]; $counts: { "tags": number } });`,
  );
  const strapi = parseSettings({ populates, api: { rest: { extensions: false } } });
  expect(describeTypes(recordedRegistry, strapi)).not.toContain('Article_card');
});

it('a preset of a polymorphic relation shows of each type what it selects', () => {
  const registry = registryOf([
    contentType('page', { title: { type: 'string' }, body: { type: 'text' } }),
    contentType('menu', { items: { type: 'relation', relation: 'morphToMany' } }),
  ]);
  const on = { 'api::page.page': { fields: ['title'] } };
  const settings = parseSettings({
    populates: { 'api::menu.menu': { short: { fields: [], populate: { items: { on } } } } },
  });
  const shown = '({ __type: "api::page.page" } & Pick<Page<S>, "id" | "documentId" | "title">)';
  expect(describeTypes(registry, settings)).toContain(`"items": (${shown}`);
  const { components } = describeApi(registry, settings);
  expect(components.schemas).toHaveProperty('Menu_short.properties.items.items.oneOf.0', {
    allOf: [
      expect.objectContaining({ required: ['id', 'documentId', 'title'] }),
      expect.objectContaining({ properties: { __type: { const: 'api::page.page' } } }),
    ],
  });
});
