/**
 * @module `limit`, `start` and `withCount` below lists of a populate: which rows they show and count, what they read, and
 * what they reject.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { type ApiDocument, clientOf, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { createToken, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
const COMMENTS = 12;

let articles: readonly string[] = [];

const FILE = (index: number) =>
  `insert into files (document_id, locale, published_at, created_at, updated_at, name, hash, mime, size, url, provider) values ('file${index}', '', 1, 1, 1, 'picture ${index}', 'a${index}', 'image/png', ${index}, '/${index}.png', 'r2')`;

const create = async (route: string, data: object) =>
  (await documentOf(client.create(`/api/${route}`, data))).documentId;

beforeAll(async () => {
  await env.DB.batch([0, 1, 2, 3].map((index) => env.DB.prepare(FILE(index))));
  const gallery = [3, 1, 0, 2].map((index) => `file${index}`);
  const author = await create('authors', { name: 'Ann' });
  const tags: string[] = [];
  for (let index = 0; index < 5; index += 1)
    tags.push(await create('tags', { name: `Tag ${index}`, weight: index % 2 }));
  const first = await create('articles', { title: 'First', gallery, author, tags: tags.toReversed() });
  const second = await create('articles', { title: 'Second', author, tags, related: [first] });
  for (let index = 0; index < COMMENTS; index += 1) {
    const data = { text: `Comment ${index}`, score: index % 3, approved: index % 4 !== 0, by: author };
    await create('comments', { ...data, article: index === 4 ? second : first });
  }
  const callout = { __component: 'blocks.callout', title: 'See', articles: [second, first] };
  const pictures = { __component: 'blocks.gallery', title: 'Look', images: gallery };
  await client.update(`/api/articles/${first}`, { sections: [callout, pictures, { ...callout, articles: [first] }] });
  for (const locale of ['fr', 'de', 'ar'])
    await documentOf(client.update(`/api/articles/${first}?locale=${locale}`, { title: `In ${locale}` }));
  articles = [first, second];
});

type Values = readonly ApiDocument[];

/** The list at a path through the documents, all in one. */
const listsAt = (documents: readonly unknown[], [name = '', ...rest]: readonly string[]): readonly Values[] =>
  documents.flatMap((document) => {
    const value = (document as ApiDocument)[name];
    return rest.length === 0 ? [value as Values] : listsAt([value].flat(), rest);
  });

/** A list of `populate`, and the path to it in a response. */
const LISTS: readonly (readonly [name: string, prefix: string, path: string])[] = [
  ['a relation to many', 'populate[tags]', 'tags'],
  ['a relation of the other side', 'populate[comments]', 'comments'],
  ['media', 'populate[gallery]', 'gallery'],
  ['other locales', 'populate[localizations]', 'localizations'],
  ['a list inside a list', 'populate[tags][populate][articles]', 'tags.articles'],
  ['a list behind one', 'populate[author][populate][articles]', 'author.articles'],
  [
    'a list inside two lists, of which the outer ones are limited, too',
    'populate[tags][limit]=2&populate[tags][populate][articles][limit]=1&populate[tags][populate][articles][populate][comments]',
    'tags.articles.comments',
  ],
  ['a relation of a component', 'populate[sections][on][blocks.callout][populate][articles]', 'sections.articles'],
  ['media of a component', 'populate[sections][on][blocks.gallery][populate][images]', 'sections.images'],
  [
    'a list behind a relation of a component',
    'populate[sections][on][blocks.callout][populate][articles][populate][comments]',
    'sections.articles.comments',
  ],
];

const SLICES = ['[limit]=2', '[limit]=0', '[limit]=3&?[start]=1', '[start]=2', '[start]=9&?[limit]=5', '[limit]=100'];

/** The same by JavaScript. */
function cut(list: Values, slice: string): Values {
  const number = (key: string) => new RegExp(`\\[${key}\\]=(\\d+)`).exec(slice)?.[1];
  const start = Number(number('start') ?? 0);
  return list.slice(start, start + Number(number('limit') ?? list.length));
}

