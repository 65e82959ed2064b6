/**
 * @module Whose JWT is let in, and how soon it no longer is.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createToken, serve } from '../../support/recorded.ts';
import { forge, JWT_SECRET, refusalOf, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const roles = { authenticated: ['api::tag.tag.find'] };
const { send } = openMagazine({ roles });
const now = Math.floor(Date.now() / 1000);
const INVALID = '401 UnauthorizedError: Missing or invalid credentials';
const GONE = '401 UnauthorizedError: Invalid credentials';

const ask = (token: string, path = '/api/tags') => send(path, bearer(token));
const change = (id: number, data: unknown) =>
  send(`/api/users/${id}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer full', 'content-type': 'application/json' },
    body: JSON.stringify(data),
  });

describe('a JWT', () => {
  const claims = { id: 1, iat: now, exp: now + 60 };

  it.each([
    ['signed with another secret', () => forge(claims, 'guessed')],
    ['that has expired', () => forge({ ...claims, exp: now - 1 })],
    ['without an expiry', () => forge({ id: 1, iat: now })],
    ['without a time of issue', () => forge({ id: 1, exp: now + 60 })],
    ['with an id that is no number', () => forge({ ...claims, id: '1' })],
    ['without an algorithm', async () => `${btoa('{"alg":"none","typ":"JWT"}')}.${btoa(JSON.stringify(claims))}.x`],
  ])('%s is refused before the database is asked', async (_, token) => {
    const counted = countedDatabase(env.DB);
    const response = await serve({ roles }, { DB: counted.database })('/api/tags', bearer(await token()));
    expect(await refusalOf(response)).toBe(INVALID);
    expect(counted.batches).toEqual([]);
  });

  it('is refused by a deployment without a secret', async () => {
    const without = serve({ roles }, { JWT_SECRET: undefined } as never);
    expect(await refusalOf(await without('/api/tags', bearer(await forge(claims))))).toBe(INVALID);
  });

  it('is never looked up as an API token', async () => {
    await createToken('a.b.c', 'full-access');
    expect(await refusalOf(await ask('a.b.c'))).toBe(INVALID);
  });
});

describe('a signed-in user', () => {
  it('is confirmed in the same batch as the read', async () => {
    const { jwt } = await register(send, 'bert');
    const counted = countedDatabase(env.DB);
    const counting = serve({ roles }, { DB: counted.database });
    await counting('/api/tags', bearer(jwt));
    await counting('/api/tags', bearer(jwt));
    expect(counted.answering().map((batch) => batch.length)).toEqual([1, 1]);
  });

  it('stops at once when blocked, and may return', async () => {
    const { jwt, user } = await register(send, 'carl');
    expect((await ask(jwt)).status).toBe(200);
    await change(user.id, { blocked: true });
    expect(await refusalOf(await ask(jwt))).toBe(GONE);
    expect(await refusalOf(await ask(jwt, '/api/users/me'))).toBe(GONE);
    await change(user.id, { blocked: false });
    expect((await ask(jwt)).status).toBe(200);
  });

  it('has a token of id, time of issue and expiry, and nothing else', async () => {
    const { jwt, user } = await register(serve({ roles, users: { jwtExpiresIn: '2h' } }), 'hans');
    const claims = JSON.parse(atob(jwt.split('.')[1] ?? '')) as { id: number; iat: number; exp: number };
    expect(Object.keys(claims)).toEqual(['id', 'iat', 'exp']);
    expect(claims.id).toBe(user.id);
    expect(claims.exp - claims.iat).toBe(7_200);
    expect(jwt).not.toContain(JWT_SECRET);
  });
});
