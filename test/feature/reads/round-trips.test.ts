/**
 * @module How often D1 is asked: once for a read, at most twice for a write.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { createToken, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

let documentId = '';
let articleId = '';

openMagazine();
beforeAll(async () => {
  await createToken('reads', 'read-only');
  const client = clientOf(serve(), 'full');
  documentId = (await documentOf(client.create('/api/tags', { name: 'counted' }))).documentId;
  articleId = (await documentOf(client.create('/api/articles', { title: 'Counted', code: 'c' }))).documentId;
  await clientOf(serve(), 'reads').get('/api/tags');
});

/** The statements of each batch that a request waits for. */
async function batchesOf(token: string, ask: (client: ReturnType<typeof clientOf>) => Promise<Response>) {
  const counted = countedDatabase(env.DB);
  const response = await ask(clientOf(serve({}, { DB: counted.database }), token));
  return { status: response.status, batches: counted.answering().map((batch) => batch.length) };
}

describe('a refusal', () => {
  it('of the public asks nothing', async () => {
    const counted = countedDatabase(env.DB);
    const send = serve({}, { DB: counted.database });
    for (const path of ['/api/tags', '/api/nope', '/api/tags?nope=1']) await send(path);
    expect(counted.batches).toEqual([]);
  });

  it('of a known token asks for the token alone', async () => {
    expect(await batchesOf('full', (client) => client.get('/api/tags?nope=1'))).toEqual({ status: 400, batches: [1] });
    expect(await batchesOf('reads', (client) => client.create('/api/tags', {}))).toEqual({ status: 403, batches: [1] });
  });
});

describe('a read with a token that is known', () => {
  const reads = [
    '/api/tags',
    '/api/tags?filters[name]=counted&sort=weight:desc&fields=name',
    '/api/tags?pagination[withCount]=false',
    '/api/tags?_q=counted',
    '/api/articles?status=draft&locale=*',
    '/api/articles?publicationFilter=modified',
    '/api/articles?populate=*',
    '/api/articles?populate[author][populate][avatar]=true&populate[tags][filters][name]=a',
    '/api/articles?filters[author][articles][title]=a&sort=author.name',
    '/api/tags/nope',
    '/api/homepage',
  ];

  it.each(reads)('of %s is one statement', async (path) => {
    expect((await batchesOf('full', (client) => client.get(path))).batches).toEqual([1]);
    expect((await batchesOf('reads', (client) => client.get(path))).batches).toEqual([1]);
  });

  it('of one document is one batch, too', async () => {
    const { status, batches } = await batchesOf('full', (client) => client.get(`/api/tags/${documentId}`));
    expect({ status, batches }).toEqual({ status: 200, batches: [1] });
  });

  it('by the public is one batch without the token', async () => {
    const counted = countedDatabase(env.DB);
    await serve({ roles: { public: ['api::tag.tag.find'] } }, { DB: counted.database })('/api/tags');
    expect(counted.batches.map((batch) => batch.length)).toEqual([1]);
  });
});

describe('a read with a token that is used for the first time', () => {
  it('is one batch with full access', async () => {
    await createToken('first-full', 'full-access');
    const { status, batches } = await batchesOf('first-full', (client) => client.get('/api/tags'));
    expect({ status, batches }).toEqual({ status: 200, batches: [1] });
  });

  it.each([
    ['read-only', null],
    ['custom', ['api::tag.tag.find']],
  ])('is one batch with %s', async (type, permissions) => {
    await createToken(`first-${type}`, type, permissions);
    const { status, batches } = await batchesOf(`first-${type}`, (client) => client.get('/api/tags'));
    expect({ status, batches }).toEqual({ status: 200, batches: [1] });
  });

  it('is one batch when there is no such token', async () => {
    const { status, batches } = await batchesOf('never-made', (client) => client.get('/api/tags'));
    expect({ status, batches }).toEqual({ status: 401, batches: [1] });
  });
});

describe('a write', () => {
  type Ask = Parameters<typeof batchesOf>[1];
  const writes: readonly (readonly [string, number, number, Ask])[] = [
    ['create without unique attributes', 1, 200, (client) => client.create('/api/comments', { text: 'a' })],
    ['create with a unique value', 1, 200, (client) => client.create('/api/tags', { name: 'a' })],
    ['create of a draft', 1, 200, (client) => client.create('/api/issues?status=draft', { title: 'a' })],
    ['create and publish', 1, 200, (client) => client.create('/api/issues', { title: 'a', number: 1 })],
    ['update', 2, 200, (client) => client.update(`/api/tags/${documentId}`, { weight: 1 })],
    ['update of a unique value', 2, 200, (client) => client.update(`/api/tags/${documentId}`, { name: 'b' })],
    ['update of a draft', 2, 200, (client) => client.update(`/api/articles/${articleId}?status=draft`, { price: 1 })],
    ['update and publish', 2, 200, (client) => client.update(`/api/articles/${articleId}`, { price: 2 })],
    ['refused create', 1, 400, (client) => client.create('/api/tags', { name: 5 })],
    ['update of nothing', 1, 404, (client) => client.update('/api/tags/nope', {})],
    ['delete of nothing', 1, 204, (client) => client.remove('/api/tags/nope')],
    ['delete', 1, 204, (client) => client.remove(`/api/tags/${documentId}`)],
  ];

  it.each(writes)('%s asks at most %i times', async (_, most, answer, ask) => {
    const { status, batches } = await batchesOf('full', ask);
    expect(status).toBe(answer);
    expect(batches.length).toBeLessThanOrEqual(most);
    for (const statements of batches) expect(statements).toBeLessThanOrEqual(45);
  });

  it('asks at most twice with a custom token that is used for the first time', async () => {
    await createToken('first-writer', 'custom', ['api::tag.tag.create']);
    const { status, batches } = await batchesOf('first-writer', (client) => client.create('/api/tags', { name: 'c' }));
    expect(status).toBe(200);
    expect(batches.length).toBeLessThanOrEqual(2);
  });
});
