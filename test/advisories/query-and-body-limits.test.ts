/**
 * @module Limits of queries and bodies: no request causes the work of thousands.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf, documentsOf, errorOf, totalOf } from '../support/client.ts';
import { countedDatabase } from '../support/counted-database.ts';
import { bearer, sendJson, serve } from '../support/recorded.ts';
import { createWorld, owner, send, settings, world } from './world.ts';

beforeAll(createWorld);

const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('&');

/** Expects a 400 that reads nothing but the token. */
async function refusal(search: string, path = '/api/articles') {
  const counted = countedDatabase(env.DB);
  const refused = await errorOf(serve(settings, { DB: counted.database })(`${path}?${search}`, bearer('full')));
  expect(refused.status).toBe(400);
  expect(
    counted
      .answering()
      .flat()
      .filter((sql) => !sql.includes('strapi_api_tokens')),
  ).toEqual([]);
  return refused;
}

const limitOf = async (search: string, path?: string): Promise<unknown> => (await refusal(search, path)).details?.limit;

describe('a query', () => {
  it('is rejected with a populate of twenty levels', async () => {
    const chain = (depth: number, tail: string) =>
      `populate${Array.from({ length: depth }, (_, index) => (index % 2 ? '[author][populate]' : '[related][populate]'))
        .join('')
        .slice(0, -'[populate]'.length)}=${tail}`;
    expect(await limitOf(`populate=${Array.from({ length: 20 }, () => 'related').join('.')}`)).toMatch(
      /populate(Depth|Lists)/,
    );
    expect(
      await limitOf(
        `populate=${Array.from({ length: 20 }, (_, index) => (index % 2 ? 'parent' : 'parent')).join('.')}`,
        '/api/categories',
      ),
    ).toBe('populateDepth');
    expect((await refusal(chain(9, '*'))).status).toBe(400);
    expect(await limitOf('populate=articles.tags.articles.tags.articles.tags', '/api/tags')).toBe('populateLists');
  });

  it('is rejected with thousands of conditions', async () => {
    expect(await limitOf(repeated(1_000, (index) => `filters[$or][${index}][title]=a`))).toBe('conditions');
    expect(await limitOf(repeated(1_000, (index) => `filters[$and][${index}][$or][0][title]=a`))).toBe('conditions');
    expect(await limitOf(repeated(300, (index) => `filters[$not][$and][${index}][title][$not][$eq]=a`))).toBe(
      'conditions',
    );
  });

  it('is rejected with thousands of values', async () => {
    expect(await limitOf(repeated(2_500, () => 'filters[title][$in][]=a'))).toBe('listItems');
    expect(await limitOf(repeated(10_000, (index) => `filters[title][$in][${index}]=a`))).toBe('queryLength');
    expect(await limitOf(repeated(2_500, () => 'filters[title][]=a'))).toBe('listItems');
  });

  it('is rejected if it is too long, and may have long operands', async () => {
    expect(await limitOf(`filters[title]=${'a'.repeat(100_000)}`)).toBe('queryLength');
    expect(await limitOf(`${'a'.repeat(100_000)}`)).toBe('queryLength');
    expect(await totalOf(owner.get(`/api/articles?_q=${'a'.repeat(10_000)}`))).toBe(0);
    expect(await totalOf(owner.get(`/api/articles?filters[title][$contains]=${'a%25'.repeat(10_000)}`))).toBe(0);
  });

  it('is rejected with a sort through ten joins or with dozens of terms', async () => {
    const through = Array.from({ length: 10 }, () => 'author.articles').join('.');
    expect((await owner.get(`/api/articles?sort=${through}.title`)).status).toBe(400);
    expect(await limitOf(`sort=${Array.from({ length: 30 }, () => 'title').join(',')}`)).toBe('sortTerms');
  });

  it('is rejected if it names one relation many times', async () => {
    expect(await limitOf(`populate=${Array.from({ length: 1_100 }, () => 'author').join(',')}`)).toBe('populateNodes');
    expect(await limitOf(repeated(1_100, (index) => `populate[${index}]=author`))).toBe('populateNodes');
    const twice = await owner.get('/api/articles?populate=author,author,author&fields=title,title,title');
    expect(Object.keys((await documentsOf(Promise.resolve(twice)))[0] ?? {})).toEqual([
      'id',
      'documentId',
      'title',
      'author',
    ]);
  });
});

/** Directus CVE-2026-35441, GHSA-6q22-g298-grjh */
it('a relation that is named many times is read once', async () => {
  const counted = countedDatabase(env.DB);
  const client = clientOf(serve(settings, { DB: counted.database }), 'full');
  await client.get(`/api/articles?populate=${Array.from({ length: 90 }, () => 'author').join(',')}`);
  const once = counted.answering().flat().join().length;
  counted.batches.length = 0;
  await client.get('/api/articles?populate=author');
  expect(counted.answering()).toHaveLength(1);
  expect(once).toBe(counted.answering().flat().join().length);
});

