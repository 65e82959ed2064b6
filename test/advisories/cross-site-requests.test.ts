/**
 * @module Requests that pages of other sites make the browsers of visitors send: they have no credential, and no response
 * that such a page may read.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../support/recorded.ts';
import { join, withUsers } from '../support/sessions.ts';
import { login, PASSWORD } from '../support/users.ts';
import { createWorld, send, settings, world } from './world.ts';

beforeAll(createWorld);

/** CVE-2025-53092, GHSA-9329-mxxw-qwf8 */
it.each([
  'https://evil.example',
  'null',
  'https://site.example.evil.example',
  'https://site.exampleevil',
  'http://site.example',
])('the origin %s gets no CORS headers where another one is listed', async (origin) => {
  const site = serve({ ...settings, cors: { origins: ['https://site.example'] } });
  for (const init of [
    { headers: { origin, authorization: `Bearer ${world.jwt}` } },
    { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } },
  ]) {
    const { headers } = await site('/api/articles', init);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-allow'))).toEqual([]);
    expect(headers.get('vary')).toContain('Origin');
  }
  const allowed = await site('/api/articles', { headers: { origin: 'https://site.example' } });
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://site.example');
});

/** Payload CVE-2026-34749 */
describe('a request that the browser of a visitor sends', () => {
  it('has no credential in a cookie, and no response sets one', async () => {
    const signedIn = await login(send, 'attacker');
    expect(signedIn.status).toBe(200);
    expect(signedIn.headers.get('set-cookie')).toBeNull();
    for (const cookie of [
      `jwt=${world.jwt}`,
      `token=full`,
      `strapi_jwt=${world.jwt}`,
      `authorization=Bearer ${world.jwt}`,
    ])
      expect((await send('/api/users/me', { headers: { cookie } })).status).toBe(403);
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x', '', 'text/plain; application/json'])(
    'has no body that is read with the type %j, which takes no preflight',
    async (type) => {
      const body = JSON.stringify({ identifier: 'attacker', password: PASSWORD });
      const response = await send('/api/auth/local', { method: 'POST', headers: { 'content-type': type }, body });
      expect(response.status).toBe(400);
    },
  );
});

/** Payload CVE-2026-34749 */
describe('the cookie of a refresh token', () => {
  const EVIL = 'https://evil.example';
  const site = withUsers({ sessions: { httpOnly: true, cookie: { sameSite: 'none' } } });

  async function visitor(name: string): Promise<string> {
    await join(name);
    const answer = await login(site, name);
    return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  }

  it('is no credential, but for a refresh', async () => {
    const cookie = await visitor('browsing');
    for (const [method, path, refused] of [
      ['GET', '/api/users/me', 403],
      ['GET', '/api/tags', 403],
      ['POST', '/api/tags', 403],
      ['GET', '/api/auth/sessions', 403],
      ['POST', '/api/auth/logout', 401],
      ['POST', '/api/auth/change-password', 403],
    ] as const) {
      const { status } = await site(path, { method, headers: { cookie, origin: EVIL } });
      expect([method, path, status]).toEqual([method, path, refused]);
    }
    expect((await site('/api/auth/refresh', { method: 'POST', headers: { cookie } })).status).toBe(200);
  });

  it('gives another page no access token that it could read', async () => {
    const cookie = await visitor('visiting');
    const response = await site('/api/auth/refresh', { method: 'POST', headers: { cookie, origin: EVIL } });
    expect(response.status).toBe(200);
    const allowed = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(allowed).toEqual([]);
    for (const method of ['GET', 'HEAD'])
      expect((await site('/api/auth/refresh', { method, headers: { cookie } })).status).toBe(404);
  });

  it('is never visible to a script', async () => {
    const cookie = await visitor('scripting');
    const response = await site('/api/auth/refresh', { method: 'POST', headers: { cookie } });
    expect(await response.clone().text()).not.toContain('refreshToken');
    expect(response.headers.get('set-cookie')).toContain('HttpOnly; Secure; SameSite=None');
  });
});
