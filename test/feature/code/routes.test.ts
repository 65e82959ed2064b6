/**
 * @module Routes of the project, and the documents that they read and write.
 */
import { env } from 'cloudflare:workers';
import type { Handler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApplicationError, ForbiddenError, NotFoundError } from '../../../src/common/errors.ts';
import type { AnyExtensions, Extensions } from '../../../src/features/own-code/extension-types.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { serveRegistry } from '../../support/app.ts';
import { errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';
import type { CollectionType } from './generated-types.ts';

const registry = registryOf([
  contentType(
    'article',
    {
      title: { type: 'string', required: true },
      rating: { type: 'integer' },
      author: relation('manyToOne', 'author'),
    },
    { drafts: true },
  ),
  contentType('author', { name: { type: 'string' } }),
  contentType('imprint', { name: { type: 'string' } }, { single: true }),
]);

const ARTICLE = 'api::article.article';
const AUTHOR = 'api::author.author';

interface Author {
  id: number;
  documentId: string;
  name: string | null;
}

interface Article {
  id: number;
  documentId: string;
  title: string;
  rating: number | null;
  author?: Author | null;
  publishedAt: string | null;
}

/** As `generate` would write them. */
interface Types {
  articles: CollectionType<'api::article.article', Article, Pick<Article, 'title' | 'rating'>>;
  authors: CollectionType<'api::author.author', Author, Author>;
  imprint: {
    uid: 'api::imprint.imprint';
    kind: 'singleType';
    document: Author;
    draft: Author;
    create: never;
    update: Partial<Author>;
  };
}

const routes: Extensions<Types>['routes'] = (app) => {
  app.get('/api/articles/:title/related', async (c) => {
    const filters = { title: c.req.param('title') };
    return c.json(await c.var.documents(ARTICLE).find({ filters, populate: { author: true } }));
  });
  app.get('/api/rated/:least', async (c) => {
    const filters = { rating: { $gte: Number(c.req.param('least')) } };
    return c.json(await c.var.documents(ARTICLE).find({ filters, sort: 'title', pagination: { limit: 1 } }));
  });
  app.get('/api/undefined', async (c) =>
    c.json(await c.var.documents(ARTICLE).find({ filters: { title: c.req.query('title') as string } })),
  );
  app.get('/api/no-alternative', async (c) => c.json(await c.var.documents(ARTICLE).find({ filters: { $or: [] } })));
  app.get('/api/found/:id', async (c) => {
    const found = c.var.documents(ARTICLE).findOne(c.req.param('id'));
    return c.json(await found.then(() => true).catch((error) => error instanceof NotFoundError && 'not found'));
  });
  app.get('/api/each-by-id', async (c) => {
    const articles = c.var.documents.asSystem(ARTICLE);
    const titles: string[] = [];
    for (const { documentId } of (await articles.find({ sort: 'title' })).data)
      titles.push((await articles.findOne(documentId)).data.title);
    return c.json(titles);
  });
  app.get('/api/of/:uid', (c) => c.json(Object.keys(c.var.documents.asSystem(c.req.param('uid') as never))));
  app.get('/api/all-authors', async (c) => c.json(await c.var.documents.asSystem(AUTHOR).find()));
  app.get('/api/my-authors', async (c) => c.json(await c.var.documents(AUTHOR).find()));
  app.post('/api/life', async (c) => {
    const articles = c.var.documents(ARTICLE);
    const { data } = await articles.create({ data: { title: 'A', rating: 1 }, status: 'draft' });
    const { documentId } = data;
    await articles.update(documentId, { data: { rating: 2 }, status: 'draft' });
    const published = await articles.publish(documentId);
    await articles.update(documentId, { data: { rating: 3 }, status: 'draft' });
    const discarded = await articles.discardDraft(documentId);
    const unpublished = await articles.unpublish(documentId);
    const found = await articles.findOne(documentId, { status: 'draft' });
    await articles.delete(documentId);
    return c.json([
      published.data,
      discarded.data,
      unpublished.data,
      found.data,
      (await articles.find({ sort: 'title' })).data,
    ]);
  });
  app.put('/api/my-imprint', async (c) => {
    const imprint = c.var.documents('api::imprint.imprint');
    await imprint.update({ data: { name: 'x' } });
    return c.json(await imprint.find());
  });
  app.delete('/api/nothing', async (c) => {
    await c.var.documents(ARTICLE).delete(c.req.query('id') as string);
    return c.json({});
  });
  app.get('/api/who', async (c) => {
    const { kind, userId, allows } = await c.var.caller();
    return c.json({ kind, userId, writes: allows(`${ARTICLE}.create`) });
  });
  app.get('/api/fails/:how', (c) => {
    const how = c.req.param('how');
    if (how === 'Application') throw new ApplicationError('Too many seats', { seats: 9 });
    if (how === 'Forbidden') throw new ForbiddenError();
    if (how === 'Http') throw new HTTPException(409, { message: 'Taken' });
    if (how === 'Response') throw new HTTPException(401, { res: c.text('Who are you?', 401, { 'x-own': 'yes' }) });
    if (how === 'text') throw 'a text';
    if (how === 'missing') return c.notFound();
    throw Object.assign(new Error('a secret'), how === 'foreign' && { status: 404 });
  });
  app.get('/pages/Case/:Name', (c) => c.html(`<p>${c.req.param('Name')}</p>`));
  app.get('/kept', (c) => c.text('kept', 200, { 'cache-control': 'public, max-age=60' }));
  // It never ends.
  app.get('/api/stream', (c) =>
    c.body(new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode('first')) })),
  );
  app.on(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], '/all-but-one', (c) => c.text(c.req.method));
  app.post('/echo', async (c) => c.json(await c.req.json()));
  app.get('/from-elsewhere', () => Response.redirect('https://example.com/', 302));
};

