/**
 * @module What is deleted of former versions: the oldest above the limit of bytes, and all that is too old.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron, serveRegistry } from '../../support/app.ts';
import { clientOf } from '../../support/client.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([
  contentType('story', { title: { type: 'text' } }, { drafts: true, plural: 'stories' }),
  contentType('note', { title: { type: 'text' } }),
]);
const limited = (bytes: number): SettingsInput => ({
  history: { 'api::story.story': true, 'api::note.note': true, bytes },
});

const all = async (sql: string) => (await env.DB.prepare(sql).all()).results;
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

it('a write above the limit deletes four of the oldest of its type, and none of its own', async () => {
  await store('api::story.story', 10, 1_000, 1);
  await store('api::note.note', 10, 1_000, 1);
  const client = clientOf(serveRegistry(registry, limited(5_000)), 'full');
  await client.create('/api/stories', { title: 'a' });
  // A draft and a published version are new.
  expect([await count('api::story.story'), await count('api::note.note')]).toEqual([8, 10]);
  expect(await all(`select min(at) as at from edgewise_history where type = 'api::story.story'`)).toEqual([
    { at: 5_001 },
  ]);
  for (let times = 0; times < 2; times += 1) await client.create('/api/notes', { title: 'a' });
  expect(await count('api::note.note')).toBe(4);
});

it('the cron trigger deletes all that is too old', async () => {
  await store('api::story.story', 2_500, 10, 1);
  await store('api::note.note', 3, 10, Date.now());
  await runCron(registry, limited(1_000_000));
  expect([await count('api::story.story'), await count('api::note.note')]).toEqual([0, 3]);
});
