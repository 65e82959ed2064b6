/**
 * @module `edgewise-client/astro` with the Worker; test/node/astro.long.test.ts has the real Astro.
 */
import { Webhook } from 'standardwebhooks';
import { beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { contentLoader, invalidateRoute, liveLoader } from '../../../client/astro.ts';
import { createClient } from '../../../client/index.ts';
import type { ContentTypes, UsersPermissionsUserModel } from '../../../types/content-types.d.ts';
import { demoRegistry } from '../../support/demo-registry.ts';
import { openWorld } from '../../support/world.ts';

const { send } = openWorld(demoRegistry, {
  i18n: {
    locales: [
      { code: 'en', name: 'English', isDefault: true },
      { code: 'fr', name: 'French' },
    ],
  },
});
const requests: { readonly query: string; readonly status: number }[] = [];
const clientWith = (token: string) =>
  createClient<ContentTypes, UsersPermissionsUserModel>({
    ...{ url: 'http://edgewise.test', token },
    fetch: async (url, init) => {
      const response = await send(url, init);
      requests.push({ query: decodeURIComponent(new URL(url).search), status: response.status });
      return response;
    },
  });
const client = clientWith('full');

beforeAll(async () => {
  await made('somewhere');
});

const made = async (slug: string, more: object = {}) => {
  const { data } = await client.articles.create({ title: slug, slug, ...more });
  return data.documentId;
};

describe('a live loader', () => {
  const loader = liveLoader(client, 'articles', { populate: { author: { fields: ['name', 'updatedAt'] } } }, [
    'article',
    'author',
  ]);

  it('loads an entry by its id, and by a unique attribute, with its tags and its last change', async () => {
    const author = (await client.authors.create({ name: 'Ines', slug: 'ines' })).data.documentId;
    const id = await made('fog', { author });
    const { data } = await client.authors.update(author, { name: 'Ines B.' });
    const entry = {
      ...{ id, data: expect.objectContaining({ title: 'fog', author: expect.objectContaining({ name: 'Ines B.' }) }) },
      cacheHint: { tags: ['article', 'author'], lastModified: new Date(data.updatedAt) },
    };
    expect(await loader.loadEntry({ filter: { id } })).toEqual(entry);
    expect(await loader.loadEntry({ filter: { slug: 'fog' } })).toEqual(entry);
  });

  it('loads the draft of an entry, for no cache', async () => {
    const id = await made('rain');
    await client.articles.update(id, { title: 'Rain, a draft' }, { status: 'draft' });
    const entry = await loader.loadEntry({ filter: { slug: 'rain', status: 'draft' } });
    expect(entry).toEqual({ id, data: expect.objectContaining({ title: 'Rain, a draft' }) });
  });

  it('finds nothing where there is no document', async () => {
    expect(await loader.loadEntry({ filter: { slug: 'nowhere' } })).toBeUndefined();
    expect(await loader.loadEntry({ filter: { id: 'nowhere' } })).toBeUndefined();
  });

  it.each([{}, { slug: undefined }, { id: undefined, locale: 'en' }, { id: 'a', slug: 'b' }])(
    'loads no document in place of %j',
    async (filter) => {
      const error = new TypeError('An entry has an id or one unique attribute');
      expect(await loader.loadEntry({ filter: filter as never })).toEqual({ error });
    },
  );

  it('returns errors of the API', async () => {
    const stranger = liveLoader(clientWith('unknown'), 'articles');
    const failure = { error: expect.objectContaining({ status: 401 }) };
    expect(await stranger.loadEntry({ filter: { id: 'a' } })).toEqual(failure);
    expect(await stranger.loadCollection({})).toEqual(failure);
  });

  it('loads the documents of a filter, or a page of them', async () => {
    for (const slug of ['c1', 'c2', 'c3']) await made(slug, { format: 'review' });
    const filter = { filters: { format: 'review' }, sort: 'slug:desc' } as const;
    const all = await loader.loadCollection({ filter });
    expect(all).toMatchObject({ entries: ['c3', 'c2', 'c1'].map((slug) => ({ data: { slug } })) });
    expect(all).toMatchObject({ cacheHint: { tags: ['article', 'author'], lastModified: expect.any(Date) } });
    const page = await loader.loadCollection({ filter: { ...filter, pagination: { page: 2, pageSize: 2 } } });
    expect(page).toMatchObject({ entries: [{ data: { slug: 'c1' }, cacheHint: { tags: ['article', 'author'] } }] });
    const none = await loader.loadCollection({ filter: { filters: { title: 'none' } } });
    expect(none).toEqual({ entries: [], cacheHint: { tags: ['article', 'author'] } });
  });

  it('loads more documents than one page has', async () => {
    const names = Array.from({ length: 105 }, (_, index) => `many-${index}`);
    for (const name of names) await client.categories.create({ name, slug: name });
    const found = await liveLoader(client, 'categories').loadCollection({ filter: { locale: 'en' } });
    expect('entries' in found && found.entries.length).toBe(105);
    expect(found).toMatchObject({ cacheHint: { tags: ['edgewise'] } });
  });

  it('has an entry for each locale', async () => {
    const { data } = await client.categories.create({ name: 'Places', slug: 'places' });
    await client.categories.update(data.documentId, { name: 'Lieux', slug: 'lieux' }, { locale: 'fr' });
    const filter = { locale: ['en', 'fr'], filters: { documentId: data.documentId }, sort: 'locale' } as const;
    const found = await liveLoader(client, 'categories').loadCollection({ filter });
    const ids = [`${data.documentId}/en`, `${data.documentId}/fr`];
    expect(found).toMatchObject({ entries: ids.map((id) => ({ id })) });
  });

  it('has the types of what it selects', async () => {
    const entry = await loader.loadEntry({ filter: { id: 'a' } });
    if (entry && 'data' in entry) expectTypeOf(entry.data.author?.name).toEqualTypeOf<string | undefined>();
    // @ts-expect-error there is no such type
    expect(() => liveLoader(client, 'articels')).not.toThrow();
    // @ts-expect-error a single type is no collection
    expect(() => liveLoader(client, 'homepage')).not.toThrow();
    // @ts-expect-error there is no such relation
    expect(() => liveLoader(client, 'articles', { populate: { autor: true } })).not.toThrow();
    // @ts-expect-error there is no such type
    expect(() => liveLoader(client, 'articles', {}, ['autor'])).not.toThrow();
  });
});

describe('a loader for builds', () => {
  const stored = new Map<string, { readonly id: string; readonly data: object; readonly digest: string }>();
  const kept = new Map<string, string>();
  const parsed: string[] = [];
  const context = {
    store: {
      ...{ get: (id: string) => stored.get(id), has: (id: string) => stored.has(id), keys: () => [...stored.keys()] },
      set: (entry: { id: string; data: object; digest: string }) => Boolean(stored.set(entry.id, entry)),
      delete: (id: string) => void stored.delete(id),
    },
    meta: { get: (key: string) => kept.get(key), set: (key: string, value: string) => void kept.set(key, value) },
    parseData: async ({ id, data }: { id: string; data: object }) => {
      parsed.push(id);
      return data;
    },
    generateDigest: (data: object) => JSON.stringify(data),
  };
  const loader = contentLoader(client, 'authors', { sort: 'slug', populate: { links: true } });
  const statuses = () => requests.map(({ status }) => status);

  async function build(): Promise<void> {
    requests.length = 0;
    parsed.length = 0;
    await loader.load(context as never);
  }

  beforeEach(async () => {
    stored.clear();
    kept.clear();
    for await (const { documentId } of client.authors.each()) await client.authors.delete(documentId);
  });

  const authors = async (count: number) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const slug = `a${String(index).padStart(3, '0')}`;
      ids.push((await client.authors.create({ name: slug, slug })).data.documentId);
    }
    return ids;
  };

  it('reads nothing again where nothing has changed', async () => {
    const ids = await authors(102);
    await build();
    expect([statuses(), parsed]).toEqual([[200, 200], ids]);
    const before = new Map(stored);
    await build();
    expect([statuses(), parsed]).toEqual([[304, 304], []]);
    expect(stored).toEqual(before);
    await client.articles.create({ title: 'Of another type', slug: 'other' });
    await build();
    expect(statuses()).toEqual([304, 304]);
  });

  it('stores what has changed, and removes what was deleted', async () => {
    const [first = '', second = '', third = ''] = await authors(3);
    await build();
    await client.authors.update(second, { links: [{ label: 'Site', url: 'https://example.com' }] });
    await client.authors.delete(first);
    const { data } = await client.authors.create({ name: 'new', slug: 'b' });
    await build();
    expect(parsed).toEqual([second, data.documentId]);
    expect([...stored.keys()].sort()).toEqual([second, third, data.documentId].sort());
    expect(stored.get(second)?.data).toMatchObject({ links: [{ label: 'Site' }] });
  });

  it('reads again what the store has lost', async () => {
    const [id = ''] = await authors(1);
    await build();
    stored.clear();
    await build();
    expect([statuses(), parsed]).toEqual([[200], [id]]);
  });

  it('removes the last document', async () => {
    const [id = ''] = await authors(1);
    await build();
    await client.authors.delete(id);
    await build();
    expect([...stored.keys()]).toEqual([]);
  });

  it('keeps everything when the API fails', async () => {
    await authors(1);
    await build();
    const failing = contentLoader(clientWith('unknown'), 'authors', { sort: 'slug', populate: { links: true } });
    await expect(failing.load(context as never)).rejects.toThrow();
    expect(stored.size).toBe(1);
  });

  it('stops at an API without cursors', async () => {
    await authors(1);
    const strapi = async () => Response.json({ data: [], meta: { pagination: { page: 1, total: 200 } } });
    const other = createClient<ContentTypes>({ url: 'http://strapi.test', fetch: strapi });
    await expect(contentLoader(other, 'authors').load(context as never)).rejects.toThrow('the API has no cursors');
  });

  it('has the types of what it selects', () => {
    expect(loader.schema.parse('as it is')).toBe('as it is');
    expectTypeOf<ReturnType<typeof loader.schema.parse>['links'][number]['url']>().toEqualTypeOf<string>();
    // @ts-expect-error the loader reads all pages
    expect(() => contentLoader(client, 'authors', { pagination: { page: 1 } })).not.toThrow();
  });
});

