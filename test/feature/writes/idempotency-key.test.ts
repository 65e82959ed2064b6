/**
 * @module `Idempotency-Key`: a POST that is repeated creates one document.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiDocument, totalOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const DAY = 24 * 60 * 60 * 1000;
const { client, send } = openMagazine();

function post(key: string, data: object, from = send): Promise<Response> {
  const { headers, ...init } = sendJson('POST', 'full', { data });
  return from('/api/comments', {
    ...init,
    headers: { ...(headers as Record<string, string>), 'idempotency-key': key },
  });
}

const isReplayed = ({ headers }: Response): boolean => headers.get('idempotency-replayed') === 'true';
const total = (): Promise<number> => totalOf(client.get('/api/comments'));

async function storedRows(): Promise<number> {
  const row = await env.DB.prepare('select count(*) as "total" from edgewise_requests').first<{ total: number }>();
  return row?.total ?? 0;
}

beforeEach(() => {
  vi.restoreAllMocks();
});

describe('a repeated POST', () => {
  it('has the first response, also after the document was changed and deleted', async () => {
    const first = await post('repeat', { text: 'Repeated' });
    expect([first.status, isReplayed(first)]).toEqual([200, false]);
    const text = await first.text();
    const before = await total();
    const path = `/api/comments/${(JSON.parse(text) as { data: ApiDocument }).data.documentId}`;
    for (const between of [
      () => undefined,
      () => client.update(path, { text: 'Changed' }),
      () => client.remove(path),
    ]) {
      await between();
      const again = await post('repeat', { text: 'Repeated' });
      expect([again.status, isReplayed(again), await again.text()]).toEqual([200, true, text]);
    }
    expect(await total()).toBe(before - 1);
  });

  it('is written again after a day, and old rows are deleted', async () => {
    await env.DB.prepare('delete from edgewise_requests').run();
    for (let index = 0; index < 15; index += 1) await post(`old-${index}`, { text: `Old ${index}` });
    const before = await total();
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + DAY + 1000);
    const later = await post('old-12', { text: 'Old 12' });
    expect([later.status, isReplayed(later), await total()]).toEqual([200, false, before + 1]);
    expect(await storedRows()).toBe(15 - 11 + 1);
    await post('new', { text: 'New' });
    expect(await storedRows()).toBe(2);
  });

  it('that another isolate has carried out meanwhile has the response of the first', async () => {
    const before = await total();
    await post('isolates', { text: 'Isolates' });
    const { results } = await env.DB.prepare('select * from edgewise_requests').all<Record<string, unknown>>();
    const row = results.at(-1) ?? {};
    await env.DB.prepare('delete from edgewise_requests').run();
    const columns = Object.keys(row);
    const meanwhile = () =>
      env.DB.prepare(`insert into edgewise_requests (${columns}) values (${columns.map(() => '?')})`)
        .bind(...Object.values(row))
        .run();
    const slow = serve({}, { DB: interleavedDatabase(env.DB, 1, meanwhile) });
    const later = await post('isolates', { text: 'Isolates' }, slow);
    expect([later.status, isReplayed(later), await total()]).toEqual([200, true, before + 1]);
  });
});

describe('the cost', () => {
  it('without a key is nothing, and with one a round trip before the write', async () => {
    const batchesOf = async (request: (from: typeof send) => Promise<Response>) => {
      const { database, answering } = countedDatabase(env.DB);
      await request(serve({}, { DB: database }));
      return answering();
    };
    const plain = await batchesOf((from) =>
      from('/api/comments', sendJson('POST', 'full', { data: { text: 'Plain' } })),
    );
    expect(plain.flat().join()).not.toContain('edgewise_requests');
    const withKey = await batchesOf((from) => post('cost', { text: 'Keyed' }, from));
    // The last batch stores the response, after it was sent.
    expect(withKey.map((batch) => batch.length)).toEqual([expect.any(Number), (plain[0]?.length ?? 0) + 2, 1]);
  });
});
