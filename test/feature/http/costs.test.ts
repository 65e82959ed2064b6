/**
 * @module Requests that read many rows, of which nothing is told: no index would serve them better.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { bearer } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const UID = 'api::song.song';
const FILES = [
  contentType('song', {
    name: { type: 'string' },
    mood: { type: 'string' },
    rank: { type: 'integer' },
    lyrics: { type: 'text' },
    author: { type: 'relation', relation: 'manyToOne', target: UID },
  }),
];
const bare = registryOf(FILES);
const indexed = registryOf(FILES, [], {}, { indexes: { [UID]: [['mood', 'rank:desc'], ['rank']] }, search: [UID] });

const log = vi.spyOn(console, 'warn');
beforeEach(() => void log.mockReset().mockReturnValue());

openWorld(indexed);
beforeAll(async () => {
  const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)';
  await env.DB.prepare(
    `${numbers} insert into songs (document_id, locale, published_at, created_at, updated_at, name, mood, rank, lyrics)
     select 'song' || i, '', i, i, i, 'Song ' || i, 'mood ' || (i % 50), i, 'la la ' || i from n`,
  ).run();
});

it.each([
  ['', bare],
  ['sort=createdAt:desc', bare],
  ['pagination[page]=3', bare],
  ['filters[documentId]=song7', bare],
  ['filters[author][name]=x', bare],
  ['sort=author.name', bare],
  ['sort=lyrics', bare],
  ['sort=rank', indexed],
  ['filters[mood]=mood 7&sort=rank:desc', indexed],
  ['_q=song 77', indexed],
])('nothing is told of %s', async (search, registry) => {
  const ask = async (asked: string, by = registry) => {
    const response = await serveRegistry(by)(`https://api.example.com/api/songs?${asked}`, bearer('full'));
    expect(response.status).toBe(200);
    await response.text();
  };
  await ask(search);
  expect(log).not.toHaveBeenCalled();
  await ask('sort=name', bare);
  expect(log).toHaveBeenCalledTimes(1);
});