describe.each(LISTS)('of %s, a response shows', (_, prefix, path) => {
  const own = prefix.split('&').at(-1) ?? '';
  const read = async (options: readonly string[], sort = '') => {
    const outer = prefix.slice(0, -own.length);
    const search = outer + (options.length > 0 ? options.map((each) => `${own}${each}`).join('&') : `${own}=true`);
    const documents = await documentsOf(client.get(`/api/articles?sort=title&${search}${sort && `&${own}${sort}`}`));
    return listsAt(documents, path.split('.'));
  };

  it.each(SLICES)('what a slice has: %s', async (slice) => {
    const options = slice.split('&?');
    const all = await read([]);
    expect(all.some((list) => list.length > 0)).toBe(true);
    expect(await read(options)).toEqual(all.map((list) => cut(list, slice)));
  });

  it('its slice of a sort, with ties in the order of id', async () => {
    const last = path.split('.').at(-1) ?? '';
    const [sort, total] = /images|gallery/.test(last)
      ? ['[sort]=mime', '[sort]=mime,id']
      : /articles|localizations/.test(last)
        ? ['[sort]=featured', '[sort]=featured,id']
        : /tags/.test(last)
          ? ['[sort]=weight:desc', '[sort]=weight:desc,id']
          : ['[sort]=score:desc', '[sort]=score:desc,id'];
    const all = await read(['[fields]=documentId'], total);
    const ids = (lists: readonly Values[]) =>
      lists.map((list) => list.map(({ documentId, locale }) => [documentId, locale]));
    expect(ids(await read(['[fields]=documentId', '[limit]=3', '[start]=1'], sort))).toEqual(
      ids(all.map((list) => list.slice(1, 4))),
    );
  });
});

describe('a slice', () => {
  const comments = async (search: string) =>
    (await documentOf(client.get(`/api/articles/${articles[0]}?populate[comments]${search}`))).comments as Values;

  it('is one of the rows that a filter shows', async () => {
    const filter = '[filters][approved]=true';
    const all = await comments(filter);
    for (const more of ['', '&populate[comments][sort]=score:desc,text:desc']) {
      const found = more === '' ? all : await comments(`${filter}${more}`);
      const slice = await comments(`${filter}&populate[comments][start]=2&populate[comments][limit]=3${more}`);
      expect(slice).toEqual(found.slice(2, 5));
    }
    expect(all.length).toBeLessThan(COMMENTS - 1);
  });

  it('is one of the rows that the caller may see', async () => {
    const where = { score: { $eq: 2 } };
    const roles = { public: ['api::article.article.find', { action: 'api::comment.comment.find', where }] };
    const visitor = serve({ roles });
    const search = 'sort=title&populate[comments][limit]=2&populate[comments][start]=1';
    const { data } = (await (await visitor(`/api/articles?${search}`)).json()) as { data: Values };
    const texts = data.map((each) => (each.comments as Values).map(({ text }) => text));
    expect(texts).toEqual([['Comment 5', 'Comment 8'], []]);
  });

  it('is one of published versions, or of drafts', async () => {
    const draft = await create('articles', { title: 'Later' });
    await client.update(`/api/articles/${draft}`, { related: [articles[1], articles[0]] });
    await client.update(`/api/articles/${articles[1]}?status=draft`, { title: 'Second draft' });
    const related = async (status: string) =>
      (
        (await documentOf(client.get(`/api/articles/${draft}?status=${status}&populate[related][limit]=1`)))
          .related as Values
      ).map(({ title }) => title);
    expect(await related('draft')).toEqual(['Second draft']);
    expect(await related('published')).toEqual(['Second']);
    await client.remove(`/api/articles/${draft}`);
    await client.update(`/api/articles/${articles[1]}?status=draft`, { title: 'Second' });
  });

  it('stands in the older format, too', async () => {
    const headers = { Authorization: 'Bearer full', 'Strapi-Response-Format': 'v4' };
    const response = await serve()(`/api/articles/${articles[0]}?populate[comments][limit]=1`, { headers });
    const { data } = (await response.json()) as { data: { attributes: { comments: { data: readonly unknown[] } } } };
    expect(data.attributes.comments.data).toHaveLength(1);
  });
});

