/**
 * @module Invalid inputs of account routes: which error comes before a validation error.
 */
import { describe, expect, it } from 'vitest';
import { sendJson, serve } from '../../support/recorded.ts';
import { post, refusalOf } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const users = { jwtManagement: 'refresh' } as const;
const { send } = openMagazine({ users });
const LONG = { deviceId: 'x'.repeat(256) };

const malformed = (path: string, headers: Record<string, string>) =>
  send(path, { method: 'POST', body: '{"email":', headers: { 'content-type': 'application/json', ...headers } });

describe('before a validation error', () => {
  it.each([
    ['register', '400 ApplicationError: Register action is currently disabled'],
    ['reset-password', '400 ValidationError: 3 errors occurred'],
  ])('disabled registration closes %s alone as its setting says', async (path, refusal) => {
    const closed = serve({ users: { allowRegistration: false } });
    const full = `/api/auth/${path === 'register' ? 'local/register' : path}`;
    expect(await refusalOf(await post(closed, full, {}))).toBe(refusal);
  });

  it('a caller of the wrong kind gets the error of the route', async () => {
    const path = '/api/auth/change-password';
    const refusal = '400 ApplicationError: You must be authenticated to reset your password';
    expect(await refusalOf(await post(send, path, {}, 'full'))).toBe(refusal);
    expect(await refusalOf(await post(send, '/api/auth/logout', LONG, 'full'))).toMatch(
      /^401 .*Missing authentication/,
    );
    expect(await refusalOf(await post(serve(), '/api/auth/logout', LONG, 'full'))).toBe('404 NotFoundError: Not Found');
  });

  it('an update of a missing user is a 404', async () => {
    const update = sendJson('PUT', 'full', { email: 5 });
    expect(await refusalOf(await send('/api/users/999999', update))).toBe('404 NotFoundError: User not found');
  });
});

describe('an input', () => {
  it('is read beside a cookie with a refresh token, since that of the body comes first', async () => {
    const refusal = await refusalOf(await malformed('/api/auth/refresh', { cookie: 'strapi_up_refresh=abc' }));
    expect(refusal).toMatch(/^400 /);
    expect(await refusalOf(await malformed('/api/auth/refresh', {}))).toMatch(/^400 SyntaxError/);
  });

  it('is a query with brackets', async () => {
    const refusal = await refusalOf(await send('/api/auth/email-confirmation?confirmation[a]=b'));
    expect(refusal).toBe('400 ValidationError: confirmation must be a `string` type.');
  });

  it('keeps a number that JSON cannot print', async () => {
    const init = { method: 'POST', body: '{"identifier":1e999,"password":"a"}' };
    const response = await send('/api/auth/local', { ...init, headers: { 'content-type': 'application/json' } });
    expect(await refusalOf(response)).toContain('Infinity');
  });
});
