/**
 * @module Large batches that meet concurrent writes: all attempts of a request together never pass D1's limit.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { beforeLargeBatch } from '../../support/interleaved-database.ts';
import { sendJson } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const MAX = 1_000;
const parts = Array.from({ length: 8 }, (_, index) => `parts${index}`);
const relation = { type: 'relation', relation: 'manyToMany', target: 'api::part.part' } as const;
const registry = registryOf([
  contentType('part', { name: { type: 'string' } }),
  contentType(
    'note',
    {
      title: { type: 'string' },
      ...Object.fromEntries(parts.map((name) => [name, relation])),
    },
    { drafts: true },
  ),
]);
const { client: full } = openWorld(registry);

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: { readonly data: Readonly<Record<string, unknown>> };
}

/** Sends a batch. @param database what runs before its large batch of statements is no part of the count */
async function sendBatch(requests: readonly Request[], database: D1Database = env.DB) {
  const counted = countedDatabase(database);
  const send = serveRegistry(registry, {}, { DB: counted.database });
  const response = await send('/api/batch', sendJson('POST', 'full', { requests }));
  return { response, statements: counted.batches.flat().length };
}

let links: Readonly<Record<string, unknown>>;

/** Requests that link parts by eight relations each. */
const updates = (documentIds: readonly string[], title: string): readonly Request[] =>
  documentIds.map((documentId) => ({
    method: 'PUT',
    path: `/api/notes/${documentId}`,
    body: { data: { title, ...links } },
  }));

async function notes(count: number): Promise<readonly string[]> {
  const { response } = await sendBatch(
    Array.from({ length: count }, () => ({ method: 'POST', path: '/api/notes', body: { data: { title: 'A' } } })),
  );
  return ((await response.json()) as { data: { body: { data: { documentId: string } } }[] }).data.map(
    ({ body }) => body.data.documentId,
  );
}

const titles = async () => [
  ...new Set((await documentsOf(full.get('/api/notes?pagination[limit]=100'))).map(({ title }) => title)),
];

beforeAll(async () => {
  const { documentId } = await documentOf(full.create('/api/parts', { name: 'P' }));
  links = Object.fromEntries(parts.map((name) => [name, [documentId]]));
});

beforeEach(async () => {
  for (const { documentId } of await documentsOf(full.get('/api/notes?pagination[limit]=100')))
    await full.remove(`/api/notes/${documentId}`);
});

it('one for whose second attempt there is room is retried', async () => {
  const ids = await notes(10);
  const meanwhile = () => full.update(`/api/notes/${ids[7]}`, { title: 'meanwhile' });
  const { response, statements } = await sendBatch(updates(ids, 'B'), beforeLargeBatch(env.DB, meanwhile));
  expect(response.status).toBe(200);
  expect(statements).toBeLessThanOrEqual(MAX);
  expect(await titles()).toEqual(['B']);
});

it('one for whose second attempt there is no room is a 503 that says so, before it is begun', async () => {
  const ids = await notes(20);
  const meanwhile = () => full.update(`/api/notes/${ids[7]}`, { title: 'meanwhile' });
  const { response, statements } = await sendBatch(updates(ids, 'B'), beforeLargeBatch(env.DB, meanwhile));
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await errorOf(Promise.resolve(response))).toMatchObject({
    status: 503,
    message:
      'Content or rights have changed meanwhile, and another attempt would take more than 1000 statements of the database in all. Send the request again, or in parts',
  });
  expect(statements).toBeGreaterThan(MAX / 2);
  expect(statements).toBeLessThan(MAX);
  expect(await titles()).toEqual(['A', 'meanwhile']);
  expect((await sendBatch(updates(ids, 'B'))).response.status).toBe(200);
});

it('one whose reads alone are too many reads nothing', async () => {
  const body = { data: Object.fromEntries(parts.map((name) => [name, { connect: [] as string[] }])) };
  const [{ documentId } = { documentId: '' }] = await documentsOf(full.get('/api/parts'));
  for (const { connect } of Object.values(body.data)) connect.push(documentId);
  const requests = Array.from({ length: 100 }, (_, index) => ({
    method: 'PUT',
    path: `/api/notes/none${index}`,
    body,
  }));
  const { response, statements } = await sendBatch(requests);
  expect(await errorOf(Promise.resolve(response))).toMatchObject({
    status: 400,
    details: { limit: 'statements', statements: 901 },
  });
  expect(statements).toBeLessThanOrEqual(1);
});
