/**
 * @module What is told of a request that reads many rows, and of which index would serve it.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Registry } from '../../../src/schema/model.ts';
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
beforeEach(() => void log.mockReturnValue());
afterEach(() => void log.mockReset());

openWorld(indexed);
beforeAll(async () => {
  const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)';
  await env.DB.prepare(
    `${numbers} insert into songs (document_id, locale, published_at, created_at, updated_at, name, mood, rank, lyrics)
     select 'song' || i, '', i, i, i, 'Song ' || i, 'mood ' || (i % 50), i, 'la la ' || i from n`,
  ).run();
});

/** The line that a request leaves in the log. */
async function told(search: string, registry: Registry = bare, host = 'https://api.example.com'): Promise<unknown> {
  await (await serveRegistry(registry)(`${host}/api/songs?${search}`, bearer('full'))).text();
  const [[line] = []] = log.mock.calls;
  log.mockClear();
  return line;
}

const settingOf = async (search: string, registry: Registry = bare): Promise<string | undefined> => {
  const line = await told(search, registry);
  return line === undefined ? undefined : (JSON.parse(String(line)) as { setting: string }).setting;
};

describe('nothing is told', () => {
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
  ])('of %s', async (search, registry) => {
    expect(await told(search, registry)).toBeUndefined();
  });
});

describe('a request that reads many rows', () => {
  it.each([
    ['sort=name', [['name']]],
    ['sort=rank:desc,name', [['rank:desc', 'name']]],
    ['filters[mood]=mood 8&sort=name:desc', [['mood', 'name:desc']]],
    ['filters[mood][$in]=x&filters[rank][$gt]=2499', [['mood', 'rank']]],
    ['filters[rank][$gt]=2499', [['rank']]],
  ])('is told with the index that would serve it: %s', async (search, indexes) => {
    await env.DB.prepare('drop index if exists songs_by_rank').run();
    await env.DB.prepare('drop index if exists songs_by_mood_rank_desc').run();
    const expected = JSON.stringify(indexes).replaceAll('"', "'").replaceAll("','", "', '");
    expect(await settingOf(search)).toBe(`indexes: { '${UID}': ${expected} }`);
  });

  it.each(['_q=nothing', 'filters[lyrics][$contains]=nothing', 'filters[name][$endsWith]=nothing&filters[rank]=1'])(
    'for a text is told with a search index: %s',
    async (search) => {
      expect(await settingOf(search)).toBe(`search: ['${UID}']`);
    },
  );

  it('is one line with its id, and without what was looked for', async () => {
    expect(JSON.parse(String(await told('filters[name]=secret')))).toEqual({
      requestId: expect.any(String),
      message: 'many rows read',
      path: '/api/songs',
      rowsRead: expect.any(Number),
      rows: 0,
      setting: `indexes: { '${UID}': [['name']] }`,
    });
  });

  it('is told once a minute, whatever is looked for, and other advice beside it', async () => {
    const serve = serveRegistry(bare);
    const ask = async (search: string) =>
      void (await (await serve(`https://api.example.com/api/songs?${search}`, bearer('full'))).text());
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      await ask('filters[name]=a');
      await ask('filters[name]=b');
      expect(log).toHaveBeenCalledTimes(1);
      await ask('filters[mood]=a&sort=name');
      expect(log).toHaveBeenCalledTimes(2);
      vi.advanceTimersByTime(60_000);
      await ask('filters[name]=c');
      expect(log).toHaveBeenCalledTimes(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is a hint on a local server, each time', async () => {
    const serve = serveRegistry(bare);
    for (const name of ['a', 'b'])
      await (await serve(`http://localhost:8787/api/songs?filters[name]=${name}`, bearer('full'))).text();
    expect(log).toHaveBeenCalledTimes(2);
    log.mockClear();
    expect(await told('sort=name&pagination[pageSize]=3', bare, 'http://localhost:8787')).toMatch(
      /^hint: \/api\/songs read \d+ rows to answer 3\. In edgewise\.config\.ts: indexes: \{ 'api::song\.song': \[\['name'\]\] \}$/,
    );
  });
});
