/**
 * @module `Idempotency-Key`: a POST that is repeated creates one document.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiDocument, errorOf, totalOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { createToken, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const DAY = 24 * 60 * 60 * 1000;
const { client, send } = openMagazine({ roles: { public: ['api::comment.comment.create'] } });

const keyed = (key: string, init: RequestInit): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), 'idempotency-key': key },
});

const post = (key: string, data: object, { token = 'full', path = '/api/comments', from = send } = {}) =>
  from(path, keyed(key, sendJson('POST', token, { data })));

const isReplayed = ({ headers }: Response): boolean => headers.get('idempotency-replayed') === 'true';
const dataOf = async (response: Response) => (await response.json<{ data: ApiDocument }>()).data;
const total = (): Promise<number> => totalOf(client.get('/api/comments'));

async function storedRows(): Promise<number> {
  const row = await env.DB.prepare('select count(*) as "total" from edgewise_requests').first<{ total: number }>();
  return row?.total ?? 0;
}

beforeAll(async () => {
  await createToken('other', 'full-access');
  await createToken('reads', 'read-only');
  await client.get('/api/comments');
});

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

  it('has the status and the id of Strapi, if the settings say so', async () => {
    const from = serve({ api: { rest: { createResponse: 'strapi' } } });
    const [first, again] = [
      await post('strapi', { text: 'S' }, { from }),
      await post('strapi', { text: 'S' }, { from }),
    ];
    expect([first.status, again.status, isReplayed(again)]).toEqual([201, 201, true]);
    expect(await again.text()).toBe(await first.text());
  });

  it('shows the document as it is, if its response was not stored', async () => {
    const { documentId } = await dataOf(await post('lost', { text: 'Lost' }));
    await env.DB.prepare('update edgewise_requests set response = null').run();
    await client.update(`/api/comments/${documentId}`, { text: 'Changed' });
    const again = await post('lost', { text: 'Lost' });
    expect(isReplayed(again)).toBe(true);
    expect(await dataOf(again)).toMatchObject({ documentId, text: 'Changed' });
    await client.remove(`/api/comments/${documentId}`);
    expect((await post('lost', { text: 'Lost' })).status).toBe(404);
  });

  it('is written again after a day, and old rows are deleted', async () => {
    await env.DB.prepare('delete from edgewise_requests').run();
    for (let index = 0; index < 15; index += 1) await post(`old ${index}`.replace(' ', '-'), { text: `Old ${index}` });
    const before = await total();
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + DAY + 1000);
    const later = await post('old-12', { text: 'Old 12' });
    expect([later.status, isReplayed(later), await total()]).toEqual([200, false, before + 1]);
    expect(await storedRows()).toBe(15 - 11 + 1);
    await post('new', { text: 'New' });
    expect(await storedRows()).toBe(2);
  });

  it('is tried again if the first one was rejected', async () => {
    expect((await post('rejected', { text: 5 })).status).toBe(400);
    const rows = await storedRows();
    expect((await post('rejected', { text: 'Accepted' })).status).toBe(200);
    expect(await storedRows()).toBe(rows + 1);
  });
});

describe('a key', () => {
  it('of another body, path or query is a 422', async () => {
    await post('used', { text: 'Used' });
    const before = await total();
    const others = [
      { data: { text: 'Other' } },
      { data: { name: 'Used' }, path: '/api/tags' },
      { data: { text: 'Used' }, path: '/api/comments?fields=text' },
    ];
    for (const { data, path = '/api/comments' } of others)
      expect(await errorOf(post('used', data, { path }))).toEqual({
        status: 422,
        name: 'UnprocessableEntityError',
        message: 'Another request has used this Idempotency-Key',
        details: { source: 'header', header: 'Idempotency-Key' },
      });
    await post('same-body', { name: 'Same' }, { path: '/api/tags' });
    expect((await post('same-body', { name: 'Same' }, { path: '/api/authors' })).status).toBe(422);
    const { headers, ...init } = keyed('used', sendJson('POST', 'full', { data: { text: 'Used' } }));
    const v4 = { ...(headers as Record<string, string>), 'strapi-response-format': 'v4' };
    expect((await send('/api/comments', { ...init, headers: v4 })).status).toBe(422);
    expect(await total()).toBe(before);
  });

  it('belongs to its caller', async () => {
    const [mine, theirs] = [
      await post('shared', { text: 'A' }),
      await post('shared', { text: 'A' }, { token: 'other' }),
    ];
    expect(isReplayed(theirs)).toBe(false);
    expect((await dataOf(mine)).documentId).not.toBe((await dataOf(theirs)).documentId);
    expect((await post('shared', { text: 'A' }, { token: 'reads' })).status).toBe(403);
    expect((await post('shared', { text: 'A' }, { token: 'nobody' })).status).toBe(401);
  });

  it('of a caller without a credential is a 400', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"data":{"text":"P"}}' };
    expect(await errorOf(send('/api/comments', keyed('public', init)))).toMatchObject({
      status: 400,
      message: 'The header Idempotency-Key requires a credential',
    });
    expect((await send('/api/comments', init)).status).toBe(200);
  });

  it.each(['', ' ', 'a b', 'a\tb', 'ä', 'a'.repeat(256), 'a'.repeat(10_240)])(
    '%j is malformed, which is a 400 that names the header',
    async (key) => {
      const before = await total();
      expect(await errorOf(post(key, { text: 'Malformed' }))).toMatchObject({
        status: 400,
        name: 'ValidationError',
        details: { source: 'header', header: 'Idempotency-Key' },
      });
      expect(await total()).toBe(before);
    },
  );

  it.each([
    '!',
    '~'.repeat(255),
    '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
    "'; drop table tags --".replaceAll(' ', '/'),
  ])('%j is one', async (key) => {
    const [first, again] = [await post(key, { text: 'Odd' }), await post(key, { text: 'Odd' })];
    expect([first.status, again.status, isReplayed(again)]).toEqual([200, 200, true]);
  });
});

describe('concurrent requests with one key', () => {
  it('create one document: the others are a 409 with Retry-After', async () => {
    const before = await total();
    const all = await Promise.all(Array.from({ length: 10 }, () => post('at-once', { text: 'At once' })));
    const done = all.filter(({ status }) => status === 200);
    const rejected = all.filter(({ status }) => status === 409);
    expect([done.length + rejected.length, done.filter((each) => !isReplayed(each)).length]).toEqual([10, 1]);
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected[0]?.headers.get('retry-after')).toBe('1');
    expect(await errorOf(Promise.resolve(rejected[0] as Response))).toMatchObject({ name: 'ConflictError' });
    expect(await total()).toBe(before + 1);
    expect(isReplayed(await post('at-once', { text: 'At once' }))).toBe(true);
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it('in other isolates, too: who commits later has the response of the first', async () => {
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
    const later = await post('isolates', { text: 'Isolates' }, { from: slow });
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
    const withKey = await batchesOf((from) => post('cost', { text: 'Keyed' }, { from }));
    // The last batch stores the response, after it was sent.
    expect(withKey.map((batch) => batch.length)).toEqual([expect.any(Number), (plain[0]?.length ?? 0) + 2, 1]);
  });
});