describe('a count beside a list', () => {
  const counted = async (search: string, from = client) =>
    (await documentsOf(from.get(`/api/articles?sort=title&fields=title&${search}`))).map(
      ({ documentId, id, title, ...rest }) => rest,
    );

  it.each([
    ['populate[tags][limit]=1&populate[tags][fields]=weight', 'tags', [5, 5]],
    ['populate[comments][limit]=0', 'comments', [COMMENTS - 1, 1]],
    ['populate[comments][start]=50', 'comments', [COMMENTS - 1, 1]],
    ['populate[comments][limit]=1&populate[comments][filters][approved]=true', 'comments', [9, 0]],
    ['populate[gallery][fields]=name', 'gallery', [4, 0]],
    ['populate[localizations][limit]=1', 'localizations', [3, 0]],
  ])('is of all that its filters match: %s', async (search, name, numbers) => {
    const plain = await counted(search);
    const documents = await counted(`${search}&populate[${name}][withCount]=true`);
    expect(documents).toEqual(plain.map((each, index) => ({ ...each, $counts: { [name]: numbers[index] } })));
    expect(await counted(`${search}&populate[${name}][withCount]=false`)).toEqual(plain);
    // Each row has a share of some rows, so the response is measured first.
    const measured = clientOf(serve({ api: { rest: { limits: { answerRows: 75 } } } }), 'full');
    expect(await counted(`${search}&populate[${name}][withCount]=true`, measured)).toEqual(documents);
  });

  it('is the same beside a filter of which one statement has room for one', async () => {
    const list = 'populate[tags][limit]=1&populate[tags][fields]=weight&populate[tags][withCount]=true';
    const filters = Array.from(
      { length: 200 },
      (_, index) => `populate[tags][filters][$or][${index}][articles][title]=First`,
    );
    const documents = await counted(`${list}&populate[tags][filters][articles][title]=First`);
    expect(documents).toMatchObject([{ tags: [{}], $counts: { tags: 5 } }, {}]);
    expect(await counted(`${list}&${filters.join('&')}`)).toEqual(documents);
  });

  it('stands in each document and component, with those of all of its lists', async () => {
    const search =
      'populate[tags][limit]=1&populate[tags][withCount]=true&populate[tags][populate][articles][limit]=0&populate[tags][populate][articles][withCount]=true' +
      '&populate[comments][limit]=0&populate[comments][withCount]=true' +
      '&populate[sections][on][blocks.callout][populate][articles][limit]=1&populate[sections][on][blocks.callout][populate][articles][withCount]=true';
    const [document] = await counted(`status=draft&${search}`);
    expect(document).toMatchObject({
      tags: [{ articles: [], $counts: { articles: 2 } }],
      comments: [],
      $counts: { tags: 5, comments: COMMENTS - 1 },
      sections: [
        { articles: [{ title: 'Second' }], $counts: { articles: 2 } },
        { articles: [{ title: 'First' }], $counts: { articles: 1 } },
      ],
    });
  });

  it('stands in targets of components that one read serves, whatever fields each shows', async () => {
    const person = await create('authors', { name: 'Bea' });
    const card = { title: 'Card', person };
    const sections = [
      { __component: 'blocks.quote', text: 'Quote', speaker: person },
      { __component: 'blocks.callout', title: 'Callout', card },
    ];
    const documentId = await create('articles', { title: 'Third', author: person, sections });
    const [quote, callout] = ['quote][populate][speaker', 'callout][populate][card][populate][person'].map(
      (path) => `populate[sections][on][blocks.${path}]`,
    );
    const below = (of = '') => `${of}[populate][articles][limit]=0&${of}[populate][articles][withCount]=true`;
    const search = `${quote}[fields]=name&${below(quote)}&${callout}[fields]=bio&${below(callout)}`;
    expect((await documentOf(client.get(`/api/articles/${documentId}?${search}`))).sections).toMatchObject([
      { speaker: { name: 'Bea', articles: [], $counts: { articles: 1 } } },
      { card: { person: { bio: null, articles: [], $counts: { articles: 1 } } } },
    ]);
    await client.remove(`/api/articles/${documentId}`);
  });

  it('is of what the caller may see', async () => {
    const where = { score: { $eq: 2 } };
    const visitor = serve({
      roles: { public: ['api::article.article.find', { action: 'api::comment.comment.find', where }] },
    });
    const response = await visitor(
      '/api/articles?sort=title&populate[comments][limit]=1&populate[comments][withCount]=true',
    );
    const { data } = (await response.json()) as { data: Values };
    expect(data.map(({ $counts }) => $counts)).toEqual([{ comments: 4 }, { comments: 0 }]);
    const filtered = await visitor('/api/articles?populate[tags][withCount]=true');
    expect(((await filtered.json()) as { data: Values }).data[0]).not.toHaveProperty('$counts');
  });

  it('is in the attributes in the older format', async () => {
    const headers = { Authorization: 'Bearer full', 'Strapi-Response-Format': 'v4' };
    const search = 'populate[comments][limit]=0&populate[comments][withCount]=true';
    const response = await serve()(`/api/articles/${articles[1]}?${search}`, { headers });
    const { data } = (await response.json()) as { data: { attributes: object } };
    expect(data.attributes).toMatchObject({ comments: { data: [] }, $counts: { comments: 1 } });
  });

  it('reads rows that the response counts', async () => {
    const get = (answerRows: number) =>
      clientOf(serve({ api: { rest: { limits: { answerRows } } } }), 'full').get(
        '/api/articles?populate[comments][limit]=0&populate[comments][withCount]=true',
      );
    expect(await errorOf(get(COMMENTS + 1))).toMatchObject({ status: 400, details: { limit: 'answerRows' } });
    expect((await get(COMMENTS + 2)).status).toBe(200);
  });
});

