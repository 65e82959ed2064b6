/**
 * @module Scheduled publications that take many statements: one run of the cron trigger never passes D1's limit.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron } from '../../support/app.ts';
import { documentOf, documentsOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { beforeLargeBatch } from '../../support/interleaved-database.ts';
import { sendJson } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
const MAX = 1_000;
/** Publishing a link takes two statements: one that deletes what the draft has no longer, one that copies. */
const [SOME, MANY, TOO_MANY] = [60, 400, 510];

const parts = Array.from({ length: TOO_MANY }, (_, index) => `parts${index}`);
const relation = { type: 'relation', relation: 'oneToMany', target: 'api::part.part' } as const;
const registry = registryOf([
  contentType('part', { name: { type: 'string' } }),
  contentType(
    'album',
    { title: { type: 'string' }, ...Object.fromEntries(parts.map((name) => [name, relation])) },
    { drafts: true },
  ),
]);
const { client: full, send } = openWorld(registry);
let part: string;

/** Runs the cron trigger. @returns the number of its statements */
async function run(real: D1Database = env.DB, settings: SettingsInput = {}): Promise<number> {
  const { database, batches } = countedDatabase(real);
  await runCron(registry, settings, { DB: database });
  return batches.flat().length;
}

/** Creates a draft with so many links, and schedules its publication. @param order the earliest is the first */
async function schedule(links: number, order: number): Promise<string> {
  const linked = Object.fromEntries(parts.slice(0, links).map((name) => [name, [part]]));
  const { documentId } = await documentOf(full.create('/api/albums?status=draft', { title: 'A', ...linked }));
  const path = `/api/albums/${documentId}`;
  await documentOf(send(`${path}/actions/publish`, sendJson('POST', 'full', { data: { at: TOMORROW } })));
  await env.DB.prepare('update edgewise_scheduled set "at" = ? where "document_id" = ?').bind(order, documentId).run();
  return path;
}

const isPublished = async (path: string): Promise<boolean> => (await full.get(path)).status === 200;
const left = async () => (await documentsOf(full.get('/api/scheduled'))).map(({ error }) => error);

beforeAll(async () => {
  ({ documentId: part } = await documentOf(full.create('/api/parts', { name: 'P' })));
});

beforeEach(async () => {
  await env.DB.prepare('delete from edgewise_scheduled').run();
});

it('ten large ones are carried out by several runs, none of which begins another after half of the limit', async () => {
  const paths: string[] = [];
  for (let order = 1; order <= 10; order += 1) paths.push(await schedule(SOME, order));
  const runs: number[] = [];
  while ((await left()).length > 0) runs.push(await run());
  expect(runs).toHaveLength(3);
  for (const statements of runs) expect(statements).toBeLessThan(MAX / 2 + 2 * SOME + 20);
  for (const path of paths) expect(await isPublished(path)).toBe(true);
});

it('one that has not enough room behind others is carried out by the next run', async () => {
  const first = await schedule(2 * SOME, 1);
  const second = await schedule(MANY, 2);
  const third = await schedule(0, 3);
  expect(await run()).toBeLessThanOrEqual(MAX);
  expect(await Promise.all([first, second, third].map(isPublished))).toEqual([true, false, false]);
  expect(await run()).toBeLessThanOrEqual(MAX);
  expect(await Promise.all([second, third].map(isPublished))).toEqual([true, false]);
  await run();
  expect(await isPublished(third)).toBe(true);
  expect(await left()).toEqual([]);
});

it('one that alone takes more than a run has keeps that error, and holds nothing up', async () => {
  const large = await schedule(TOO_MANY, 1);
  const other = await schedule(0, 2);
  expect(await run()).toBeLessThanOrEqual(MAX);
  expect(await left()).toEqual(['The request takes more than 1000 statements of the database, retries included']);
  expect(await Promise.all([large, other].map(isPublished))).toEqual([false, true]);
});

it('one that meets a concurrent write, without room for another attempt, is for the next run', async () => {
  const large = await schedule(MANY, 1);
  const meanwhile = () => full.update(`${large}?status=draft`, { title: 'B' });
  expect(await run(beforeLargeBatch(env.DB, meanwhile))).toBeLessThan(2 * MANY + 100);
  expect(await left()).toEqual([null]);
  await run();
  expect(await documentOf(full.get(large))).toMatchObject({ title: 'B' });
});

it('one that leaves little room leaves its messages to the next run, and no endpoint has failed', async () => {
  await schedule(MANY, 1);
  expect(await run(env.DB, { webhooks: [{ url: 'https://hooks.test/a', events: ['entry.publish'] }] })).toBeLessThan(
    MAX,
  );
  const { results } = await env.DB.prepare('select "event", "attempts", "error" from edgewise_outbox').all();
  expect(results).toEqual([{ event: 'entry.publish', attempts: 0, error: null }]);
  expect(await env.DB.prepare('select count(*) as "n" from edgewise_endpoints').first('n')).toBe(0);
});
