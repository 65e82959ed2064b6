/**
 * @module Ten thousand targets, or a thousand in the short tier, that are linked in one request, and then taken over by another document.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { type ApiDocument, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { samplesOf } from '../../support/tier.ts';
import { openWorld } from '../../support/world.ts';

const COUNT = samplesOf(10_000);
const names = Array.from({ length: COUNT }, (_, index) => `leaf${index}`);
const registry = registryOf([
  contentType(
    'tree',
    {
      name: { type: 'string' },
      leaves: relation('oneToMany', 'leaf', { mappedBy: 'tree' }),
    },
    { drafts: true },
  ),
  contentType(
    'leaf',
    { name: { type: 'string' }, tree: relation('manyToOne', 'tree', { inversedBy: 'leaves' }) },
    { plural: 'leafs', drafts: true },
  ),
]);
const counted = countedDatabase(env.DB);
const settings = { api: { rest: { limits: { bodyEntries: 2 * COUNT, answerRows: 100_000 } } } };
const { client } = openWorld(registry, settings, { DB: counted.database });

beforeAll(async () => {
  await client.get('/api/leafs');
  const insert = (published: number | null) =>
    env.DB.prepare(
      `insert into leafs (document_id, locale, published_at, created_at, updated_at, name) select value, '', ?2, 1, 1, value from json_each(?1)`,
    ).bind(JSON.stringify(names), published);
  await env.DB.batch([
    insert(null),
    insert(1),
    env.DB.prepare(
      `insert into edgewise_counters values ('api::leaf.leaf', '', 'published', ?1), ('api::leaf.leaf', '', 'draft', ?1)`,
    ).bind(COUNT),
  ]);
});

it('each version of them has one holder, in the order that was asked for', async () => {
  const tree = async (data: object) => documentOf(client.create('/api/trees', { name: 'Tree', ...data }));
  const leaves = async ({ documentId }: ApiDocument, status: string) => {
    const shown = await documentOf(
      client.get(`/api/trees/${documentId}?status=${status}&populate[leaves][fields]=name`),
    );
    return (shown.leaves as ApiDocument[]).map(({ documentId }) => documentId);
  };
  const first = await tree({ leaves: { connect: names } });
  for (const status of ['draft', 'published']) expect(await leaves(first, status)).toEqual(names);
  const second = await tree({ leaves: { connect: [...names].reverse() } });
  for (const status of ['draft', 'published']) {
    expect(await leaves(first, status)).toEqual([]);
    expect(await leaves(second, status)).toEqual([...names].reverse());
  }
  const response = await client.update(`/api/trees/${first.documentId}?status=draft`, { leaves: { set: names } });
  expect(response.status).toBe(200);
  expect(await leaves(first, 'draft')).toEqual(names);
  expect(await leaves(second, 'published')).toEqual([...names].reverse());
  expect(await leaves(second, 'draft')).toEqual([]);
  expect((await client.update(`/api/trees/${first.documentId}`, {})).status).toBe(200);
  expect(await leaves(first, 'published')).toEqual(names);
  expect(await leaves(second, 'published')).toEqual([]);
  expect((await client.remove(`/api/trees/${first.documentId}`)).status).toBe(204);
  expect(await checkInvariants(env.DB, registry)).toEqual([]);
  expect(Math.max(...counted.batches.flat().map((sql) => sql.length))).toBeLessThan(100_000);
});