describe('a page', () => {
  const pageOf = (part: string) => owner.get(`/api/articles?pagination[${part.replace('=', ']=')}`);

  it.each([
    ['pageSize=1000000000', 100],
    ['pageSize=101', 100],
    ['limit=1000000000', 100],
    ['limit=9007199254740993', 100],
    ['limit=-1', 1],
  ])('with pagination[%s] has the size %i', async (part, size) => {
    const response = await pageOf(part);
    expect(response.status).toBe(200);
    const { meta } = (await response.json()) as { meta: { pagination: { pageSize?: number; limit?: number } } };
    expect(meta.pagination.pageSize ?? meta.pagination.limit).toBe(size);
  });

  it.each(['page=1000000000000', 'page=9007199254740993', 'start=1000000000000', 'start=1e12'])(
    'with pagination[%s] is empty',
    async (part) => {
      expect(await documentsOf(pageOf(part))).toEqual([]);
    },
  );

  it('has a maximum size although the settings have none, since no response outgrows the database', async () => {
    const unbounded = clientOf(serve({ ...settings, api: { rest: { maxLimit: null } } }), 'full');
    for (const size of ['1000000000', '9223372036854775807', '1e300', '-1']) {
      const response = await unbounded.get(`/api/articles?pagination[pageSize]=${size}`);
      expect([size, response.status]).toEqual([size, 200]);
    }
    for (const title of ['A second one', 'A third one']) await documentOf(owner.create('/api/articles', { title }));
    const small = serve({ ...settings, api: { rest: { maxLimit: null, limits: { answerRows: 1 } } } });
    const rejected = await errorOf(small('/api/articles?pagination[pageSize]=1e300', bearer('full')));
    expect(rejected).toMatchObject({ status: 400, details: { limit: 'answerRows' } });
  });

  it('of users is a 400 with a malformed number', async () => {
    for (const search of ['limit=1e400', 'start=-1', 'limit=abc', 'limit[]=1&limit[]=2', 'start=1.5'])
      expect([search, (await send(`/api/users?${search}`, bearer('full'))).status]).toEqual([search, 400]);
  });
});

/** qs CVE-2025-15284, CVE-2026-82562 */
describe('a list of a query or a form', () => {
  const answer = async (search: string) => (await owner.get(`/api/articles?${search}`)).status;

  it('is limited with empty brackets, with indices and with commas', async () => {
    expect(await limitOf(repeated(5_000, () => 'filters[title][$in][]='))).toBe('queryLength');
    expect(await answer(`filters[title][$in]=${','.repeat(60_000)}`)).toBe(200);
    expect(await answer(repeated(2_000, () => 'fields[]=title'))).toBe(200);
    expect(await limitOf(repeated(2_001, (index) => `filters[title][$in][${index}]=`))).toBe('listItems');
  });

  it('is limited in a form, too', async () => {
    const headers = { authorization: 'Bearer full', 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of [
      repeated(9_000, () => 'data[tags][]=1'),
      repeated(9_000, (index) => `data[a${index}]=1`),
      `data${'[a]'.repeat(5_000)}=1`,
    ])
      expect((await send('/api/articles', { method: 'POST', headers, body })).status).toBe(400);
  });
});

describe('a body', () => {
  /** hono CVE-2026-44456, CVE-2026-54288. The platform reads no more than the length that a request states. */
  it.each([
    ['without its length', {}],
    ['with its length', { 'content-length': '2000000' }],
  ])('beyond the limit is a 413 before its end is read, %s', async (_, length) => {
    const headers = { authorization: 'Bearer full', 'content-type': 'application/json', ...length };
    for (const path of ['/api/articles', '/api/auth/local', '/api/users', '/api/nothing']) {
      let chunks = 0;
      const body = new ReadableStream({
        pull(controller) {
          chunks += 1;
          if (chunks > 40) controller.close();
          else controller.enqueue(new TextEncoder().encode(' '.repeat(65_536)));
        },
      });
      const response = await send(path, { method: 'POST', headers, body });
      expect([path, response.status]).toEqual([path, 413]);
      expect(chunks).toBeLessThan(20);
    }
  });

  it('is rejected if it is nested too deeply', async () => {
    const deep = `{"data":{"title":"a","extra":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    const response = await send('/api/articles', { ...sendJson('POST', 'full', {}), body: deep });
    expect(response.status).toBe(400);
    expect((await errorOf(Promise.resolve(response))).details?.limit).toBe('bodyDepth');
    const login = await send('/api/auth/local', { ...sendJson('POST', '', {}), body: deep });
    expect(login.status).toBe(400);
  });

  it('is rejected with thousands of relations, components or unknown keys', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => index + 1_000);
    for (const data of [
      { title: 'Many', tags: many },
      { title: 'Many', links: many.map((id) => ({ label: `${id}`.repeat(20) })) },
      { title: 'Many', ...Object.fromEntries(many.map((id) => [`k${id}`, id])) },
    ]) {
      const response = await owner.update(`/api/articles/${world.article}`, data);
      expect(response.status).toBe(400);
      expect((await response.text()).length).toBeLessThan(2_000_000);
    }
  });

  it('with a long password is rejected before it is hashed', async () => {
    const password = 'x'.repeat(900_000);
    for (const [path, body, message] of [
      ['/api/auth/local', { identifier: 'victim', password }, 'Invalid identifier or password'],
      [
        '/api/auth/local/register',
        { username: 'long', email: 'long@example.com', password },
        'Password must be less than 73 bytes',
      ],
    ] as const)
      expect(await errorOf(send(path, sendJson('POST', '', body)))).toMatchObject({ status: 400, message });
  });
});
