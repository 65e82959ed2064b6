/**
 * @module More locales than a statement of D1 has parameters: what a request asks of D1 does not depend on how many there are.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiDocument, documentOf, documentsOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, sendJson } from '../../support/recorded.ts';
import { kindsRegistry } from '../../support/worlds/kinds.ts';
import { CHAINED, OTHERS, openManyLocales } from '../../support/worlds/many-locales.ts';

const counted = countedDatabase(env.DB);
const { client, send } = openManyLocales({ history: true, api: { rest: { maxLimit: 200 } } }, { DB: counted.database });
const CHAIN = `locale=${CHAINED.code}&fallback=true`;
const [SECOND = ''] = OTHERS;

/** Makes a page in English and some locales. */
async function page(locales: readonly string[]): Promise<string> {
  const topic = await documentOf(client.create('/api/topics', { name: 'Topic' }));
  const values = { title: 'en', audience: 'en', topics: [topic.documentId] };
  const { documentId } = await documentOf(client.create('/api/pages', values));
  for (const code of locales)
    await documentOf(client.update(`/api/pages/${documentId}?locale=${code}`, { title: code, audience: code }));
  return documentId;
}

let many: string;
let two: string;

beforeAll(async () => {
  many = await page(OTHERS);
  two = await page([SECOND]);
});

/** Returns the statements of a request. */
async function statementsOf(request: () => Promise<Response>): Promise<readonly string[]> {
  const { length } = counted.batches;
  expect((await request()).status).toBeLessThan(300);
  return counted.batches.slice(length).flat();
}

const act = (documentId: string, action: string, locale: string) => () =>
  send(`/api/pages/${documentId}/actions/${action}?locale=${locale}`, { method: 'POST', ...bearer('full') });
const put = (documentId: string, search: string, data: object) => () =>
  client.update(`/api/pages/${documentId}?${search}`, data);
const get = (documentId: string, search: string) => () => client.get(`/api/pages/${documentId}?${search}`);

describe('a document in 121 locales asks as much of D1 as one in two', () => {
  it.each<[string, (documentId: string) => () => Promise<Response>]>([
    ['a read', (id) => get(id, 'populate=localizations')],
    ['a read of a chain', (id) => get(id, `${CHAIN}&populate=*`)],
    [
      'a list of all locales',
      (id) => () => client.get(`/api/pages?locale=*&filters[documentId]=${id}&facets=audience`),
    ],
    [
      'a target, from the other side',
      (id) => () => client.get(`/api/topics?populate=pages&filters[pages][documentId]=${id}`),
    ],
    ['a value that all locales have', (id) => put(id, '', { price: 1 })],
    ['a value of one locale', (id) => put(id, `locale=${SECOND}`, { audience: 'few' })],
    ['a draft', (id) => put(id, 'status=draft', { price: 2, topics: [] })],
    ['a publication', (id) => act(id, 'publish', SECOND)],
    ['its end', (id) => act(id, 'unpublish', SECOND)],
    ['a former version', (id) => () => client.get(`/api/pages/${id}/history`)],
  ])('%s', async (_, requestTo) => {
    const expected = await statementsOf(requestTo(two));
    expect(expected).not.toEqual([]);
    expect(await statementsOf(requestTo(many))).toEqual(expected);
    expect(await checkInvariants(env.DB, kindsRegistry)).toEqual([]);
  });
});

it('each locale has its own values, and what they share', async () => {
  await documentOf(put(many, 'status=draft', { price: 7 })());
  const drafts = await documentsOf(
    client.get(`/api/pages?locale=*&status=draft&filters[documentId]=${many}&pagination[pageSize]=200`),
  );
  const shown = drafts.map(({ locale, title, price }) => `${locale} ${title} ${price}`);
  expect(shown.sort()).toEqual(['en', ...OTHERS].map((code) => `${code} ${code} 7`).sort());
});

it('a batch creates documents in as many locales as it may have requests', async () => {
  const requests = OTHERS.slice(0, 100).map((code) => ({
    method: 'POST',
    path: `/api/places?locale=${code}`,
    body: { data: { title: code } },
  }));
  expect((await send('/api/batch', sendJson('POST', 'full', { requests }))).status).toBe(200);
  const places = await documentsOf(client.get('/api/places?locale=*&pagination[pageSize]=200'));
  expect(places.map(({ title }: ApiDocument) => title).sort()).toEqual(OTHERS.slice(0, 100));
});

it('all of them are deleted at once', async () => {
  const one = await statementsOf(() => client.remove(`/api/pages/${two}?locale=*`));
  expect(await statementsOf(() => client.remove(`/api/pages/${many}?locale=*`))).toEqual(one);
  expect(await documentsOf(client.get('/api/pages?locale=*'))).toEqual([]);
  expect(await checkInvariants(env.DB, kindsRegistry)).toEqual([]);
});
