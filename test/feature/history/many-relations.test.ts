/**
 * @module Former versions of a type with more relations than one statement has room for.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { documentOf, documentsOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const COUNT = 220;
const names = Array.from({ length: COUNT }, (_, index) => `relation${index}`);
const registry = registryOf([
  contentType('tag', { name: { type: 'string' } }),
  contentType(
    'story',
    {
      title: { type: 'string' },
      ...Object.fromEntries(names.map((name) => [name, relation('oneToMany', 'tag')])),
    },
    { drafts: true, plural: 'stories' },
  ),
]);
const { client: full, send } = openWorld(registry, { history: true });

interface Entry {
  readonly links: Readonly<Record<string, readonly (readonly unknown[])[]>>;
  readonly missing?: number;
}

const entries = async (documentId: string) => {
  const { results } = await env.DB.prepare(
    'select operation, version, entry, size from edgewise_history where document_id = ? order by at, rowid',
  )
    .bind(documentId)
    .all<{ operation: string; version: string; entry: string | null; size: number }>();
  return results;
};

it('a type with drafts, history and 220 relations is created, changed, published, restored and deleted', async () => {
  const [one, two] = await Promise.all(
    ['one', 'two'].map(async (name) => (await documentOf(full.create('/api/tags', { name }))).documentId),
  );
  const data = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? [one, two] : [two]]));
  const { documentId } = await documentOf(full.create('/api/stories', { title: 'A', ...data }));
  const path = `/api/stories/${documentId}`;
  const kept = await entries(documentId);
  expect(kept.map(({ version }) => version).sort()).toEqual(['draft', 'published']);
  for (const { entry, size } of kept) {
    const { links, missing } = JSON.parse(entry ?? '') as Entry;
    expect(missing).toBeUndefined();
    expect(size).toBe(new TextEncoder().encode(entry ?? '').length);
    expect(Object.values(links).map((list) => list.length)).toEqual(names.map((_, index) => (index % 2 === 0 ? 2 : 1)));
  }
  const emptied = Object.fromEntries(names.map((name) => [name, []]));
  await documentOf(full.update(path, { title: 'B', ...emptied }));
  for (const action of ['unpublish', 'publish', 'discard-draft'])
    expect((await send(`${path}/actions/${action}`, sendJson('POST', 'full', {}))).status).toBe(200);
  const versions = await documentsOf(full.get(`${path}/history`));
  const revision = versions.find(({ operation }) => operation === 'create')?.revision;
  const shown = await documentOf(full.get(`${path}/history/${revision}?populate=*`));
  expect((shown.relation218 as { name: string }[]).map(({ name }) => name)).toEqual(['one', 'two']);
  await documentOf(send(`${path}/actions/restore`, sendJson('POST', 'full', { data: { revision } })));
  const restored = await documentOf(full.get(`${path}?status=draft&populate=*`));
  expect(names.map((name) => (restored[name] as object[]).length)).toEqual(
    names.map((_, index) => (index % 2 === 0 ? 2 : 1)),
  );
  expect((await full.remove(path)).status).toBe(204);
  const last = (await entries(documentId)).filter(({ operation }) => operation === 'delete');
  expect(last.map(({ entry }) => entry)).toEqual([null, null]);
});
