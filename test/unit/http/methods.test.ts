/**
 * @module Methods that a path does not have, and paths that no read may have.
 */
import { Hono } from 'hono';
import { PatternRouter } from 'hono/router/pattern-router';
import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../../src/common/errors.ts';
import type { App } from '../../../src/http/context.ts';
import { addRoutes, otherMethod } from '../../../src/http/methods.ts';

const app = new Hono({ router: new PatternRouter() }) as unknown as App;
const ROUTES = [
  ['GET', '/users/me'],
  ['GET', '/users/:id'],
  ['PUT', '/users/:id'],
  ['DELETE', '/users/:id'],
  ['GET', '/users/:id/keys'],
  ['POST', '/auth/:name'],
  ['POST', '/auth/:name'],
] as const;
addRoutes(
  app,
  ROUTES.map(([method, path]) => ({ method, path })),
  ({ method, path }) => [async (context) => context.text(`${method} ${path}`)],
);
app.all('*', (context) => otherMethod(context, 'HEAD, GET'));
app.onError((error, context) => context.text((error as ApiError).problem.kind, 400));
const send = (method: string, path: string) => app.request(`http://edgewise.test${path}`, { method });

it.each([
  ['GET', '/users/me', 'GET /users/me'],
  ['PUT', '/users/me', 'PUT /users/:id'],
  ['GET', '/users/5', 'GET /users/:id'],
  ['POST', '/auth/local', 'POST /auth/:name'],
])('%s %s is served by its route', async (method, path, route) => {
  expect(await (await send(method, path)).text()).toBe(route);
});

describe('another method of a path', () => {
  it.each([
    ['/users/me', 'HEAD, GET, PUT, DELETE'],
    ['/users/5', 'HEAD, GET, PUT, DELETE'],
    ['/users/5/keys', 'HEAD, GET'],
    ['/auth/local', 'HEAD, GET, POST'],
    ['/nope', 'HEAD, GET'],
  ])('of %s is rejected with %s', async (path, allow) => {
    const [patch, options, other] = await Promise.all(['PATCH', 'OPTIONS', 'LOCK'].map((method) => send(method, path)));
    expect([patch?.status, options?.status, other?.status]).toEqual([405, 200, 501]);
    for (const response of [patch, options, other]) expect(response?.headers.get('allow')).toBe(allow);
    expect(options?.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(await Promise.all([patch?.text(), options?.text(), other?.text()])).toEqual([
      'Method Not Allowed',
      '',
      'Not Implemented',
    ]);
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s is known', async (method) => {
    expect((await send(method, '/nope')).status).toBe(405);
  });

  it.each(['GET', 'HEAD'])('%s is not found', async (method) => {
    const response = await send(method, '/auth/local');
    expect([response.status, method === 'GET' ? await response.text() : 'not-found']).toEqual([400, 'not-found']);
  });
});

it.each(['/auth/%00', '/auth/%zz'])('%s is no path that may be read', async (path) => {
  expect(await (await send('GET', path)).text()).toBe('bad-path');
  expect((await send('PATCH', path)).status).toBe(405);
});