describe('the route that a webhook calls', () => {
  const secret = `whsec_${btoa('a key of twenty-four byt')}`;
  const invalidated: string[][] = [];
  const cache = { invalidate: async ({ tags }: { tags: string[] }) => void invalidated.push(tags) };

  async function call(message: object, signedWith = secret) {
    const [body, time] = [JSON.stringify(message), new Date()];
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
      'webhook-signature': new Webhook(signedWith).sign('msg_1', time, body),
    };
    const request = new Request('https://site.example/api/revalidate', { method: 'POST', headers, body });
    invalidated.length = 0;
    return (await invalidateRoute({ secret })({ request, cache })).status;
  }

  it('invalidates the tags of what has changed', async () => {
    const message = { event: 'entry.publish', model: 'article', entry: { documentId: 'a', publishedAt: '2026' } };
    expect([await call(message), invalidated]).toEqual([200, [['edgewise', 'article', 'article:a']]]);
  });

  it('invalidates nothing for a draft, a test or a forged message', async () => {
    const draft = { event: 'entry.update', model: 'article', entry: { documentId: 'a', publishedAt: null } };
    expect([await call(draft), invalidated]).toEqual([200, []]);
    expect([await call({ event: 'trigger-test' }), invalidated]).toEqual([200, []]);
    expect([await call({ event: 'trigger-test' }, `whsec_${btoa('another')}`), invalidated]).toEqual([401, []]);
  });
});
