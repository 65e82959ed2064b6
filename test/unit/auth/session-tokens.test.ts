/**
 * @module Which texts are tokens of a session.
 */
import { sign } from 'hono/utils/jwt/jwt';
import { expect, it } from 'vitest';
import {
  issueAccessToken,
  issueRefreshToken,
  readAccessToken,
  readRefreshToken,
} from '../../../src/content/credentials/jwt.ts';

const SECRET = 'a secret of the test';
const issuance = { id: 7, now: Date.now(), notBefore: 0, lifetime: 60 };

it('a refresh token is read as it was issued', async () => {
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
  { iat: 1.5 },
  { exp: undefined },
])('a refresh token is none with %j', async (changed) => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { type: 'refresh', userId: '7', sessionId: 'session', jti: 'key', iat: now, exp: now + 60 };
  const tokenOf = (payload: object) => sign(payload as Parameters<typeof sign>[0], SECRET, 'HS256');
  expect(await readRefreshToken(await tokenOf(claims), SECRET)).toBeDefined();
  expect(await readRefreshToken(await tokenOf({ ...claims, ...changed }), SECRET)).toBeUndefined();
});

it('an access token is read as it was issued', async () => {
  const now = Math.floor(Date.now() / 1000) * 1000;
  const token = await issueAccessToken({ ...issuance, now }, 'session', SECRET);
  expect(await readAccessToken(token, SECRET)).toEqual({ id: 7, issuedAt: now, session: 'session' });
  for (const secret of ['another secret', '', undefined]) expect(await readAccessToken(token, secret)).toBeUndefined();
});

it.each([
  { type: 'refresh' },
  { type: undefined },
  { userId: 7 },
  { userId: '0' },
  { userId: undefined },
  { sessionId: '' },
  { sessionId: 1 },
  { aud: 'another' },
  { iat: 1.5 },
])('an access token is none with %j', async (changed) => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { type: 'access', userId: '7', sessionId: 'session', iat: now, exp: now + 60 };
  const tokenOf = (payload: object) => sign(payload as Parameters<typeof sign>[0], SECRET, 'HS256');
  expect(await readAccessToken(await tokenOf(claims), SECRET)).toBeDefined();
  expect(await readAccessToken(await tokenOf({ ...claims, ...changed }), SECRET)).toBeUndefined();
});
