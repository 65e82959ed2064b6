/**
 * @module The bytes of all former versions: a running total, and what is deleted above the limit.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([
  contentType('story', { title: { type: 'text' } }, { drafts: true, plural: 'stories' }),
  contentType('note', { title: { type: 'text' } }),
]);
const limited = (bytes: number): SettingsInput => ({
  history: { 'api::story.story': true, 'api::note.note': true, bytes },
});
const clientFor = (bytes: number) => {
  const send = serveRegistry(registry, limited(bytes));
  return { ...clientOf(send, 'full'), send };
};

const all = async (sql: string) => (await env.DB.prepare(sql).all()).results;
const total = async () =>
  (await env.DB.prepare(`select total from edgewise_counters where type = 'edgewise_history'`).first('total')) ?? 0;
const sum = async () => (await env.DB.prepare('select sum(size) as n from edgewise_history').first('n')) ?? 0;
const count = async (type: string) =>
  (await env.DB.prepare('select count(*) as n from edgewise_history where type = ?').bind(type).first('n')) as number;

/** Stores versions of a document, each a second younger than the one before. */
const store = (type: string, versions: number, size: number, first: number) =>
  env.DB.prepare(`
    with recursive "version"(v) as (select 1 union all select v + 1 from "version" where v < ?1)
    insert into edgewise_history (type, document_id, locale, version, at, id, operation, actor, entry, size)
    select ?2, 'old', '', 'published', ?3 + v * 1000, 'rev_' || v, 'update', 'code', null, ?4 from "version"`)
    .bind(versions, type, first, size)
    .run();

openWorld(registry);

beforeEach(() => env.DB.exec('delete from edgewise_history; delete from stories; delete from notes;'));

describe('the running total', () => {
  it('is that of what is stored, whatever is written and deleted', async () => {
    const client = clientFor(1_000_000);
    const { documentId } = await documentOf(client.create('/api/stories?status=draft', { title: 'a'.repeat(100) }));
    // Saves in one sitting replace each other.
    for (const length of [500, 20, 300])
      await client.update(`/api/stories/${documentId}?status=draft`, { title: 'b'.repeat(length) });
    await client.send(`/api/stories/${documentId}/actions/publish`, sendJson('POST', 'full', {}));
    expect(await total()).toBe(await sum());
    expect(await total()).toBeGreaterThan(300);
    await client.remove(`/api/stories/${documentId}`);
    await store('api::note.note', 50, 1_000, 1);
    expect(await total()).toBe(await sum());
    await env.DB.exec(`delete from edgewise_history where rowid % 2 = 0`);
    expect(await total()).toBe(await sum());
  });
});

describe('above the limit', () => {
  it('a write deletes four of the oldest of its type, and none of its own', async () => {
    await store('api::story.story', 10, 1_000, 1);
    await store('api::note.note', 10, 1_000, 1);
    const client = clientFor(5_000);
    await client.create('/api/stories', { title: 'a' });
    // A draft and a published version are new.
    expect([await count('api::story.story'), await count('api::note.note')]).toEqual([8, 10]);
    expect(await all(`select min(at) as at from edgewise_history where type = 'api::story.story'`)).toEqual([
      { at: 5_001 },
    ]);
    for (let times = 0; times < 2; times += 1) await client.create('/api/notes', { title: 'a' });
    expect(await count('api::note.note')).toBe(4);
  });

  it('a write below it deletes nothing', async () => {
    await store('api::story.story', 10, 1_000, 1);
    await clientFor(50_000).create('/api/stories', { title: 'a' });
    expect(await count('api::story.story')).toBe(12);
  });

  it('the cron trigger deletes the rest at once, whatever its minute', async () => {
    await store('api::story.story', 4_500, 1_000, Date.now() - 10_000_000);
    await runCron(registry, limited(100_000));
    expect([await count('api::story.story'), await total()]).toEqual([100, 100_000]);
  });
});

it('the cron trigger deletes all that is too old', async () => {
  await store('api::story.story', 2_500, 10, 1);
  await store('api::note.note', 3, 10, Date.now());
  await runCron(registry, limited(1_000_000));
  expect([await count('api::story.story'), await count('api::note.note')]).toEqual([0, 3]);
});
