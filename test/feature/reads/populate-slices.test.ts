/**
 * @module `limit` and `start` below lists of a populate: which rows they show, and what they read.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiDocument, clientOf, documentOf, documentsOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
const COMMENTS = 12;

let article = '';

const FILE = (index: number) =>
  `insert into files (document_id, locale, published_at, created_at, updated_at, name, hash, mime, size, url, provider) values ('file${index}', '', 1, 1, 1, 'picture ${index}', 'a${index}', 'image/png', ${index}, '/${index}.png', 'r2')`;

const create = async (route: string, data: object) =>
  (await documentOf(client.create(`/api/${route}`, data))).documentId;

beforeAll(async () => {
  await env.DB.batch([0, 1, 2, 3].map((index) => env.DB.prepare(FILE(index))));
  const gallery = [3, 1, 0, 2].map((index) => `file${index}`);
  const author = await create('authors', { name: 'Ann' });
  const tags: string[] = [];
  for (let index = 0; index < 5; index += 1) tags.push(await create('tags', { name: `Tag ${index}` }));
  const first = await create('articles', { title: 'First', gallery, author, tags: tags.toReversed() });
  const second = await create('articles', { title: 'Second', author, tags });
  for (let index = 0; index < COMMENTS; index += 1) {
    const data = { text: `Comment ${index}`, approved: index % 4 !== 0, by: author };
    await create('comments', { ...data, article: index === 4 ? second : first });
  }
  const callout = { __component: 'blocks.callout', title: 'See', articles: [second, first] };
  const pictures = { __component: 'blocks.gallery', title: 'Look', images: gallery };
  await client.update(`/api/articles/${first}`, { sections: [callout, pictures, { ...callout, articles: [first] }] });
  for (const locale of ['fr', 'de', 'ar'])
    await documentOf(client.update(`/api/articles/${first}?locale=${locale}`, { title: `In ${locale}` }));
  article = first;
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
  const read = async (options: readonly string[]) => {
    const outer = prefix.slice(0, -own.length);
    const search = outer + (options.length > 0 ? options.map((each) => `${own}${each}`).join('&') : `${own}=true`);
    const documents = await documentsOf(client.get(`/api/articles?sort=title&${search}`));
    return listsAt(documents, path.split('.'));
  };

  it.each(SLICES)('what a slice has: %s', async (slice) => {
    const options = slice.split('&?');
    const all = await read([]);
    expect(all.some((list) => list.length > 0)).toBe(true);
    expect(await read(options)).toEqual(all.map((list) => cut(list, slice)));
  });
});

describe('a slice reads', () => {
  /** Rows that the page reads. */
  async function rowsRead(search: string): Promise<number> {
    const counted = countedDatabase(env.DB);
    const reader = clientOf(serve({}, { DB: counted.database }), 'full');
    expect((await reader.get(`/api/articles/${article}?fields=title&${search}`)).status).toBe(200);
    expect(counted.answering()).toHaveLength(1);
    return [...counted.rowsRead.values()].reduce((sum, each) => sum + each, 0);
  }

  it('as many rows as it has in the stored order, however long the list is', async () => {
    const slices = [
      'populate[comments][limit]=3',
      'populate[comments][limit]=3&populate[comments][start]=2',
      'populate[comments][limit]=3&populate[comments][filters][approved]=true',
    ];
    const before = await Promise.all(slices.map(rowsRead));
    const whole = await rowsRead('populate[comments]=true');
    for (let index = 0; index < 40; index += 1)
      await create('comments', { text: `More ${index}`, approved: true, article });
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
