/**
 * @module The requests that the client sends, and what it makes of their responses.
 */
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  BadRequestError,
  ConflictError,
  createClient,
  ForbiddenError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  UnauthorizedError,
  UnavailableError,
} from '../../../client/index.ts';
import type { ClientOptions } from '../../../client/request.ts';
import type { ContentTypes } from '../../../types/content-types.d.ts';

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
}

const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);
const ok = () => json({ data: { documentId: 'a' }, meta: {} }, { headers: { ETag: 'W/"1"' } });

/** A client whose requests get these responses in turn, the last one again and again. */
function clientOf(responses: readonly (() => Response)[] = [ok], options: Partial<ClientOptions> = {}) {
  const asked: Asked[] = [];
  const client = createClient<ContentTypes>({
    url: 'https://api.example.com/',
    fetch: async (url, init) => {
      const respond = responses[Math.min(asked.length, responses.length - 1)];
      asked.push({ url, init });
      return (respond ?? ok)();
    },
    ...options,
  });
  const last = () => {
    const { url, init } = asked.at(-1) ?? { url: '', init: {} };
    return `${init.method} ${url.replace('https://api.example.com', '')} ${init.body ?? ''}`.trim();
  };
  const headers = () => Object.fromEntries(new Headers(asked.at(-1)?.init.headers));
  return { client, asked, last, headers };
}

const error =
  (status: number, more: object = {}, init: ResponseInit = {}) =>
  () =>
    json({ data: null, error: { status, name: 'SomeError', message: 'no', ...more } }, { status, ...init });

type Demo = ReturnType<typeof clientOf>['client'];