describe('a slice reads', () => {
  /** Rows that the page reads. */
  async function rowsRead(search: string): Promise<number> {
    const counted = countedDatabase(env.DB);
    const reader = clientOf(serve({}, { DB: counted.database }), 'full');
    expect((await reader.get(`/api/articles/${articles[0]}?fields=title&${search}`)).status).toBe(200);
    expect(counted.answering()).toHaveLength(1);
    return [...counted.rowsRead.values()].reduce((sum, each) => sum + each, 0);
  }

  const more = async (count: number) => {
    for (let index = 0; index < count; index += 1)
      await create('comments', { text: `More ${index}`, score: 1, approved: true, article: articles[0] });
  };

  it('as many rows as it has in the stored order, however long the list is', async () => {
    const slices = [
      'populate[comments][limit]=3',
      'populate[comments][limit]=3&populate[comments][start]=2',
      'populate[comments][limit]=3&populate[comments][filters][approved]=true',
    ];
    const before = await Promise.all(slices.map(rowsRead));
    const whole = await rowsRead('populate[comments]=true');
    await more(40);
    expect(await Promise.all(slices.map(rowsRead))).toEqual(before);
    expect(await rowsRead('populate[comments]=true')).toBeGreaterThan(whole + 40);
    expect(await rowsRead('populate[comments][limit]=0')).toBeLessThan(before[0] ?? 0);
  });

  it('all rows in the order of an attribute, but the lists inside of its own rows alone', async () => {
    const sorted = (below: string) =>
      rowsRead(`populate[comments][sort]=text&populate[comments][limit]=3&populate[comments]${below}`);
    const [plain, populated] = [await sorted('[fields]=text'), await sorted('[populate][by][populate]=articles')];
    expect(plain).toBeGreaterThan(COMMENTS + 40);
    expect(populated - plain).toBeLessThan(40);
  });
});

describe('a slice within the limits of a response', () => {
  const limited = (limits: object): SettingsInput => ({ api: { rest: { limits } } });
  const get = (answerRows: number, search: string) =>
    clientOf(serve(limited({ answerRows })), 'full').get(`/api/articles?fields=title&sort=title&${search}`);

  it('counts the rows that it has', async () => {
    const search = 'populate[comments][limit]=2&populate[comments][fields]=text';
    // Two articles, with two comments and one.
    expect((await get(5, search)).status).toBe(200);
    expect(await errorOf(get(4, search))).toMatchObject({ status: 400, details: { limit: 'answerRows' } });
  });

  it.each([
    ['sorts', '[sort]=text'],
    ['filters', '[filters][text]=none'],
    ['skips', '[start]=1'],
  ])('counts the rows that it %s', async (_, option) => {
    const search = `populate[comments][limit]=2&populate[comments]${option}`;
    expect(await errorOf(get(COMMENTS, search))).toMatchObject({ status: 400, details: { limit: 'answerRows' } });
    expect(await (await get(80, search)).json()).toEqual(await (await get(20_000, search)).json());
  });

  it('is the same where the response is measured first', async () => {
    const searches = [
      'populate[comments][limit]=2&populate[comments][sort]=score:desc&populate[tags][populate][articles][limit]=1',
      'populate[tags][limit]=3&populate[tags][populate][articles][sort]=title:desc&populate[tags][populate][articles][limit]=1',
      'populate[comments][limit]=2&populate[comments][filters][approved]=true&populate[gallery][start]=1',
    ];
    for (const search of searches) {
      const usual = await (await get(20_000, search)).json();
      // Each of 25 rows has a share of three rows at most.
      expect(await (await get(100, search)).json()).toEqual(usual);
    }
  });
});

