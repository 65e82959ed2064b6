/**
 * @module An update that publishes copies the links of a draft only where they differ from the published ones, and
 * misses none that is made meanwhile.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { sendJson } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([
  contentType(
    'book',
    { title: { type: 'string' }, tags: relation('manyToMany', 'tag', { inversedBy: 'books' }) },
    { drafts: true },
  ),
  contentType('tag', { name: { type: 'string' }, books: relation('manyToMany', 'book', { mappedBy: 'tags' }) }),
]);
const { client, serve } = openWorld(registry);
const create = (path: string, data: object) => documentOf(client.create(path, data));

it.each([0, 1])('an update that publishes sees a concurrent link from the other side, before batch %d', async (at) => {
  const { documentId: tag } = await create('/api/tags', { name: 'T' });
  const { documentId: book } = await create('/api/books', { title: 'One', tags: [tag] });
  const { documentId: second } = await create('/api/tags', { name: `N${at}` });
  const meanwhile = () => client.update(`/api/tags/${second}`, { books: { connect: [book] } });
  const concurrent = serve({}, { DB: interleavedDatabase(env.DB, at, meanwhile) });
  const path = `/api/books/${book}`;
  await client.update(`${path}?status=draft`, { title: `Draft ${at}` });
  const response = await concurrent(path, sendJson('PUT', 'full', { data: { title: `Five ${at}` } }));
  expect(response.status).toBe(200);
  expect(await checkInvariants(env.DB, registry)).toEqual([]);
  const versions = await Promise.all(
    ['draft', 'published'].map(
      async (status) => (await documentOf(client.get(`${path}?status=${status}&populate=tags`))).tags,
    ),
  );
  const names = versions.map((tags) => (tags as { name: string }[]).map(({ name }) => name));
  expect(names[0]).toContain(`N${at}`);
  expect(names[1]).toEqual(names[0]);
});
