/**
 * @module Cached responses: none is returned when it is outdated, or lost when it is valid, whatever the request, and
 * they cost next to nothing.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createToken } from '../../support/recorded.ts';
import { formOf, postForm, TEXT, uploaded } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';
import { createPopulatedWorld, type Names } from './populated-world.ts';

const PUBLIC = ['article', 'author', 'tag'].map((name) => `api::${name}.${name}.find`);
const { client: writer, send, serve } = openMagazine({ roles: { public: PUBLIC } });
let world: Names;

beforeAll(async () => {
  await createToken('reader', 'read-only');
  world = await createPopulatedWorld(writer);
});

const POPULATED =
  '/api/articles?populate[author]=true&populate[tags]=true&populate[cover]=true&populate[seo][populate]=shareImage';

it.each<[string, () => string, RequestInit?]>([
  ['a list with four populates', () => POPULATED],
  ['the same with a token', () => POPULATED, bearer('reader')],
  ['one document', () => `/api/articles/${world.first}?populate=*`, bearer('reader')],
  ['a list with a filter and its total', () => '/api/articles?filters[author][name]=Author&sort=title'],
])('a response that is known costs one round trip that reads next to nothing: %s', async (_, path, init) => {
  const { database, rowsRead, batches } = countedDatabase(env.DB);
  const own = serve({}, { DB: database });
  const costOf = async () => {
    rowsRead.clear();
    batches.length = 0;
    const response = await own(path(), init);
    const body = await response.text();
    const rows = [...rowsRead.values()].reduce((sum, each) => sum + each, 0);
    return { status: response.status, body, rows, trips: batches.length };
  };
  const first = await costOf();
  await costOf();
  const again = await costOf();
  expect(again).toMatchObject({ status: 200, body: first.body, trips: 1 });
  expect(again.rows).toBeLessThanOrEqual(8);
  expect(again.rows).toBeLessThan(first.rows);
});

it('a document has values, though HEAD of another was asked first', async () => {
  const own = serve();
  expect((await own(`/api/articles/${world.first}`, { ...bearer('reader'), method: 'HEAD' })).status).toBe(200);
  const second = await documentOf(clientOf(own, 'reader').get(`/api/articles/${world.second}`));
  expect(second).toMatchObject({ title: 'Second' });
});

const head = (path: string, held?: string | null): Promise<Response> =>
  send(path, { method: 'HEAD', headers: { authorization: 'Bearer full', ...(held && { 'if-none-match': held }) } });

it.each(['/api/tags', '/api/users', '/api/upload/files'])(
  'HEAD of %s has no tag, since it has no values to make one of',
  async (path) => {
    const answer = await head(path);
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
  },
);

it('HEAD is a 304 for a caller that holds the response to GET, until it changes', async () => {
  const held = (await serve()('/api/tags', bearer('full'))).headers.get('etag');
  expect((await head('/api/tags', held)).status).toBe(304);
  await documentOf(writer.update(`/api/tags/${world.tag}`, { name: 'Two' }));
  expect((await head('/api/tags', held)).status).toBe(200);
});

it('a query as long as the database accepts gets its response the second time, too', async () => {
  const filters = Array.from({ length: 65 }, (_, place) => `filters[$and][${place}]`);
  const path = `/api/articles?${filters.map((at) => `${at}[tags][articles][tags][articles][title][$ne]=x`).join('&')}`;
  const first = await writer.get(path);
  const held = first.headers.get('etag') ?? '';
  expect(first.status).toBe(200);
  expect((await writer.get(path)).status).toBe(200);
  const init = { headers: { authorization: 'Bearer full', 'if-none-match': held } };
  expect((await serve()(path, init)).status).toBe(304);
});

it('a response that is recomputed many times has the same limit each time', async () => {
  const [image] = await uploaded(postForm(send, formOf([TEXT])));
  const seo = { metaTitle: 'x'.repeat(50), shareImage: image?.id };
  const { documentId } = await documentOf(writer.create('/api/articles', { title: 'Weighed', seo }));
  const reader = clientOf(serve({ api: { rest: { limits: { answerBytes: 5_000 } } } }), 'full');
  const path = `/api/articles/${documentId}?populate[seo][populate]=shareImage`;
  for (let time = 0; time < 20; time += 1) {
    await documentOf(writer.update(`/api/articles/${documentId}`, { title: `Weighed ${time}` }));
    expect(await documentOf(reader.get(path))).toMatchObject({ title: `Weighed ${time}` });
  }
});
