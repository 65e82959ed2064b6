/**
 * @module The one form of every error.
 */
import { describe, expect, it } from 'vitest';
import { sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({ api: { rest: { limits: { bodyBytes: 1_000 } } } });
const auth = { authorization: 'Bearer full' };
const json = { ...auth, 'content-type': 'application/json' };

/** Name, keys of the error, and a request that leads to it. */
const CASES: readonly (readonly [number, string, boolean, string, RequestInit])[] = [
  [400, 'ValidationError', true, '/api/tags?nope=1', { headers: auth }],
  [400, 'ValidationError', true, '/api/tags', sendJson('POST', 'full', { data: { name: 5 } })],
  [400, 'PaginationError', true, '/api/tags?pagination[page]=1&pagination[start]=1', { headers: auth }],
  [400, 'SyntaxError', false, '/api/tags', { method: 'POST', headers: json, body: '{' }],
  [400, 'BadRequestError', false, '/api/%00', {}],
  [401, 'UnauthorizedError', true, '/api/tags', { headers: { authorization: 'Bearer nope' } }],
  [403, 'ForbiddenError', true, '/api/tags', {}],
  [404, 'NotFoundError', true, '/api/nope', {}],
  [404, 'NotFoundError', true, '/api/tags/nope', { headers: auth }],
  [413, 'PayloadTooLargeError', true, '/api/tags', { method: 'POST', headers: json, body: 'x'.repeat(2_000) }],
];

describe('an error', () => {
  it.each(CASES)('of %i %s has its form (details: %s) at %s', async (status, name, details, path, init) => {
    const response = await send(path, init);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = (await response.json()) as { error: Record<string, unknown> };
    expect(Object.keys(body)).toEqual(['data', 'error']);
    expect(body).toMatchObject({ data: null, error: { status, name, message: expect.any(String) } });
    expect(Object.keys(body.error)).toEqual(['status', 'name', 'message', ...(details ? ['details'] : [])]);
  });
});
