/**
 * @module The deletion of a file in a model with more media attributes, in tables of their own, than an invocation has statements.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { runCron } from '../../support/app.ts';
import { documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { clearMedia, TEXT, uploadOne } from '../../support/uploads.ts';
import { openWorld } from '../../support/world.ts';

const [TYPES, FIELDS] = [21, 50];
const names = Array.from({ length: FIELDS }, (_, index) => `file${index}`);
const types = Array.from({ length: TYPES }, (_, index) => `kind${index}`);
const media = (name: string) => [name, { type: 'media', multiple: name.endsWith('9') }] as const;
const registry = registryOf(
  types.map((name) => contentType(name, { title: { type: 'string' }, ...Object.fromEntries(names.map(media)) })),
);
const counted = countedDatabase(env.DB);
const { client: full, send } = openWorld(registry, {}, { DB: counted.database });

async function linksOf(documentId: string): Promise<number> {
  let count = 0;
  for (const type of types) {
    const counts = names.map((name) =>
      env.DB.prepare(`select count(*) as "count" from "${type}s_${name}_lnk" where "target_document_id" = ?`).bind(
        documentId,
      ),
    );
    for (const { results } of await env.DB.batch<{ count: number }>(counts)) count += results[0]?.count ?? 0;
  }
  return count;
}

const tasks = () => env.DB.prepare('select count(*) as "count" from edgewise_tasks').first('count');
const statements = () => counted.batches.splice(0).flat().length;

beforeAll(async () => {
  await clearMedia();
});

it('unlinks the first of them at once and the others in steps, and no response shows them meanwhile', async () => {
  const [file, other] = [await uploadOne(send, TEXT), await uploadOne(send, TEXT)];
  const files = (id: number) => Object.fromEntries(names.map((name) => [name, id]));
  const paths: string[] = [];
  for (const type of types) {
    const { documentId } = await documentOf(full.create(`/api/${type}s`, files(file.id)));
    paths.push(`/api/${type}s/${documentId}`);
  }
  await documentOf(full.create('/api/kind3s', files(other.id)));
  expect(await linksOf(file.documentId)).toBe(TYPES * FIELDS);
  statements();
  const response = await send(`/api/upload/files/${file.id}`, { method: 'DELETE', ...bearer('full') });
  expect(response.status, await response.text()).toBe(200);
  expect(statements()).toBeLessThan(1_000);
  expect(await tasks()).toBe(1);
  const remaining = await linksOf(file.documentId);
  expect(remaining).toBeGreaterThan(0);
  for (const path of paths) {
    const shown = await documentOf(full.get(`${path}?populate=*`));
    expect(names.filter((name) => shown[name] !== null && JSON.stringify(shown[name]) !== '[]')).toEqual([]);
  }
  const own = 'filters[file7][id][$null]=true&filters[file9][id][$null]=true&populate=file9';
  for (const type of types) {
    const { data } = (await (await full.get(`/api/${type}s?${own}`)).json()) as { data: object[] };
    expect(data).toMatchObject([{ file9: [] }]);
  }
  let runs = 0;
  for (; (await tasks()) !== 0; runs += 1) {
    expect(runs).toBeLessThan(3);
    statements();
    await runCron(registry, {}, { DB: counted.database });
    expect(statements()).toBeLessThan(400);
  }
  expect(await linksOf(file.documentId)).toBe(0);
  expect(await linksOf(other.documentId)).toBe(FIELDS);
});
