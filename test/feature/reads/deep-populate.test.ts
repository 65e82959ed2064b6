/**
 * @module `populate=@deep:3`: what it brings, what it leaves out, and who learns of it.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { type ApiDocument, clientOf, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';
import { createPopulatedWorld, type Names } from './populated-world.ts';

type Rest = NonNullable<NonNullable<SettingsInput['api']>['rest']>;

const deep = (rest: Rest = {}) => ({ api: { rest: { deepPopulate: true, ...rest } } });
const { client } = openMagazine(deep());
let names: Names;

beforeAll(async () => {
  names = await createPopulatedWorld(client);
});

interface Shown {
  readonly data: ApiDocument & readonly ApiDocument[];
  readonly meta: { readonly populated: { depth: number; leftOut: readonly string[]; leftOutCount: number } };
}

const shown = async (response: Promise<Response>) => (await (await response).json()) as Shown;
const populatedOf = async (response: Promise<Response>) => (await shown(response)).meta.populated;

/** Of an author: all that does not lead back to authors or articles. */
const SPELLED = [
  ...['account', 'avatar', 'links', 'articles.attachment', 'articles.links', 'articles.categories'],
  ...['articles.tags', 'articles.primaryCategory', 'articles.comments', 'articles.coverOf'],
  ...['articles.cover', 'articles.gallery', 'articles.seo', 'articles.facts', 'articles.sections'],
];

describe('populate=@deep', () => {
  it('shows the levels that it names', async () => {
    const path = `/api/authors/${names.author}`;
    const { data, meta } = await shown(client.get(`${path}?populate=@deep:2`));
    expect(meta.populated.leftOut).toEqual([
      ...['articles.author', 'articles.related', 'articles.relatedFrom', 'articles.reviewers'],
      'articles.localizations',
    ]);
    expect(data).toEqual(await documentOf(client.get(`${path}?populate=${SPELLED}`)));
    const one = await shown(client.get(`${path}?populate=@deep:1`));
    expect(one.data).toEqual(await documentOf(client.get(`${path}?populate=*`)));
    expect(one.meta).toEqual({ populated: { depth: 1, leftOut: [], leftOutCount: 0 } });
  });

  it('goes into components, zones and what they lead to', async () => {
    const sort = 'sort=title:desc';
    const [second] = await documentsOf(client.get(`/api/articles?populate=@deep:3&fields=title&${sort}`));
    expect(second).toMatchObject({
      title: 'Second',
      seo: { shareImage: { name: 'a.png' }, card: { person: { name: 'Author' }, link: { label: 'Link' } } },
      sections: [
        { speaker: { name: 'Author', avatar: { name: 'a.png' } } },
        { images: [{ name: 'a.png' }], links: [{ label: 'Link' }] },
        { card: { person: { name: 'Author' } } },
      ],
      comments: [],
    });
    expect(second).not.toHaveProperty('price');
    expect(second).not.toHaveProperty('related');
    expect(second).not.toHaveProperty('sections.2.articles');
  });

  it('says in every response with meta what it left out', async () => {
    const expected = { depth: 1, leftOut: ['related', 'relatedFrom', 'localizations'], leftOutCount: 3 };
    const path = `/api/articles/${names.first}`;
    expect((await shown(client.get('/api/articles?populate=@deep:1'))).meta).toMatchObject({
      pagination: { page: 1 },
      populated: expected,
    });
    expect(await populatedOf(client.get(`${path}?populate=@deep:1`))).toEqual(expected);
    expect(await populatedOf(client.update(`${path}?populate=@deep:1`, { price: 3 }))).toEqual(expected);
    expect((await shown(client.get(`${path}?populate=*`))).meta).toEqual({});
  });

  it('stands in a preset, with its fields', async () => {
    const populates = { 'api::article.article': { page: { fields: ['title'], populate: '@deep:2' } } };
    const own = clientOf(serve({ ...deep(), populates }), 'full');
    const path = `/api/articles/${names.first}`;
    expect(await shown(own.get(`${path}?populate=@page`))).toEqual(
      await shown(client.get(`${path}?populate=@deep:2&fields=title`)),
    );
    const below = own.get('/api/authors?populate[articles][populate]=@page');
    expect(await errorOf(below)).toMatchObject({ message: expect.stringContaining('Expected it at the top') });
  });
});