const counted = countedDatabase(env.DB);
const settings = {
  roles: { public: [`${ARTICLE}.find`] },
  cors: { origins: ['https://site.example'] },
  api: { rest: { limits: { bodyBytes: 1000 } } },
};
const { send } = openWorld(registry, settings, { DB: counted.database }, { extensions: { routes } as AnyExtensions });
const ask = async (path: string, init?: RequestInit) => {
  const response = await send(path, init);
  return { status: response.status, body: await response.json() };
};

beforeAll(async () => {
  await createToken('reader', 'custom', [`${ARTICLE}.find`]);
  await createToken('newcomer', 'custom', [`${ARTICLE}.find`]);
  for (const [title, rating] of [
    ['One', 1],
    ['Two', 5],
  ] as const)
    await send('/api/articles', sendJson('POST', 'full', { data: { title, rating, author: null } }));
  const { data } = (await ask('/api/authors', sendJson('POST', 'full', { data: { name: 'Ann' } }))).body as {
    data: { documentId: string };
  };
  const { data: articles } = (await ask('/api/articles', bearer('full'))).body as { data: { documentId: string }[] };
  await send(
    `/api/articles/${articles[0]?.documentId}`,
    sendJson('PUT', 'full', { data: { author: data.documentId } }),
  );
});

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue();
  counted.batches.length = 0;
});

afterEach(() => {
  vi.restoreAllMocks();
});

const titles = ({ body }: { body: unknown }) => (body as { data: { title: string }[] }).data.map(({ title }) => title);

describe('documents of a route', () => {
  it('are found by objects with numbers in place of a query string, in one round trip', async () => {
    expect(titles(await ask('/api/rated/3'))).toEqual(['Two']);
    expect(counted.batches.length).toBe(1);
    expect(titles(await ask('/api/rated/0'))).toEqual(['One']);
    expect(titles(await ask('/api/rated/3', bearer('full')))).toEqual(['Two']);
  });

  it('are shown to each caller by the grants of that caller, also from the cache', async () => {
    const authorIn = async (init?: RequestInit) =>
      ((await ask('/api/articles/One/related', init)).body as { data: { author?: object }[] }).data[0]?.author;
    for (const _ of [1, 2]) {
      expect(await authorIn(bearer('full'))).toMatchObject({ name: 'Ann' });
      expect(await authorIn()).toBeUndefined();
      expect(await authorIn(bearer('reader'))).toBeUndefined();
    }
    await expect(ask('/api/my-authors')).resolves.toMatchObject({ status: 403 });
    await expect(ask('/api/all-authors')).resolves.toMatchObject({ status: 200, body: { data: [{ name: 'Ann' }] } });
    await expect(ask('/api/my-authors')).resolves.toMatchObject({ status: 403 });
    await expect(ask('/api/my-authors', bearer('reader'))).resolves.toMatchObject({ status: 403 });
    await expect(ask('/api/my-authors', bearer('full'))).resolves.toMatchObject({ status: 200 });
  });

  it('are never selected by a value that is undefined, or by no alternative', async () => {
    await expect(ask('/api/undefined')).resolves.toMatchObject({ status: 500 });
    await expect(ask('/api/no-alternative')).resolves.toMatchObject({ status: 500 });
    expect(counted.batches).toEqual([]);
    await expect(ask('/api/nothing', { method: 'DELETE', ...bearer('full') })).resolves.toMatchObject({ status: 500 });
    expect(counted.batches).toEqual([]);
    expect(titles(await ask('/api/undefined?title=Two'))).toEqual(['Two']);
  });

  it('are created, changed, published, unpublished and deleted', async () => {
    const { body } = await ask('/api/life', { method: 'POST', ...bearer('full') });
    expect(body).toMatchObject([
      { rating: 2, publishedAt: expect.any(String) },
      { rating: 2, publishedAt: null },
      { rating: 2, publishedAt: null },
      { title: 'A', rating: 2, publishedAt: null },
      [{ title: 'One' }, { title: 'Two' }],
    ]);
    await expect(ask('/api/my-imprint', { method: 'PUT', ...bearer('full') })).resolves.toMatchObject({
      body: { data: { name: 'x' } },
    });
  });

  it('are each found by its documentId, also from the cache', async () => {
    for (const _ of [1, 2]) expect((await ask('/api/each-by-id')).body).toEqual(['One', 'Two']);
  });

  it.each(['plugin::users-permissions.user', 'api::nope.nope'])('are not those of %s', async (uid) => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    await expect(ask(`/api/of/${uid}`)).resolves.toMatchObject({ status: 500 });
    expect(log.mock.calls.join()).toContain(`There is no content type \\"${uid}\\"`);
  });

  it('fail with an error that a route may catch', async () => {
    const { body } = await ask('/api/found/zz', bearer('full'));
    expect(body).toBe('not found');
    expect((await ask('/api/found/zz')).body).toBe(false);
  });
});

