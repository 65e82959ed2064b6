/**
 * @module Tokens that change: what the database says of a token holds for the very next request.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { bearer, createTables, createToken, serve } from '../../support/recorded.ts';

const send = serve();
const HOUR = 3_600_000;

beforeAll(createTables);

const set = (token: string, column: string, value: string | number | null) =>
  env.DB.prepare(`update "strapi_api_tokens" set "${column}" = ? where "name" = ?`).bind(value, token).run();

async function lastUsed(token: string): Promise<number | null> {
  const sql = 'select "last_used_at" as "at" from "strapi_api_tokens" where "name" = ?';
  return (await env.DB.prepare(sql).bind(token).first<{ at: number | null }>())?.at ?? null;
}

/** A token that the isolate has used and so remembers. */
async function usedToken(name: string, type = 'full-access', permissions: string[] | null = null) {
  await createToken(name, type, permissions);
  const client = clientOf(send, name);
  await client.get('/api/tags');
  return client;
}

const revoke = (token: string) => env.DB.prepare('delete from "strapi_api_tokens" where "name" = ?').bind(token).run();

describe('a token that is revoked', () => {
  it('stops at the next read', async () => {
    const client = await usedToken('revoked-before-a-read');
    expect((await client.get('/api/tags')).status).toBe(200);
    await revoke('revoked-before-a-read');
    expect((await client.get('/api/tags')).status).toBe(401);
    expect((await client.get('/api/tags?nope=1')).status).toBe(401);
    expect((await client.get('/api/tags/abc')).status).toBe(401);
  });

  it('writes nothing any more', async () => {
    const client = await usedToken('revoked-before-a-write');
    await revoke('revoked-before-a-write');
    await client.create('/api/tags', { name: 'never' });
    await client.create('/api/comments', { text: 'never' });
    const { results } = await env.DB.prepare(`select "name" from "tags" where "name" = 'never'`).all();
    expect(results).toEqual([]);
    expect((await env.DB.prepare(`select * from "comments"`).all()).results).toEqual([]);
  });

  it('is told 401 by a write that reads first', async () => {
    const client = await usedToken('revoked-before-a-create');
    await revoke('revoked-before-a-create');
    expect((await client.create('/api/tags', { name: 'never' })).status).toBe(401);
  });

  it('is told 401 by a write that needs no reading', async () => {
    const client = await usedToken('revoked-before-a-delete');
    await revoke('revoked-before-a-delete');
    expect((await client.create('/api/comments', { text: 'never' })).status).toBe(401);
    expect((await client.remove('/api/tags/abc')).status).toBe(401);
  });
});

describe('a token that expires', () => {
  it('is refused from that moment on', async () => {
    const client = await usedToken('expiring');
    await set('expiring', 'expires_at', Date.now() + HOUR);
    expect((await client.get('/api/tags')).status).toBe(200);
    await set('expiring', 'expires_at', Date.now() - 1);
    expect((await client.get('/api/tags')).status).toBe(401);
    expect((await client.create('/api/tags', { name: 'too late' })).status).toBe(401);
  });

  it('is refused at its first use, too', async () => {
    await createToken('expired', 'full-access');
    await set('expired', 'expires_at', Date.now() - 1);
    expect((await clientOf(send, 'expired').get('/api/tags')).status).toBe(401);
  });
});

describe('rights that change', () => {
  it('are lost at once', async () => {
    const client = await usedToken('degraded');
    await set('degraded', 'type', 'read-only');
    expect((await client.create('/api/tags', { name: 'no more' })).status).toBe(403);
    await set('degraded', 'type', 'custom');
    expect((await client.get('/api/tags')).status).toBe(403);
  });

  it('are lost at once for a write that needs no reading', async () => {
    const client = await usedToken('degraded-writer');
    await set('degraded-writer', 'type', 'read-only');
    expect((await client.create('/api/comments', { text: 'no more' })).status).toBe(403);
    expect((await client.remove('/api/tags/abc')).status).toBe(403);
  });

  it('are gained at once', async () => {
    const client = await usedToken('promoted', 'custom', ['api::tag.tag.find']);
    expect((await client.create('/api/tags', { name: 'not yet' })).status).toBe(403);
    await set('promoted', 'permissions', JSON.stringify(['api::tag.tag.create']));
    expect((await client.create('/api/tags', { name: 'now' })).status).toBe(200);
    expect((await client.get('/api/tags')).status).toBe(403);
  });
});

describe('a token of a type that nobody knows, or of none', () => {
  it.each(['strange', null])('is valid and may do nothing: %s', async (type) => {
    const token = `token-${type}`;
    await usedToken(token);
    await set(token, 'type', type);
    const statusOf = async (path: string) => (await send(path, bearer(token))).status;
    expect([await statusOf('/api/tags'), await statusOf('/openapi.json')]).toEqual([403, 200]);
    expect((await clientOf(send, token).create('/api/tags', { name: 'No' })).status).toBe(403);
  });
});

describe('when a token was last used', () => {
  it('is noted with the first request', async () => {
    const before = Date.now();
    await usedToken('noted');
    expect(await lastUsed('noted')).toBeGreaterThanOrEqual(before);
  });

  it('is noted again after an hour, and not before', async () => {
    const client = await usedToken('noted-again');
    const recent = Date.now() - HOUR / 2;
    await set('noted-again', 'last_used_at', recent);
    await client.get('/api/tags');
    expect(await lastUsed('noted-again')).toBe(recent);
    await set('noted-again', 'last_used_at', Date.now() - 2 * HOUR);
    await client.get('/api/tags');
    expect(await lastUsed('noted-again')).toBeGreaterThan(recent);
  });

  it('is not noted for a token that is refused', async () => {
    await createToken('refused', 'full-access');
    await set('refused', 'expires_at', 1);
    await clientOf(send, 'refused').get('/api/tags');
    expect(await lastUsed('refused')).toBeNull();
  });
});