describe('a slice is rejected by the name of its parameter', () => {
  const rejected = (search: string, settings: SettingsInput = {}) =>
    errorOf(clientOf(serve(settings), 'full').get(`/api/articles?${search}`));

  it.each([
    ['populate[tags][limit]=101', 'limit', 'tags', 'Expected an integer from 0 to 100, received: 101'],
    ['populate[tags][limit]=-1', 'limit', 'tags', 'Expected an integer from 0 to 100, received: -1'],
    ['populate[tags][limit]=1.5', 'limit', 'tags', 'Expected an integer from 0 to 100, received: 1.5'],
    ['populate[tags][limit]=', 'limit', 'tags', 'Expected an integer from 0 to 100, received: '],
    ['populate[tags][limit]', 'limit', 'tags', 'Expected an integer from 0 to 100'],
    ['populate[tags][limit][]=1', 'limit', 'tags', 'Expected an integer from 0 to 100'],
    ['populate[tags][start]=x', 'start', 'tags', 'Expected an integer of at least 0, received: x'],
    ['populate[tags][start]=-1', 'start', 'tags', 'Expected an integer of at least 0, received: -1'],
    ['populate[author][limit]=1', 'limit', 'author', 'Expected a relation to many or a list of files'],
    ['populate[author][start]=1', 'start', 'author', 'Expected a relation to many or a list of files'],
    ['populate[cover][limit]=1', 'limit', 'cover', 'Expected a relation to many or a list of files'],
    ['populate[facts][limit]=1', 'limit', 'facts', 'Expected a relation to many or a list of files'],
    ['populate[sections][limit]=1', 'limit', 'sections', 'Expected a relation to many or a list of files'],
    ['populate[tags][limit]=1&populate[tags][count]=true', 'limit', 'tags', 'Expected no count beside it'],
    ['populate[tags][withCount]=yes', 'withCount', 'tags', 'Expected true or false, received: yes'],
    ['populate[tags][withCount]', 'withCount', 'tags', 'Expected true or false'],
    ['populate[tags][withCount]=true&populate[tags][count]=1', 'withCount', 'tags', 'Expected no count beside it'],
    ['populate[author][withCount]=true', 'withCount', 'author', 'Expected a relation to many or a list of files'],
    [
      'populate[author][populate][articles][limit]=x',
      'limit',
      'author.articles',
      'Expected an integer from 0 to 100, received: x',
    ],
  ])('%s', async (search, key, path, expected) => {
    expect(await rejected(search)).toMatchObject({
      status: 400,
      message: `Invalid ${key} at ${path}. ${expected}`,
      details: { key, path, source: 'query', param: 'populate' },
    });
  });

  it('with the setting that it exceeds', async () => {
    const settings = { api: { rest: { maxLimit: 7 } } };
    expect(await rejected('populate[tags][limit]=8', settings)).toMatchObject({
      message: 'Invalid limit at tags. Expected an integer from 0 to 7, received: 8',
      details: { limit: 'maxLimit' },
    });
    const unlimited = clientOf(serve({ api: { rest: { maxLimit: null } } }), 'full');
    expect((await unlimited.get('/api/articles?populate[tags][limit]=5000')).status).toBe(200);
  });

  it.each(['limit', 'start', 'withCount'])('as an unknown key without extensions: %s', async (key) => {
    const { message } = await rejected(`populate[tags][${key}]=1`, { api: { rest: { extensions: false } } });
    expect(message).toBe(`Invalid key ${key} at tags`);
  });

  it('also below a relation that the caller may not find, which is left out', async () => {
    await createToken('articles', 'custom', ['api::article.article.find']);
    const narrow = clientOf(serve(), 'articles');
    expect(await errorOf(narrow.get('/api/articles?populate[comments][limit]=x'))).toMatchObject({ status: 400 });
    const [document] = await documentsOf(narrow.get('/api/articles?populate[comments][limit]=1'));
    expect(document).not.toHaveProperty('comments');
  });
});
