/**
 * @module Answers at every path: methods, bodies that are compressed, request ids, what is logged, and the icon.
 */
import { describe, expect, it, vi } from 'vitest';
import { errorOf } from '../../support/client.ts';
import { bearer } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine({ roles: { public: ['api::tag.tag.find'] } });

it('OPTIONS without an origin needs no credential that is valid', async () => {
  const response = await send('/api/tags', { method: 'OPTIONS', ...bearer('expired.or.forged') });
  expect([response.status, response.headers.get('allow')]).toEqual([200, 'HEAD, GET, POST']);
  expect((await send('/api/tags', { method: 'PATCH', ...bearer('expired.or.forged') })).status).toBe(401);
});

it('/_health is 204 for every method', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS']) {
    const response = await send('/_health', { method });
    expect([method, response.status, await response.text()]).toEqual([method, 204, '']);
  }
});

describe('a body with a Content-Encoding', () => {
  it.each(['/api/tags', '/api/auth/local', '/api/users', '/api/upload', '/api/nope'])('is 415 at %s', async (path) => {
    const headers = { authorization: 'Bearer full', 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(await errorOf(send(path, { method: 'POST', headers, body: '{"data":{"name":"a"}}' }))).toEqual({
      status: 415,
      name: 'Error',
      message: 'Unsupported Content-Encoding: gzip',
    });
  });

  it('concerns no read, which has none', async () => {
    expect((await send('/api/tags', { headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
  });
});

describe('every answer', () => {
  it.each([
    ['/api/tags', 200],
    ['/api/articles', 403],
    ['/api/nope', 404],
  ])('of %s carries a request id of its own', async (path, status) => {
    const answers = [await send(path), await send(path)];
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).not.toBe(ids[0]);
  });

  it('carries the request id of the caller, if it is a decent one', async () => {
    const own = await send('/api/tags', { headers: { 'x-request-id': 'my-request-1' } });
    expect(own.headers.get('x-request-id')).toBe('my-request-1');
    const bad = await send('/api/tags', { headers: { 'x-request-id': '<script>' } });
    expect(bad.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it('a refusal is no error of the server and is not logged', async () => {
  const log = vi.spyOn(console, 'error');
  expect((await client.get('/api/tags?nope=1')).status).toBe(400);
  expect((await send('/api/tags', bearer('nope'))).status).toBe(401);
  expect(log).not.toHaveBeenCalled();
  log.mockRestore();
});

it('there is an icon', async () => {
  const icon = await send('/favicon.ico');
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
});