describe('a route', () => {
  it('knows a caller whose credential was confirmed', async () => {
    await expect(ask('/api/who')).resolves.toEqual({ status: 200, body: { kind: 'public', writes: false } });
    expect(counted.batches).toEqual([]);
    await expect(ask('/api/who', bearer('full'))).resolves.toMatchObject({ body: { kind: 'token', writes: true } });
    await expect(ask('/api/who', bearer('reader'))).resolves.toMatchObject({ body: { kind: 'token', writes: false } });
    // Seen for the first time.
    await expect(ask('/api/who', bearer('newcomer'))).resolves.toMatchObject({
      body: { kind: 'token', writes: false },
    });
    await expect(ask('/api/who', bearer('made-up'))).resolves.toMatchObject({ status: 401 });
    const account = { username: 'ann', email: 'ann@example.com', password: 'secret-1' };
    const registered = await ask('/api/auth/local/register', sendJson('POST', '', account));
    const { jwt, user } = registered.body as { jwt: string; user: { id: number } };
    const known = { kind: 'user', userId: user.id, writes: false };
    await expect(ask('/api/who', bearer(jwt))).resolves.toEqual({ status: 200, body: known });
    await env.DB.exec('delete from up_users');
    await expect(ask('/api/who', bearer(jwt))).resolves.toMatchObject({ status: 401 });
  });

  it('has the shape of errors', async () => {
    const failure = (how: string) => errorOf(send(`/api/fails/${how}`));
    await expect(failure('Application')).resolves.toMatchObject({
      status: 400,
      name: 'ApplicationError',
      message: 'Too many seats',
      details: { seats: 9 },
    });
    await expect(failure('Forbidden')).resolves.toMatchObject({ status: 403, name: 'ForbiddenError', details: {} });
    await expect(failure('Http')).resolves.toEqual({ status: 409, name: 'Error', message: 'Taken' });
    const own = await send('/api/fails/Response');
    expect([own.status, own.headers.get('x-own'), await own.text()]).toEqual([401, 'yes', 'Who are you?']);
    await expect(failure('missing')).resolves.toMatchObject({ status: 404, name: 'NotFoundError' });
    for (const how of ['text', 'other', 'foreign']) {
      const response = await send(`/api/fails/${how}`);
      expect(response.status).toBe(500);
      expect(await response.text()).toBe(
        '{"data":null,"error":{"status":500,"name":"InternalServerError","message":"Internal Server Error"}}',
      );
    }
  });

  it('keeps the case of its path, and has the headers of every response', async () => {
    const response = await send('/pages/Case/Ann%20B/', { headers: { origin: 'https://site.example' } });
    expect(await response.text()).toBe('<p>Ann B</p>');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': 'https://site.example',
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=UTF-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect((await send('/pages/case/Ann')).status).toBe(404);
    const elsewhere = await send('/from-elsewhere', { redirect: 'manual' });
    expect(elsewhere.headers.get('location')).toBe('https://example.com/');
    expect(elsewhere.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await send('/kept')).headers.get('cache-control')).toBe('public, max-age=60');
    expect((await send('/kept', { method: 'HEAD' })).status).toBe(200);
  });

  it('may stream', async () => {
    const reader = (await send('/api/stream')).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
    await reader?.cancel();
  });

  it('has the limits of bodies, and rejects other methods', async () => {
    await expect(ask('/echo', sendJson('POST', 'full', { a: 1 }))).resolves.toEqual({ status: 200, body: { a: 1 } });
    await expect(ask('/echo', sendJson('POST', 'full', { a: 'x'.repeat(2000) }))).resolves.toMatchObject({
      status: 413,
    });
    const malformed = { method: 'POST', body: '{"a":' };
    await expect(errorOf(send('/echo', malformed))).resolves.toMatchObject({ status: 400, name: 'SyntaxError' });
    expect((await send('/echo', { method: 'PUT' })).status).toBe(405);
    expect((await send('/echo', { method: 'PUT' })).headers.get('allow')).toBe('POST');
    const all = await send('/all-but-one', { method: 'POST' });
    expect([all.status, all.headers.get('allow')]).toEqual([405, 'HEAD, GET, PUT, PATCH, DELETE, OPTIONS']);
    expect(await (await send('/all-but-one', { method: 'OPTIONS' })).text()).toBe('OPTIONS');
    expect((await send('/echo')).status).toBe(404);
    expect((await send('/other')).status).toBe(404);
  });
});

