/**
 * @module Answers to pages of other origins.
 */
import { describe, expect, it } from 'vitest';
import type { Send } from '../../support/app.ts';
import { openMagazine } from '../../support/world.ts';

const ALLOWED = 'https://site.example';
const { send } = openMagazine({ cors: { origins: [ALLOWED] }, roles: { public: ['api::tag.tag.find'] } });
const preflight = (origin: string, path = '/api/tags', from: Send = send) =>
  from(path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-other' },
  });

describe('an origin that is not on the list', () => {
  it.each([
    'https://evil.example',
    'http://site.example',
    'https://site.example.evil.example',
    'https://site.example:8443',
    'null',
    'http://localhost:3000',
    'http://localhost.evil.example',
  ])('%s is not allowed by any answer', async (origin) => {
    const answers = [await preflight(origin), await send('/api/tags', { headers: { origin } })];
    for (const { headers } of answers)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('an origin on the list', () => {
  it.each(['/api/tags', '/api/nope', '/api/tags/abc'])('may ask before it sends something to %s', async (path) => {
    const response = await preflight(ALLOWED, path);
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS',
      'access-control-allow-headers': 'Content-Type,Authorization,Origin,Accept',
      'access-control-max-age': '31536000',
    });
  });

  it.each([
    ['/api/tags', 200],
    ['/api/articles', 403],
    ['/api/nope', 404],
    ['/api/tags?nope=1', 400],
  ])('reads the answer of %s, which is %i', async (path, status) => {
    const response = await send(path, { headers: { origin: ALLOWED } });
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-credentials': 'true',
      vary: expect.stringMatching(/origin/i),
    });
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'x-d1-bookmark,x-request-id,retry-after,etag,idempotency-replayed',
    );
  });

  it.each([
    ...['x-d1-bookmark', 'if-match', 'if-none-match', 'idempotency-key', 'strapi-encode-source-maps'],
    ...['mcp-protocol-version', 'mcp-method', 'mcp-name'],
  ])('may send %s, if it asks for that', async (name) => {
    const headers = {
      origin: ALLOWED,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': name,
    };
    const response = await send('/api/tags', { method: 'OPTIONS', headers });
    const allowed = `Content-Type,Authorization,Origin,Accept,${name}`;
    expect(response.headers.get('access-control-allow-headers')).toBe(allowed);
  });

  it('asks for the methods of a path like everybody, if it asks for no other request', async () => {
    const response = await send('/api/tags', { method: 'OPTIONS', headers: { origin: ALLOWED } });
    expect([response.status, response.headers.get('allow')]).toEqual([200, 'HEAD, GET, POST']);
  });

  it('reads the refusal of a bad token', async () => {
    const headers = { origin: ALLOWED, authorization: 'Bearer nope' };
    const response = await send('/api/tags', { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe(ALLOWED);
  });
});

describe('an answer to no origin', () => {
  it('allows none, and says that it depends on the origin', async () => {
    expect((await send('/api/tags')).headers.get('vary')).toMatch(/origin/i);
    expect((await send('/api/tags')).headers.get('access-control-allow-origin')).toBeNull();
  });
});
