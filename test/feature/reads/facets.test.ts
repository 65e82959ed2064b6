/**
 * @module `facets`: the most frequent values among all documents of a list.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { serveRegistry } from '../../support/app.ts';
import { type Client, clientOf, documentOf, errorOf, totalOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const localized = { pluginOptions: { i18n: { localized: true } } };
const i18n = {
  locales: [
    { code: 'en', name: 'en', isDefault: true },
    { code: 'fr', name: 'fr', fallback: ['en'] },
  ],
};
/** Relations of a hub to the same type. */
const SHELVES = Array.from({ length: 10 }, (_, index) => `shelf${index}`);
const FILES = [
  contentType(
    'story',
    {
      title: { type: 'string', ...localized },
      format: { type: 'enumeration', enum: ['essay', 'review', 'note'], ...localized },
      isLive: { type: 'boolean' },
      year: { type: 'integer' },
      body: { type: 'text', ...localized },
      shelf: relation('manyToOne', 'shelf', { inversedBy: 'stories' }),
      tags: { ...relation('manyToMany', 'tag', { inversedBy: 'stories' }), ...localized },
    },
    { drafts: true, localized: true, plural: 'stories' },
  ),
  contentType(
    'shelf',
    { name: { type: 'string' }, stories: relation('oneToMany', 'story', { mappedBy: 'shelf' }) },
    { plural: 'shelves' },
  ),
  contentType(
    'tag',
    { name: { type: 'string' }, stories: relation('manyToMany', 'story', { mappedBy: 'tags' }) },
    { drafts: true, localized: true },
  ),
  contentType('hub', Object.fromEntries(SHELVES.map((name) => [name, relation('manyToOne', 'shelf')]))),
];
const registry = registryOf(FILES, [], {}, { search: { 'api::story.story': { title: 4, body: 1 } } });
const { send, client } = openWorld(registry, { i18n });

type Facets = Readonly<Record<string, readonly { value?: unknown; documentId?: string; count: number }[]>>;

const facetsOf = async (search: string, from: Client = client): Promise<Facets> => {
  const { meta } = (await (await from.get(`/api/stories?${search}`)).json()) as { meta: { facets: Facets } };
  return meta.facets;
};

const find = (...names: string[]): string[] => names.map((name) => `api::${name}.${name}.find`);
const asUser = (authenticated: NonNullable<SettingsInput['roles']>[string]): Client =>
  clientOf(serveRegistry(registry, { i18n, roles: { authenticated } }), user);
const write = async (path: string, data: object): Promise<string> =>
  (await documentOf(client.create(`/api/${path}`, data))).documentId;

let user: string;
let [low, high]: string[] = [];
let [red, blue]: string[] = [];

beforeAll(async () => {
  user = (await register(send, 'ann')).jwt;
  [low, high] = [await write('shelves', { name: 'low' }), await write('shelves', { name: 'high' })].toSorted();
  [red, blue] = [await write('tags', { name: 'red' }), await write('tags', { name: 'blue' })].toSorted();
  await client.update(`/api/tags/${red}?locale=fr`, { name: 'rouge' });
  const essay = { format: 'essay', isLive: true, year: 2024 };
  const first = await write('stories', { title: 'one', body: 'a kestrel', ...essay, shelf: low, tags: [red, blue] });
  await client.update(`/api/stories/${first}?locale=fr`, { title: 'un', format: 'note', tags: [red] });
  await write('stories', { title: 'two', body: 'no such word', ...essay, year: 2025, shelf: high, tags: [blue] });
  const third = await write('stories', {
    title: 'three',
    body: 'kestrel',
    format: 'review',
    isLive: false,
    shelf: low,
  });
  await client.update(`/api/stories/${third}?status=draft`, { title: 'three anew', format: 'note', tags: [red] });
  await write('stories', { title: 'four', year: 2024 });
  await client.create('/api/stories?status=draft', { title: 'five', format: 'review', shelf: high, tags: [red] });
});