describe('a route that Edgewise serves', () => {
  const serving = (path: string, method: 'get' | 'all' | 'use' = 'get', settings: SettingsInput = {}) =>
    serveRegistry(registry, settings, {}, undefined, {
      routes: (app) => {
        const handler: Handler = (c) => c.text('mine');
        if (method === 'use') app.use(path, handler);
        else app[method](path, handler);
      },
    });

  it.each([
    ['/api/articles', '/api/articles'],
    ['/api/Articles/', '/api/articles'],
    ['/api//articles', '/api/articles'],
    ['/api/articles/*', '/api/articles'],
    ['/api/articles/latest', '/api/articles/:documentId'],
    ['/api/*/latest', '/api/articles/:documentId'],
    ['/api/articles/:id/actions/publish', '/api/articles/:documentId/actions/publish'],
    ['/api/imprint/actions/:action', '/api/imprint/actions/publish'],
    ['/api/:anything', '/api/articles'],
    ['/api/:type/:id', '/api/articles/:documentId'],
    ['/api/:type?', '/api/articles'],
    ['/:first/articles', '/api/articles'],
    ['/api/users/mine', '/api/users/:id'],
    ['/api/auth/local', '/api/auth/local'],
    ['/api/upload/files/:id', '/api/upload/files/page'],
    ['/api/batch', '/api/batch'],
    ['/api/scheduled', '/api/scheduled'],
    ['/api/i18n/:x', '/api/i18n/locales'],
    ['/api/content-type-builder/*', '/api/content-type-builder/content-types'],
    ['/uploads/logo.png', '/uploads/:key'],
    ['/openapi.json', '/openapi.json'],
    ['/_health', '/_health'],
    ['/favicon.ico', '/favicon.ico'],
    ['/', '/'],
    ['*', '/api/articles'],
  ])('is refused by name: %s', (path, other) => {
    const name = path === '*' ? '/*' : path;
    expect(() => serving(path)).toThrow(`The route GET ${name} shadows ${other}, which Edgewise serves`);
  });

  it.each([
    ['/api/articles/:slug/history', '/api/articles/:documentId/history'],
    ['/api/articles/:slug/history/latest', '/api/articles/:documentId/history/:revision'],
    ['/api/imprint/history', '/api/imprint/history'],
    ['/api/imprint/:part', '/api/imprint/history'],
    ['/api/history', '/api/history'],
  ])('is refused by name while the history is on, and free without it: %s', async (path, other) => {
    const message = `The route GET ${path} shadows ${other}, which Edgewise serves`;
    expect(() => serving(path, 'get', { history: true })).toThrow(message);
    expect(await (await serving(path)(path.replace(/:\w+/, 'x'))).text()).toBe('mine');
  });

  it('is refused for any method, and for middleware', () => {
    expect(() => serving('/_health', 'all')).toThrow('The route ALL /_health shadows');
    expect(() => serving('/api/*', 'use')).toThrow('The route ALL /api/* shadows');
  });

  it.each([
    '/api/article',
    '/api/articles/:slug/related',
    '/api/articles/:id/actions/approve',
    '/api/imprint/:part',
    '/api/users/:id/posts',
    '/about',
    '/shop/*',
  ])('is not %s', async (path) => {
    const served = serving(path);
    const response = await served(path.replace(/:\w+/, 'x').replace('*', 'y/z'));
    expect(await response.text()).toBe('mine');
  });
});
