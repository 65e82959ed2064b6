/**
 * @module Attacks on sessions of users with refresh tokens. What ends them, and which token is good for what, is in
 * test/feature/users/sessions.test.ts and refresh.test.ts, with the advisories it goes back to.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { bearer, createTables, createToken } from '../support/recorded.ts';
import {
  box,
  claimsOf,
  countRows,
  enter,
  INVALID,
  join,
  read,
  refresh,
  send,
  type Tokens,
  tokensOf,
  withUsers,
} from '../support/sessions.ts';
import { forge, login, PASSWORD, post, refusalOf } from '../support/users.ts';

const NEW = 'An0therOne';
const now = Math.floor(Date.now() / 1000);
let victim: Tokens;
let attacker: Tokens;

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
  [victim, attacker] = [await join('victim'), await join('attacker')];
});

const sessionOf = ({ jwt }: Tokens) => String(claimsOf(jwt).sessionId);

async function expectVictimToStay(): Promise<void> {
  expect(await countRows(victim.user.id)).toBe(1);
  expect(await read(victim.jwt)).toBe(200);
}

describe('ending the session of somebody else', () => {
  it.each(['%', '*', '_', 'all', "' or 1=1 --", '0', '..', `${'_'.repeat(32)}`])('by an id like %s', async (id) => {
    const path = `/api/auth/sessions/${encodeURIComponent(id)}`;
    const { status } = await send(path, { method: 'DELETE', ...bearer(attacker.jwt) });
    expect(status).toBe(id === '..' ? 405 : 404);
    await expectVictimToStay();
    expect(await read(attacker.jwt)).toBe(200);
  });

  it('by its id, in any place', async () => {
    const id = sessionOf(victim);
    const { user } = victim;
    const others = { sessionId: id, id, userId: user.id, user: user.id, identifier: 'victim', scope: 'session' };
    for (const [path, init, status] of [
      [`/api/auth/sessions/${id}?userId=${user.id}`, bearer(attacker.jwt), 404],
      [`/api/auth/sessions/${id.toUpperCase()}`, bearer(attacker.jwt), 404],
      [`/api/auth/sessions/${id}`, bearer('full'), 401],
      [`/api/auth/sessions/${id}`, {}, 403],
      [`/api/sessions/${id}`, bearer('full'), 405],
    ] as const)
      expect([path, (await send(path, { method: 'DELETE', ...init })).status]).toEqual([path, status]);
    for (const scope of ['session', 'all']) {
      const { jwt } = await enter('attacker');
      await post(send, `/api/auth/logout?userId=${user.id}`, { ...others, scope }, jwt);
    }
    attacker = await enter('attacker');
    await expectVictimToStay();
  });

  it('by a device of the same name', async () => {
    const [mine, other] = [
      await enter('attacker', { deviceId: 'laptop' }),
      await enter('victim', { deviceId: 'laptop' }),
    ];
    await post(send, '/api/auth/logout', { deviceId: 'laptop' }, mine.jwt);
    expect([await read(mine.jwt), await read(other.jwt)]).toEqual([401, 200]);
    await post(send, '/api/auth/logout', {}, other.jwt);
  });

  it('by a refresh token that was made up, with the right id and another key', async () => {
    const claims = { ...claimsOf(victim.refreshToken), jti: 'f'.repeat(64) };
    expect(await refusalOf(await refresh(await forge(claims, 'guessed')))).toBe(INVALID);
    const asAttacker = { ...claims, userId: String(attacker.user.id) };
    expect(await refusalOf(await refresh(await forge(asAttacker)))).toBe(INVALID);
    await expectVictimToStay();
  });
});

describe('reading the sessions of somebody else', () => {
  it('by naming them in the query', async () => {
    expect(await (await send('/api/auth/sessions', bearer(victim.jwt))).text()).toContain(sessionOf(victim));
    const queries = [
      `userId=${victim.user.id}`,
      `user=${victim.user.id}`,
      `filters[userId]=${victim.user.id}`,
      `filters[$or][0][userId][$gt]=0`,
      'populate=*',
    ];
    for (const query of queries) {
      const response = await send(`/api/auth/sessions?${query}`, bearer(attacker.jwt));
      expect([query, response.status]).toEqual([query, 200]);
      expect(await response.text()).not.toContain(sessionOf(victim));
    }
  });

  it('as content, or through it', async () => {
    for (const path of ['/api/sessions', '/api/session', '/api/strapi-sessions', '/api/admin::session'])
      expect([path, (await send(path, bearer('full'))).status]).toEqual([path, 404]);
    for (const query of ['populate=sessions', 'filters[sessions][keyHash][$startsWith]=a', 'sort=sessions.expiresAt'])
      for (const path of ['/api/users', '/api/authors']) {
        const response = await send(`${path}?${query}`, bearer('full'));
        expect(await response.text()).not.toContain(sessionOf(victim));
      }
  });
});

/** hono CVE-2025-62610 */
describe('using a token for what it is not for', () => {
  const claims = () => ({ ...claimsOf(victim.jwt), iat: now, exp: now + 600 });

  it.each<[string, () => Record<string, unknown>]>([
    ['of no type', () => ({ ...claims(), type: undefined })],
    ['of a type in a list', () => ({ ...claims(), type: ['access'] })],
    ['of two uses', () => ({ ...claims(), type: 'refresh', id: victim.user.id })],
    ['for another audience', () => ({ ...claims(), aud: 'elsewhere' })],
    ['of a session that is not the user’s', () => ({ ...claims(), userId: String(attacker.user.id) })],
    ['of no session', () => ({ ...claims(), sessionId: undefined })],
    ['of any session', () => ({ ...claims(), sessionId: '%' })],
    ['of a session that is not there', () => ({ ...claims(), sessionId: 'a'.repeat(32) })],
    ['of a user written otherwise', () => ({ ...claims(), userId: `0${victim.user.id}` })],
    ['of a user as a number', () => ({ ...claims(), userId: victim.user.id })],
    ['of the other mode', () => ({ id: victim.user.id, iat: now, exp: now + 600 })],
  ])('one %s', async (_, forged) => {
    const token = await forge(forged());
    for (const path of ['/api/tags', '/api/users/me', '/api/auth/sessions'])
      expect([path, (await send(path, bearer(token))).status]).toEqual([path, 401]);
    expect(await refusalOf(await refresh(token))).toBe(INVALID);
    await expectVictimToStay();
  });
});