describe('a limit', () => {
  it.each<[Rest['limits'], string, readonly string[]]>([
    [{ populateNodes: 2 }, 'authors', ['links', 'articles.cover']],
    [{ populateDepth: 1 }, 'tags', ['articles.author', 'articles.categories']],
    [{ populateLists: 1 }, 'tags', ['articles.categories', 'articles.related']],
  ])('cuts in place of an error: %j', async (limits, route, some) => {
    const own = clientOf(serve(deep({ limits })), 'full');
    const { leftOut, leftOutCount } = await populatedOf(own.get(`/api/${route}?populate=@deep:2`));
    expect(leftOut).toEqual(expect.arrayContaining([...some]));
    expect(leftOutCount).toBe(leftOut.length);
    const all = await populatedOf(client.get(`/api/${route}?populate=@deep:2`));
    expect(all.leftOut).not.toEqual(expect.arrayContaining([...some]));
  });

  it('leaves the upper levels whole', async () => {
    const own = clientOf(serve(deep({ limits: { populateNodes: 8 } })), 'full');
    const { data } = await shown(own.get('/api/authors?populate=@deep:3'));
    const all = { avatar: { name: 'a.png' }, links: [{ label: 'Link' }] };
    expect(data[0]).toMatchObject({ ...all, articles: [{ categories: expect.anything() }, {}] });
  });
});

describe('what the caller may not find', () => {
  const finds = (...types: readonly string[]) => types.map((type) => `api::${type}.${type}.find`);

  it('is neither populated nor named', async () => {
    const visitor = serve({ ...deep(), roles: { public: finds('author', 'article', 'tag') } });
    const { data, meta } = await shown(visitor('/api/authors?populate=@deep:5'));
    const text = JSON.stringify([data, meta]);
    expect(meta.populated.leftOut).toContain('articles.tags.articles');
    for (const hidden of ['categories', 'primaryCategory', 'comments', 'coverOf']) expect(text).not.toContain(hidden);
  });

  it('is left out as the fields of a grant leave it out', async () => {
    const limited = { action: 'api::article.article.find', fields: ['title', 'tags', 'author'] };
    const visitor = serve({ ...deep(), roles: { public: [limited, ...finds('author', 'tag')] } });
    const { meta } = await shown(visitor('/api/tags?populate=@deep:5'));
    expect(meta.populated).toEqual({
      depth: 5,
      leftOut: ['articles.tags', 'articles.author.articles'],
      leftOutCount: 2,
    });
  });

  it('are drafts, which are no error', async () => {
    const visitor = serve({ ...deep(), roles: { public: finds('author', 'article') } });
    for (const more of ['status=draft', 'publicationFilter=modified']) {
      const { data, meta } = await shown(visitor(`/api/authors?populate=@deep:2&${more}`));
      expect(meta.populated).toEqual({ depth: 2, leftOut: [], leftOutCount: 0 });
      expect(data[0]).toHaveProperty('avatar');
      expect(data[0]).not.toHaveProperty('articles');
    }
    expect(await errorOf(visitor('/api/authors?populate=*&status=draft'))).toMatchObject({ status: 403 });
  });
});

const ALONE = 'Invalid key @deep:2. Expected a preset alone: populate=@deep:2';

describe('is rejected', () => {
  it.each([
    ['articles?populate=@deep:0', 'Invalid populate @deep:0. Expected a depth from 1 to 5'],
    ['articles?populate=@deep:6', 'Invalid populate @deep:6. Expected a depth from 1 to 5'],
    ['articles?populate=@deep:', 'Invalid populate @deep:. Expected a depth from 1 to 5'],
    ['articles?populate=@deep:03', 'Invalid populate @deep:03. Expected a depth from 1 to 5'],
    ['articles?populate=@deep', 'There is no populate @deep of api::article.article'],
    ['articles?populate=@deep:2,tags', ALONE],
    ['articles?populate[0]=@deep:2&populate[1]=tags', ALONE],
    ['articles?populate[author]=@deep:2', ALONE.replace('.', ' at author.')],
    [
      'articles?populate[author][populate]=@deep:2',
      'Invalid populate @deep:2. Expected it at the top of the populate of a content type',
    ],
    ['users?populate=@deep:2', 'Invalid populate @deep:2. Expected it at the top of the populate of a content type'],
  ])('%s', async (search, message) => {
    const error = await errorOf(client.get(`/api/${search}`));
    expect(error).toMatchObject({ status: 400, message, details: { source: 'query', param: 'populate' } });
  });

  it('where the setting is off, and as an unknown key without extensions', async () => {
    const off = clientOf(serve(), 'full');
    expect(await errorOf(off.get('/api/articles?populate=@deep:2'))).toMatchObject({
      status: 400,
      message: 'Invalid populate @deep:2. The setting api.rest.deepPopulate is off',
      details: { param: 'populate' },
    });
    const strapi = clientOf(serve(deep({ extensions: false })), 'full');
    expect(await errorOf(strapi.get('/api/articles?populate=@deep:2'))).toMatchObject({
      message: 'Invalid key @deep:2',
    });
  });
});
