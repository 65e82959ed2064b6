/**
 * @module Tokens as requests carry them, and when they were last used.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { clientOf, errorOf } from '../../support/client.ts';
import { bearer, createToken } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
const HOUR = 3_600_000;

const set = (token: string, column: string, value: number) =>
  env.DB.prepare(`update "strapi_api_tokens" set "${column}" = ? where "name" = ?`).bind(value, token).run();

async function lastUsed(token: string): Promise<number | null> {
  const sql = 'select "last_used_at" as "at" from "strapi_api_tokens" where "name" = ?';
  return (await env.DB.prepare(sql).bind(token).first<{ at: number | null }>())?.at ?? null;
}

/** A token that was used once. */
async function usedToken(name: string) {
  await createToken(name, 'full-access');
  const client = clientOf(send, name);
  await client.get('/api/tags');
  return client;
}

describe('a token', () => {
  it.each(['ful', 'fulll', 'FULL', 'its hash'])('is not known by another text: %s', async (text) => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('full'));
    const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const token = text === 'its hash' ? hash : text;
    expect((await send('/api/tags', bearer('full'))).status).toBe(200);
    expect(await errorOf(send('/api/tags', bearer(token)))).toEqual({
      status: 401,
      name: 'UnauthorizedError',
      message: 'Missing or invalid credentials',
      details: {},
    });
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('has a scheme that is written as one likes: %s', async (scheme) => {
    const answer = await send('/api/tags', { headers: { authorization: `${scheme}  full` } });
    expect(answer.status).toBe(200);
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
    expect((await clientOf(send, 'refused').get('/api/tags')).status).toBe(401);
    expect(await lastUsed('refused')).toBeNull();
  });
});