/** CVE-2026-22706, GHSA-hvp3-26wx-g2w4 */
describe('keeping a stolen session beyond a new password', () => {
  it('of many, by refreshing and signing in while the password is set', async () => {
    const first = await join('robbed');
    const stolen = await Promise.all(Array.from({ length: 4 }, () => enter('robbed')));
    await post(send, '/api/auth/forgot-password', { email: 'robbed@example.com' });
    const code = /code=([0-9a-f]+)/.exec(box.messages.at(-1)?.text ?? '')?.[1];
    const body = { code, password: NEW, passwordConfirmation: NEW };
    const [own, ...won] = await Promise.all([
      tokensOf(post(send, '/api/auth/reset-password', body)),
      ...stolen.map(({ refreshToken }) => tokensOf(refresh(refreshToken))),
      tokensOf(login(send, 'robbed', PASSWORD)),
    ]);
    for (const { jwt, refreshToken } of [first, ...stolen, ...won]) {
      if (jwt) expect(await read(jwt)).toBe(401);
      if (refreshToken) expect(await refusalOf(await refresh(refreshToken))).toBe(INVALID);
    }
    expect(await read(own.jwt)).toBe(200);
    expect(await countRows(first.user.id)).toBe(1);
  });
});

/** Payload CVE-2026-34749 */
describe('making the browser of a visitor use its refresh token', () => {
  const EVIL = 'https://evil.example';
  const site = withUsers({ sessions: { httpOnly: true, cookie: { sameSite: 'none' } } });

  async function visitor(name: string): Promise<string> {
    await join(name);
    const answer = await login(site, name);
    return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  }

  it('as a credential', async () => {
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

  it('for an access token that another page could read', async () => {
    const cookie = await visitor('visiting');
    const response = await site('/api/auth/refresh', { method: 'POST', headers: { cookie, origin: EVIL } });
    const allowed = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(allowed).toEqual([]);
    for (const method of ['GET', 'HEAD'])
      expect((await site('/api/auth/refresh', { method, headers: { cookie } })).status).toBe(404);
  });

  it('in a script, which does not see it', async () => {
    const cookie = await visitor('scripting');
    const response = await site('/api/auth/refresh', { method: 'POST', headers: { cookie } });
    expect(await response.clone().text()).not.toContain('refreshToken');
    expect(response.headers.get('set-cookie')).toContain('HttpOnly; Secure; SameSite=None');
  });
});