describe('the client', () => {
  it.each<[string, (client: Demo) => unknown]>([
    ['GET /api/articles', (client) => client.articles.find()],
    [
      'GET /api/articles?filters[slug]=x&fields[0]=title',
      ({ articles }) => articles.find({ filters: { slug: 'x' }, fields: ['title'] }),
    ],
    ['GET /api/articles/a', (client) => client.articles.findOne('a')],
    ['GET /api/articles/slug:a%2Fb', (client) => client.articles.findOne({ slug: 'a/b' })],
    ['GET /api/articles/a%2Fb', (client) => client.articles.findOne('a/b')],
    [
      'POST /api/articles?status=draft {"data":{"title":"x"}}',
      ({ articles }) => articles.create({ title: 'x' }, { status: 'draft' }),
    ],
    ['PUT /api/articles/a {"data":{"title":"x"}}', ({ articles }) => articles.update('a', { title: 'x' })],
    ['DELETE /api/articles/a?locale=%2A', ({ articles }) => articles.delete('a', { locale: '*' })],
    [
      'POST /api/articles/a/actions/publish?fields[0]=title {"data":{}}',
      ({ articles }) => articles.publish('a', { fields: ['title'] }),
    ],
    [
      'POST /api/articles/a/actions/unpublish {"data":{"at":"1970-01-01T00:00:00.000Z"}}',
      ({ articles }) => articles.unpublish('a', { at: new Date(0) }),
    ],
    ['POST /api/articles/a/actions/discard-draft {"data":{}}', ({ articles }) => articles.discardDraft('a')],
    [
      'POST /api/articles/a/actions/restore {"data":{"revision":"r"}}',
      ({ articles }) => articles.restore('a', { revision: 'r' }),
    ],
    [
      'POST /api/articles/a/actions/preview-link?locale=en {"data":{"expiresIn":"30m"}}',
      ({ articles }) => articles.previewLink('a', { expiresIn: '30m', locale: 'en' }),
    ],
    [
      'GET /api/articles/a/history?pagination[limit]=2',
      ({ articles }) => articles.history('a', { pagination: { limit: 2 } }),
    ],
    [
      'GET /api/articles/a/history/r?fields[0]=title',
      ({ articles }) => articles.version('a', { revision: 'r', fields: ['title'] }),
    ],
    ['GET /api/homepage?populate[seo]=true', (client) => client.homepage.find({ populate: { seo: true } })],
    ['PUT /api/homepage {"data":{"headline":"x"}}', (client) => client.homepage.update({ headline: 'x' })],
    ['DELETE /api/homepage', (client) => client.homepage.delete()],
    ['GET /api/homepage/history', (client) => client.homepage.history()],
    [
      'POST /api/homepage/actions/restore {"data":{"revision":"r"}}',
      (client) => client.homepage.restore({ revision: 'r' }),
    ],
    ['GET /api/articles', (client) => client.$type('articles').find()],
    [
      'POST /api/auth/local {"identifier":"a","password":"b"}',
      ({ $auth }) => $auth.local({ identifier: 'a', password: 'b' }),
    ],
    ['POST /api/auth/refresh {}', ({ $auth }) => $auth.refresh()],
    ['GET /api/users/me?populate[0]=role', ({ $users }) => $users.me({ populate: ['role'] as never })],
    ['PUT /api/users/7 {"blocked":true}', ({ $users }) => $users.update(7, { blocked: true })],
    ['GET /api/ratings?by=format', (client) => client.$fetch('/api/ratings', { query: { by: 'format' } })],
  ])('sends %s', async (request, run) => {
    const { client, last } = clientOf();
    await run(client);
    expect(last()).toBe(request);
  });

  it('returns data, meta and the strong tag of a response, and null for a deletion', async () => {
    const { client } = clientOf([ok, () => new Response(null, { status: 204 })]);
    expect(await client.articles.findOne('a')).toEqual({ data: { documentId: 'a' }, meta: {}, etag: '"1"' });
    expect(await client.articles.delete('a')).toBeNull();
  });

  it('is no promise, and has no members that begin with $ but its own', async () => {
    const { client } = clientOf();
    expect(await client).toBe(client);
    expect((client as unknown as Record<string, unknown>).$nothing).toBeUndefined();
    expect((client as unknown as Record<string, unknown>).constructor).toHaveProperty('find');
  });

  it.each(['', '.', '..'])('rejects the documentId "%s", which would be another path', (documentId) => {
    const { client, asked } = clientOf();
    expect(() => client.articles.delete(documentId)).toThrow(`"${documentId}" is no documentId`);
    expect(() => client.$users.delete(documentId)).toThrow(`"${documentId}" is no documentId`);
    expect(asked).toEqual([]);
  });

  it('rejects filters and unique values that are missing', async () => {
    const { client, asked } = clientOf();
    const slug = undefined as unknown as string;
    await expect(client.articles.find({ filters: { slug } })).rejects.toThrow('filters.slug has no value');
    expect(() => client.articles.findOne({ slug })).toThrow('slug has no value');
    expect(asked).toEqual([]);
  });

  it('sends the token of each request, its own headers and those of the request', async () => {
    let token = 'one';
    const { client, headers } = clientOf([ok], { token: () => Promise.resolve(token), headers: { A: '1', B: '1' } });
    await client.articles.find({ headers: { B: '2' } });
    expect(headers()).toEqual({ authorization: 'Bearer one', a: '1', b: '2' });
    token = '';
    await client.articles.find();
    expect(headers()).toEqual({ a: '1', b: '1' });
  });

  it.each(['Authorization', 'authorization'])('sends %s of a request in place of its token', async (name) => {
    const { client, headers } = clientOf([ok], { token: 'one', headers: { B: '1' } });
    await client.articles.find({ headers: { [name]: 'Bearer two', b: '2' } });
    expect(headers()).toEqual({ authorization: 'Bearer two', b: '2' });
  });

  it('sends conditions and keys as headers, with further options of fetch', async () => {
    const { client, headers, asked } = clientOf();
    await client.articles.update('a', {}, { ifMatch: '"1"' });
    expect(headers()).toEqual({ 'content-type': 'application/json', 'if-match': '"1"' });
    await client.homepage.update({}, { ifNoneMatch: '*' });
    expect(headers()).toMatchObject({ 'if-none-match': '*' });
    await client.categories.create({ name: 'x', slug: 'x' }, { idempotencyKey: 'k' });
    expect(headers()).toMatchObject({ 'idempotency-key': 'k' });
    await client.articles.find({ init: { cache: 'no-store' } });
    expect(asked.at(-1)?.init).toMatchObject({ cache: 'no-store', method: 'GET' });
    expect(asked.at(-1)?.url).not.toContain('cache');
  });

  it.each(['ifMatch', 'ifNoneMatch', 'idempotencyKey'])('rejects %s without a value', async (name) => {
    const { client, asked } = clientOf();
    await expect(client.articles.update('a', {}, { [name]: undefined } as object)).rejects.toThrow(
      `${name} has no value`,
    );
    expect(asked).toEqual([]);
  });

  it.each([undefined, null, ''])('schedules nothing at %j, and does nothing at once', (at) => {
    const { client, asked } = clientOf();
    expect(() => client.articles.publish('a', { at } as object)).toThrow('at has no value');
    expect(asked).toEqual([]);
  });
});

