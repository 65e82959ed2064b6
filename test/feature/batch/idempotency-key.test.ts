/**
 * @module `Idempotency-Key` of a batch: it is carried out once.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createRegistryTables, serveRegistry } from '../../support/app.ts';
import { clientOf, documentsOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { createToken } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([
  contentType('note', { text: { type: 'string' }, code: { type: 'string', unique: true } }),
]);
const counted = countedDatabase(env.DB);
const send = serveRegistry(registry, {}, { DB: counted.database });
const full = clientOf(send, 'full');

const write = (code: string, text = 'x') => ({ method: 'POST', path: '/api/notes', body: { data: { text, code } } });

const ask = (key: string, requests: unknown, token = 'full') =>
  send('/api/batch', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ requests }),
  });
const count = async (code: string) =>
  (await documentsOf(full.get(`/api/notes?filters[code][$startsWith]=${code}`))).length;

beforeAll(async () => {
  await createRegistryTables(registry);
  for (const token of ['full', 'other']) await createToken(token, 'full-access');
});

describe('a batch with a key', () => {
  it('is carried out once, and repeated with the same bodies', async () => {
    const requests = [write('a1'), write('a2'), { method: 'DELETE', path: '/api/notes/nothing' }];
    const first = await ask('k1', requests);
    const body = await first.text();
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await ask('k1', requests);
    expect([again.status, await again.text()]).toEqual([200, body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await count('a')).toBe(2);
  });

  it('is rejected for other requests, and is that of its caller', async () => {
    await ask('k2', [write('b1')]);
    expect((await ask('k2', [write('b2')])).status).toBe(422);
    expect((await ask('k2', [write('b3')], 'other')).status).toBe(200);
    expect((await ask('x'.repeat(10_000), [write('b4')])).status).toBe(400);
    expect((await ask('k2', [write('b5')], '')).status).toBe(400);
    expect(await count('b')).toBe(2);
  });

  it('that was rejected is tried again', async () => {
    expect((await ask('k3', [write('a1')])).status).toBe(400);
    const { documentId } = (await documentsOf(full.get('/api/notes?filters[code]=a1')))[0] ?? {};
    await full.remove(`/api/notes/${documentId}`);
    expect((await ask('k3', [write('a1')])).status).toBe(200);
  });

  it('sent ten times at once writes once', async () => {
    const servers = Array.from({ length: 10 }, () => ask('k4', [write('d1'), write('d2')]));
    const statuses = (await Promise.all(servers)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect(statuses).toContain(200);
    expect(await count('d')).toBe(2);
  });

  it('is in progress until its response is stored, and for ten seconds at most', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    await ask('k6', [write('f1')]);
    await env.DB.prepare('update edgewise_requests set response = null').run();
    const early = await ask('k6', [write('f1')]);
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '1']);
    const age = (by: number) =>
      env.DB.prepare('update edgewise_requests set created_at = created_at - ?').bind(by).run();
    await age(9_999);
    expect((await ask('k6', [write('f1')])).status).toBe(409);
    await age(1);
    expect((await ask('k6', [write('f1')])).status).toBe(400);
    expect(await count('f')).toBe(1);
    vi.restoreAllMocks();
  });

  it('is not repeated for a caller who has lost the right to a request', async () => {
    await createToken('losing', 'custom', ['api::note.note.create', 'api::note.note.find']);
    const requests = [write('g1'), write('g2')];
    expect((await ask('k7', requests, 'losing')).status).toBe(200);
    expect((await ask('k7', requests, 'losing')).headers.get('idempotency-replayed')).toBe('true');
    await env.DB.prepare(
      `update strapi_api_tokens set permissions = '["api::note.note.find"]' where name = 'losing'`,
    ).run();
    expect((await ask('k7', requests, 'losing')).status).toBe(403);
    expect(await count('g')).toBe(2);
  });

  it('takes three round trips', async () => {
    counted.batches.length = 0;
    await ask('k5', [write('e1'), write('e2')]);
    expect(counted.answering().length).toBeLessThanOrEqual(3);
  });
});