describe('facets', () => {
  it('count the values of each attribute and the targets of each relation, the most frequent first', async () => {
    expect(await facetsOf('facets=format,isLive,year,shelf,tags&pagination[pageSize]=1')).toEqual({
      format: [
        { value: 'essay', count: 2 },
        { value: 'review', count: 1 },
      ],
      isLive: [
        { value: true, count: 2 },
        { value: false, count: 1 },
      ],
      year: [
        { value: 2024, count: 2 },
        { value: 2025, count: 1 },
      ],
      shelf: [
        { documentId: low, count: 2 },
        { documentId: high, count: 1 },
      ],
      tags: [
        { documentId: blue, count: 2 },
        { documentId: red, count: 1 },
      ],
    });
  });

  it.each([
    '',
    'status=draft',
    'locale=fr',
    'locale=fr&fallback=true&pagination[withCount]=true',
    'locale=*',
    'locale=*&status=draft',
    'filters[shelf][name]=low',
    'filters[$or][0][format]=essay&filters[$or][1][year][$null]=true',
    '_q=o',
    'search=kestrel',
    'search=kestrol&sort=title',
    'search=kestrol&locale=fr&fallback=true&pagination[withCount]=true',
    'search=kestrel&status=draft&filters[isLive]=true',
    'publicationFilter=modified',
    'publicationFilter=modified&status=draft',
    'pagination[page]=2&pagination[pageSize]=1',
    'pagination[limit]=1&pagination[after]=&pagination[withCount]=true&sort=title',
    'populate=*&sort=shelf.name',
  ])('count what a filter for the value finds, with "%s"', async (search) => {
    const facets = await facetsOf(`facets=format,isLive,shelf,tags&${search}`);
    const totals = async ([name, list]: Facets extends Readonly<Record<string, infer L>> ? [string, L] : never) =>
      Promise.all(
        list.map(async ({ count: _, ...value }) => {
          const [key, operand] = Object.entries(value)[0] ?? [];
          const filter = `filters[$and][0][${name}]${key === 'documentId' ? '[documentId]' : ''}=${operand}`;
          return { ...value, count: await totalOf(client.get(`/api/stories?${search}&${filter}`)) };
        }),
      );
    const expected = await Promise.all(
      Object.entries(facets).map(async (each) => [each[0], await totals(each)] as const),
    );
    expect(facets).toEqual(Object.fromEntries(expected));
    expect(Object.values(facets).flat().length).toBeGreaterThan(2);
  });
});

describe('a facet', () => {
  it('of a relation needs the right to list its targets, and of drafts the right to those', async () => {
    expect(await errorOf(asUser(find('story')).get('/api/stories?facets=shelf'))).toMatchObject({
      status: 400,
      message: 'Invalid key shelf',
    });
    const drafts = [...find('story', 'shelf', 'tag'), 'api::story.story.readDrafts'];
    expect(await errorOf(asUser(drafts).get('/api/stories?facets=tags&status=draft'))).toMatchObject({ status: 403 });
    expect((await asUser(drafts).get('/api/stories?facets=shelf&status=draft')).status).toBe(200);
  });

  it('needs an attribute that the grant has', async () => {
    const rule = { action: find('story'), fields: ['title'] };
    expect(await errorOf(asUser([rule]).get('/api/stories?facets=format'))).toMatchObject({
      message: 'Invalid key format',
    });
  });
});

describe('a read with facets', () => {
  it('is one statement in one round trip, and reads next to nothing while nothing changes', async () => {
    const { database, rowsRead, answering } = countedDatabase(env.DB);
    const counted = clientOf(serveRegistry(registry, { i18n }, { DB: database }), 'full');
    const texts: string[] = [];
    const path = '/api/stories?facets=format,shelf,tags&pagination[pageSize]=2';
    for (let time = 0; time < 2; time += 1) texts.push(await (await counted.get(path)).text());
    expect(answering().map(({ length }) => length)).toEqual([1, 1]);
    expect(new Set(texts).size).toBe(1);
    const last = answering().at(-1)?.[0] ?? '';
    expect(rowsRead.get(last)).toBeLessThan(10);
  });

  it('is several statements in one round trip where the conditions of targets are long', async () => {
    await client.create('/api/hubs', Object.fromEntries(SHELVES.map((name) => [name, low])));
    const others = Array.from({ length: 40 }, (_, index) => ({ stories: { title: { $eq: `none ${index}` } } }));
    const rule = { action: find('shelf'), where: { $or: [{ name: { $notNull: true } }, ...others] } };
    const { database, answering } = countedDatabase(env.DB);
    const settings = { i18n, roles: { authenticated: [...find('hub'), rule] } };
    const limited = clientOf(serveRegistry(registry, settings, { DB: database }), user);
    const response = await limited.get(`/api/hubs?facets=${SHELVES}`);
    const { meta } = (await response.json()) as { meta: { facets: Facets } };
    expect(meta.facets).toEqual(Object.fromEntries(SHELVES.map((name) => [name, [{ documentId: low, count: 1 }]])));
    const [batch = [], ...more] = answering();
    expect(more).toEqual([]);
    expect(batch.length).toBeGreaterThan(1);
    for (const sql of batch) expect(sql.length).toBeLessThan(100_000);
  });
});
