/**
 * @module `GET /api/:pluralApiId/<attribute>:<value>`: the document with a unique value.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { serveRegistry } from '../../support/app.ts';
import { type Client, clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { localesOf } from '../../support/locales.ts';
import { bearer } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { post, register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const localized = { pluginOptions: { i18n: { localized: true } } };
const i18n = localesOf('en', 'fr');
const registry = registryOf([
  contentType(
    'book',
    {
      title: { type: 'string', ...localized },
      slug: { type: 'uid', targetField: 'title' },
      isbn: { type: 'biginteger', unique: true, ...localized },
      issued: { type: 'datetime', unique: true, ...localized },
      code: { type: 'string', unique: true, private: true, ...localized },
      sequel: relation('oneToOne', 'book'),
    },
    { drafts: true, localized: true },
  ),
  contentType('shelf', { name: { type: 'string', unique: true } }, { plural: 'shelves' }),
  contentType('home', { name: { type: 'string', unique: true } }, { single: true }),
]);
const { client } = openWorld(registry, { i18n });

const id = (...actions: string[]): string[] => actions.map((action) => `api::book.book.${action}`);
const book = async (slug: string, more: object = {}, search = '') =>
  (await documentOf(client.create(`/api/books${search}`, { slug, title: slug, ...more }))).documentId;

let night: string;
let user: string;

const asUser = (authenticated: NonNullable<SettingsInput['roles']>[string]): Client =>
  clientOf(serveRegistry(registry, { i18n, roles: { authenticated } }), user);

beforeAll(async () => {
  night = await book('night', { isbn: 12, code: 'secret', issued: '2026-01-02T03:04:05Z' });
  await client.update(`/api/books/${night}?locale=fr`, { slug: 'nuit', title: 'Nuit' });
  await book('hidden');
  user = (await register(serveRegistry(registry), 'ann')).jwt;
});

describe('a document', () => {
  it.each(['slug:night', 'isbn:12', 'isbn:012', 'slug%3Anight', 'issued:2026-01-02T03:04:05.000Z', 'slug:night/'])(
    'is found at /api/books/%s',
    async (segment) => {
      expect(await documentOf(client.get(`/api/books/${segment}`))).toMatchObject({
        documentId: night,
        title: 'night',
      });
    },
  );

  it.each(['a/b', 'a:b', 'A b', '50%', 'ä', ''])('is found by the name "%s"', async (name) => {
    const { documentId } = await documentOf(client.create('/api/shelves', { name }));
    const path = `/api/shelves/name:${encodeURIComponent(name)}`;
    expect(await documentOf(client.get(path))).toMatchObject({ documentId, name });
  });

  it('is found in the locale and the version of the request', async () => {
    expect(await documentOf(client.get('/api/books/slug:nuit?locale=fr'))).toMatchObject({ documentId: night });
    expect((await client.get('/api/books/slug:nuit')).status).toBe(404);
    const draft = await book('dusk', {}, '?status=draft');
    expect(await documentOf(client.get('/api/books/slug:dusk?status=draft'))).toMatchObject({ documentId: draft });
    expect((await client.get('/api/books/slug:dusk')).status).toBe(404);
  });

  it('is found by a value that it has in several locales, which no other document has in any', async () => {
    const documentId = await book('same');
    await client.update(`/api/books/${documentId}?locale=fr`, { slug: 'same', title: 'le même' });
    const path = '/api/books/slug:same?filters[locale][$in][0]=en&filters[locale][$in][1]=fr';
    expect(await documentOf(client.get(path))).toMatchObject({ documentId, title: 'same' });
    expect(await documentOf(client.get(`${path}&sort=id:desc`))).toMatchObject({ documentId, title: 'le même' });
    const other = (await documentOf(client.create('/api/books?locale=fr&status=draft', { slug: 'same' }))).documentId;
    await client.update(`/api/books/${documentId}?status=draft`, { title: 'same' });
    expect((await client.get(`${path}&status=draft`)).status).toBe(404);
    await client.remove(`/api/books/${other}?locale=fr`);
  });

  it('has the parameters of one document, its errors too', async () => {
    const one = (end: string) => client.get(`/api/books/${end}?fields=slug&populate[sequel][fields]=title`);
    expect(await documentOf(one('slug:night'))).toEqual(await documentOf(one(night)));
    const { status, message } = await errorOf(client.get('/api/books/slug:night?populate=nothing'));
    expect([status, message]).toEqual([400, 'Invalid key nothing']);
  });

  it('has private attributes where they are asked for, which find nothing', async () => {
    const caller = asUser(id('find', 'findOne', 'readPrivate'));
    const shown = await documentOf(caller.get('/api/books/slug:night?private=true'));
    expect(shown.code).toBe('secret');
    expect((await caller.get('/api/books/code:secret?private=true')).status).toBe(404);
  });

  it('has an ETag that later requests and updates are compared with', async () => {
    const first = await client.get('/api/books/slug:night');
    const tag = first.headers.get('etag') ?? '';
    const send = serveRegistry(registry, { i18n });
    const held = (path: string) => send(path, { headers: { ...bearer('full').headers, 'if-none-match': tag } });
    expect((await held('/api/books/slug:night')).status).toBe(304);
    expect((await held('/api/books/slug:hidden')).status).toBe(200);
    const write = (match: string) =>
      send(`/api/books/${night}`, {
        method: 'PUT',
        headers: { ...bearer('full').headers, 'content-type': 'application/json', 'if-match': match },
        body: JSON.stringify({ data: { title: 'night' } }),
      });
    expect((await write(tag)).status).toBe(200);
    expect((await write(tag)).status).toBe(412);
    expect((await held('/api/books/slug:night')).status).toBe(200);
  });

  it('is read in one round trip, by one plan for all values', async () => {
    const { database, batches } = countedDatabase(env.DB);
    const counted = clientOf(serveRegistry(registry, { i18n }, { DB: database }), 'full');
    const shown = [];
    for (const slug of ['night', 'hidden', 'night', 'none']) {
      const { data } = await (await counted.get(`/api/books/slug:${slug}`)).json<{ data: { slug: string } | null }>();
      shown.push(data?.slug);
    }
    expect(shown).toEqual(['night', 'hidden', 'night', undefined]);
    expect(batches.filter((batch) => batch.some((sql) => sql.includes('"books"')))).toHaveLength(4);
  });
});

describe('404 is the response', () => {
  let unknown: unknown;
  beforeAll(async () => {
    unknown = await (await client.get('/api/books/unknown:night')).json();
  });

  it.each(['title:night', 'code:secret', 'slug:Night', 'slug:nothing', 'isbn:no number', 'sequel:1', 'id:1', 'slug:'])(
    'to %s, as to an attribute that does not exist',
    async (segment) => {
      const response = await client.get(`/api/books/${segment}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual(unknown);
    },
  );

  it('to a value that two documents have, until one is gone', async () => {
    const [first, second] = [await book('twin', {}, '?status=draft'), await book('twin', {}, '?status=draft')];
    expect((await client.get('/api/books/slug:twin?status=draft')).status).toBe(404);
    await client.remove(`/api/books/${first}`);
    const left = await documentOf(client.get('/api/books/slug:twin?status=draft'));
    expect(left.documentId).toBe(second);
  });

  it.each(['slug:night/history', 'slug:night/history/1', 'slug:night/more'])('to reads of %s', async (end) => {
    expect((await client.get(`/api/books/${end}`)).status).toBe(404);
  });

  it('for single types, and with the extensions off', async () => {
    expect((await client.get('/api/home/name:x')).status).toBe(404);
    const off = clientOf(serveRegistry(registry, { i18n, api: { rest: { extensions: false } } }), 'full');
    expect((await off.get('/api/books/slug:night')).status).toBe(404);
    expect((await off.update('/api/books/slug:night', { title: 'x' })).status).toBe(404);
  });
});

describe('a write', () => {
  it.each(['PUT', 'POST', 'DELETE', 'PATCH'])('by %s is rejected with 405', async (method) => {
    const response = await serveRegistry(registry)('/api/books/slug:night', { method, ...bearer('full') });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
  });

  it('of a batch is rejected by name', async () => {
    const requests = [{ method: 'PUT', path: '/api/books/slug:night', body: { data: { title: 'x' } } }];
    const { message } = await errorOf(post(serveRegistry(registry), '/api/batch', { requests }, 'full'));
    expect(message).toContain('"/api/books/slug:night"');
  });

  it('behind it changes nothing', async () => {
    const path = '/api/books/slug:night/actions/unpublish';
    expect((await post(serveRegistry(registry), path, {}, 'full')).status).toBe(404);
    expect((await client.get(`/api/books/${night}`)).status).toBe(200);
  });
});

describe('a caller', () => {
  it('needs the grants of both reads', async () => {
    expect((await asUser(id('findOne')).get('/api/books/slug:night')).status).toBe(403);
    expect((await asUser(id('find')).get('/api/books/slug:night')).status).toBe(403);
    expect((await asUser(id('find', 'findOne')).get('/api/books/slug:night')).status).toBe(200);
  });

  it.each(['find', 'findOne'])('sees only what the conditions of %s let through', async (limited) => {
    const other = limited === 'find' ? 'findOne' : 'find';
    const caller = asUser([{ action: id(limited), where: { slug: { $ne: 'hidden' } } }, ...id(other)]);
    expect((await caller.get('/api/books/slug:night')).status).toBe(200);
    expect((await caller.get('/api/books/slug:hidden')).status).toBe(404);
  });

  it.each(['find', 'findOne'])(
    'who may not see the attribute by %s gets the 404 of an unknown one',
    async (limited) => {
      const other = limited === 'find' ? 'findOne' : 'find';
      const caller = asUser([{ action: id(limited), fields: ['title'] }, ...id(other)]);
      const bodies = ['slug:night', 'slug:nothing', 'unknown:night'].map(async (end) => {
        const response = await caller.get(`/api/books/${end}`);
        return [response.status, await response.json(), response.headers.get('etag')];
      });
      const [night, ...others] = await Promise.all(bodies);
      expect(night?.[0]).toBe(404);
      for (const other of others) expect(other).toEqual(night);
    },
  );

  it('finds the one of two documents that it may see', async () => {
    const mine = await book('pair', { title: 'mine' }, '?status=draft');
    await book('pair', { title: 'other' }, '?status=draft');
    const caller = asUser([{ action: id('find', 'findOne'), where: { title: 'mine' } }, ...id('readDrafts')]);
    const found = await documentOf(caller.get('/api/books/slug:pair?status=draft'));
    expect(found.documentId).toBe(mine);
    expect((await asUser(id('find', 'findOne')).get('/api/books/slug:pair?status=draft')).status).toBe(403);
  });
});
