/**
 * @module Which texts are refresh tokens.
 */
import { sign } from 'hono/utils/jwt/jwt';
import { expect, it } from 'vitest';
import { issueRefreshToken, readRefreshToken } from '../../../src/content/credentials/jwt.ts';

const SECRET = 'a secret of the test';
const issuance = { id: 7, now: Date.now(), notBefore: 0, lifetime: 60 };

it('is read as it was issued', async () => {
  const token = await issueRefreshToken(issuance, 'session', 'key', SECRET);
  expect(await readRefreshToken(token, SECRET)).toEqual({ id: 7, session: 'session', key: 'key' });
  expect(await readRefreshToken(token, 'another secret')).toBeUndefined();
});

it.each([
  { type: 'access' },
  { type: undefined },
  { userId: 7 },
  { userId: '0' },
  { userId: '07' },
  { userId: '7e1' },
  { userId: '1'.repeat(16) },
  { sessionId: '' },
  { sessionId: 1 },
  { jti: undefined },
  { aud: 'another' },
  { iat: 0 },
  { exp: undefined },
])('is none with %j', async (changed) => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { type: 'refresh', userId: '7', sessionId: 'session', jti: 'key', iat: now, exp: now + 60 };
  const tokenOf = (payload: object) => sign(payload as Parameters<typeof sign>[0], SECRET, 'HS256');
  expect(await readRefreshToken(await tokenOf(claims), SECRET)).toBeDefined();
  expect(await readRefreshToken(await tokenOf({ ...claims, ...changed }), SECRET)).toBeUndefined();
});