describe('an error', () => {
  it.each([
    [400, BadRequestError],
    [401, UnauthorizedError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [412, PreconditionFailedError],
    [422, ConflictError],
    [429, RateLimitError],
    [503, UnavailableError],
    [500, ApiError],
  ])('%s is a class, with name, message and details', async (status, Class) => {
    const { client } = clientOf([error(status, { details: { key: 'x' } })], { retries: 0 });
    const thrown = await client.articles.find().catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(Class);
    expect((thrown as object).constructor).toBe(Class);
    expect(thrown).toMatchObject({ status, name: 'SomeError', message: 'no', details: { key: 'x' } });
  });

  it('has the text of a response that is no JSON', async () => {
    const { client } = clientOf([() => new Response('Method Not Allowed', { status: 405 })]);
    await expect(client.articles.find()).rejects.toMatchObject({
      status: 405,
      name: 'ApiError',
      message: 'Method Not Allowed',
      details: {},
    });
  });

  it('412 has the tag that would match', async () => {
    const { client } = clientOf([error(412, {}, { headers: { ETag: '"2"' } })]);
    await expect(client.articles.update('a', {}, { ifMatch: '"1"' })).rejects.toMatchObject({ etag: '"2"' });
  });
});

describe('a read', () => {
  const now = { headers: { 'Retry-After': '0' } };
  const broken = () => {
    throw new TypeError('fetch failed');
  };

  it.each([
    ['429', error(429, {}, now)],
    ['503', error(503, {}, now)],
    ['a broken connection', broken],
  ])('is repeated after %s, twice at most', async (_, failure) => {
    const { client, asked } = clientOf([failure, failure, ok]);
    expect((await client.articles.findOne('a')).data.documentId).toBe('a');
    expect(asked).toHaveLength(3);
    const hopeless = clientOf([failure]);
    await expect(hopeless.client.articles.find()).rejects.toThrow();
    expect(hopeless.asked).toHaveLength(3);
  });

  it.each([
    ['500', error(500)],
    ['a long Retry-After', error(429, {}, { headers: { 'Retry-After': '60' } })],
  ])('is not repeated after %s', async (_, failure) => {
    const { client, asked } = clientOf([failure, ok]);
    await expect(client.articles.find()).rejects.toBeInstanceOf(ApiError);
    expect(asked).toHaveLength(1);
  });

  it('is not repeated once it is aborted', async () => {
    const controller = new AbortController();
    const failure = error(503, {}, { headers: { 'Retry-After': '20' } });
    const { client, asked } = clientOf([failure]);
    const read = client.articles.find({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 10);
    await expect(read).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
  });

  it('leaves no listener on its signal', async () => {
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    signal.addEventListener = (_: string, listener: unknown) => void listeners.add(listener);
    signal.removeEventListener = (_: string, listener: unknown) => void listeners.delete(listener);
    const { client, asked } = clientOf([error(503, {}, now), ok]);
    await client.articles.find({ signal });
    expect([asked.length, listeners.size]).toEqual([2, 0]);
  });

  it('page by page follows cursors to the end', async () => {
    const page = (id: string, next: string | null) => () =>
      json({ data: [{ documentId: id }], meta: { pagination: { limit: 1, next } } });
    const { client, asked } = clientOf([page('a', 'c1'), page('b', null)]);
    const ids: string[] = [];
    for await (const { documentId } of client.articles.each({ sort: 'title', pagination: { limit: 1 } }))
      ids.push(documentId);
    expect(ids).toEqual(['a', 'b']);
    expect(asked.map(({ url }) => url.split('?')[1])).toEqual([
      'sort=title&pagination[limit]=1&pagination[after]=',
      'sort=title&pagination[limit]=1&pagination[after]=c1',
    ]);
  });

  it('page by page rejects an API without cursors', async () => {
    const { client, asked } = clientOf([
      () => json({ data: [{ documentId: 'a' }], meta: { pagination: { page: 1 } } }),
    ]);
    const read = async () => {
      for await (const { documentId } of client.articles.each()) if (asked.length > 2) return documentId;
    };
    await expect(read()).rejects.toThrow('The response has no meta.pagination.next: the API has no cursors');
    expect(asked).toHaveLength(1);
  });
});

describe('a write', () => {
  it.each([
    ['429', error(429, {}, { headers: { 'Retry-After': '0' } })],
    ['503', error(503, {}, { headers: { 'Retry-After': '0' } })],
  ])('is never repeated, after %s', async (_, failure) => {
    const { client, asked } = clientOf([failure, ok]);
    await expect(client.articles.update('a', {}, {})).rejects.toBeInstanceOf(ApiError);
    expect(asked).toHaveLength(1);
  });
});

describe('a batch', () => {
  it('records requests with references, and returns the documents that are asked for', async () => {
    const data = [
      { status: 200, body: { data: { documentId: 'n' }, meta: {} } },
      { status: 200, body: { data: { documentId: 'a', title: 'x' }, meta: {} } },
      { status: 204, body: null },
    ];
    const { client, asked, headers } = clientOf([() => json({ data })]);
    const [article, gone] = await client.$batch(
      (batch) => {
        const author = batch.authors.create({ name: 'Ines', slug: 'ines' });
        const written = batch.articles.update('a', { author }, { fields: ['title'], ifMatch: '"1"' });
        return [written, batch.$type('homepage').delete()];
      },
      { idempotencyKey: 'k' },
    );
    expect([article.title, gone]).toEqual(['x', null]);
    expect(headers()).toMatchObject({ 'idempotency-key': 'k' });
    expect(JSON.parse(String(asked[0]?.init.body))).toEqual({
      requests: [
        { method: 'POST', path: '/api/authors', body: { data: { name: 'Ines', slug: 'ines' } } },
        {
          method: 'PUT',
          path: '/api/articles/a?fields[0]=title',
          ifMatch: '"1"',
          body: { data: { author: '$ref:0' } },
        },
        { method: 'DELETE', path: '/api/homepage' },
      ],
    });
  });

  it.each(['ifMatch', 'ifNoneMatch'])('rejects %s without a value', async (name) => {
    const { client, asked } = clientOf();
    const send = () => client.$batch((batch) => [batch.articles.update('a', {}, { [name]: undefined } as object)]);
    await expect(send()).rejects.toThrow(`${name} has no value`);
    expect(asked).toEqual([]);
  });

  it('without requests sends none', async () => {
    const { client, asked } = clientOf();
    expect(await client.$batch(() => [])).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe('an upload', () => {
  it('is a form: what is said of the files before the files', async () => {
    const { client, asked, headers } = clientOf([() => json([{ id: 1 }])]);
    const file = new File(['x'], 'a.txt');
    await client.$upload([file], {
      fileInfo: { caption: 'c' },
      ref: 'api::article.article',
      refId: 'a',
      field: 'cover',
    });
    const form = asked[0]?.init.body as FormData;
    expect([...form.keys()]).toEqual(['fileInfo', 'ref', 'refId', 'field', 'files']);
    expect(form.get('fileInfo')).toBe('{"caption":"c"}');
    expect(headers()).toEqual({});
  });
});
