/**
 * @module Refresh tokens: what is taken for one, what it gives, and how it travels.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createTables, serve } from '../../support/recorded.ts';
import {
  claimsOf,
  enter,
  GONE,
  INVALID,
  join,
  read,
  refresh,
  roles,
  send,
  tokensOf,
  UNKNOWN,
  users,
  withUsers,
} from '../../support/sessions.ts';
import { login, PASSWORD, post, refusalOf } from '../../support/users.ts';

/** Makes the last use of a session's token eleven seconds older: longer than a token may come once more. */
const waitOut = (refreshToken: string) =>
  env.DB.prepare('update strapi_sessions set updated_at = updated_at - 11000 where document_id = ?')
    .bind(String(claimsOf(refreshToken).sessionId))
    .run();

beforeAll(createTables);

describe('without refresh tokens', () => {
  it.each([
    ['POST', '/api/auth/refresh', 'public'],
    ['POST', '/api/auth/logout', 'user'],
    ['GET', '/api/auth/sessions', 'user'],
    ['DELETE', '/api/auth/sessions/abc', 'user'],
  ])('%s %s is not there', async (method, path, caller) => {
    const plain = serve({ roles });
    const { jwt } = await join(`off${path.length}`, plain);
    const response = await plain(path, { method, ...(caller === 'user' && bearer(jwt)) });
    expect(await refusalOf(response)).toBe('404 NotFoundError: Not Found');
  });

  it('a sign-in writes no session and takes one round trip', async () => {
    await join('aron');
    const counted = countedDatabase(env.DB);
    const answer = await tokensOf(login(serve({ roles }, { DB: counted.database }), 'aron'));
    expect(answer.refreshToken).toBeUndefined();
    expect(counted.batches.length).toBe(1);
  });

  it('an access token is refused, as a long-lived one is where there are sessions', async () => {
    const { jwt, user } = await join('abel');
    const plain = serve({ roles });
    expect(await refusalOf(await plain('/api/tags', bearer(jwt)))).toBe(UNKNOWN);
    const long = await tokensOf(login(plain, 'abel'));
    expect((await plain('/api/tags', bearer(long.jwt))).status).toBe(200);
    expect(await refusalOf(await send('/api/tags', bearer(long.jwt)))).toBe(UNKNOWN);
    expect(user.id).toBeGreaterThan(0);
  });
});

describe('a refresh token', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['no text', 5],
  ])('that is %s is refused', async (_, token) => {
    expect(await refusalOf(await refresh(token))).toBe('400 BadRequestError: Missing refresh token');
  });

  it('gives new tokens, which work, in one round trip', async () => {
    const first = await join('bert');
    const counted = countedDatabase(env.DB);
    const second = await tokensOf(refresh(first.refreshToken, serve({ roles, users }, { DB: counted.database })));
    expect(counted.batches.length).toBe(1);
    expect(Object.keys(second)).toEqual(['jwt', 'refreshToken']);
    expect(await read(second.jwt)).toBe(200);
    expect(await read(first.jwt)).toBe(200);
    expect((await refresh(second.refreshToken)).status).toBe(200);
  });

  /** https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2 */
  it('that was used before ends its session, and no other', async () => {
    const stolen = await join('carl');
    const other = await enter('carl');
    const next = await tokensOf(refresh(stolen.refreshToken));
    await waitOut(stolen.refreshToken);
    expect(await refusalOf(await refresh(stolen.refreshToken))).toBe(INVALID);
    expect(await refusalOf(await refresh(next.refreshToken))).toBe(INVALID);
    expect(await refusalOf(await send('/api/tags', bearer(next.jwt)))).toBe(GONE);
    expect(await read(other.jwt)).toBe(200);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('used several times at the same moment gives the same next one each time', async () => {
    const { refreshToken } = await join('cleo');
    const answers = await Promise.all([1, 2, 3].map(() => tokensOf(refresh(refreshToken))));
    const keys = answers.map((answer) => claimsOf(answer.refreshToken).jti);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).not.toBe(claimsOf(refreshToken).jti);
    for (const { jwt } of answers) expect(await read(jwt)).toBe(200);
  });

  it('is answered once more when the first answer was lost, and the session lives on', async () => {
    const { refreshToken } = await join('clara');
    await refresh(refreshToken);
    const again = await tokensOf(refresh(refreshToken));
    await waitOut(refreshToken);
    expect((await refresh(again.refreshToken)).status).toBe(200);
  });

  it('comes once more as long as `refreshTokenGrace` says', async () => {
    const own = withUsers({ sessions: { refreshTokenGrace: '30s' } });
    const { refreshToken } = await join('cyrus', own);
    await refresh(refreshToken, own);
    await waitOut(refreshToken);
    expect((await refresh(refreshToken, own)).status).toBe(200);
    await waitOut(refreshToken);
    await waitOut(refreshToken);
    expect(await refusalOf(await refresh(refreshToken, own))).toBe(INVALID);
  });

  it('of a user who was blocked is not answered once more', async () => {
    const { refreshToken, user } = await join('conrad');
    await refresh(refreshToken);
    await env.DB.prepare('update up_users set blocked = 1 where id = ?').bind(user.id).run();
    expect(await refusalOf(await refresh(refreshToken))).toBe(INVALID);
  });

  it('of a user whose address is not confirmed is refused where addresses are confirmed, and there alone', async () => {
    const { refreshToken, user } = await join('curt');
    await env.DB.prepare('update up_users set confirmed = 0 where id = ?').bind(user.id).run();
    const { refreshToken: next } = await tokensOf(refresh(refreshToken));
    expect(await refusalOf(await refresh(next, withUsers({ emailConfirmation: true })))).toBe(INVALID);
  });

  it('is stored as a hash of its key alone', async () => {
    const { refreshToken, user } = await join('dora');
    const { results } = await env.DB.prepare('select * from strapi_sessions where user_id = ?').bind(user.id).all();
    const stored = JSON.stringify(results);
    expect(stored).toContain(String(claimsOf(refreshToken).sessionId));
    expect(stored).not.toContain(String(claimsOf(refreshToken).jti));
    expect(stored).not.toContain(refreshToken.split('.')[2]);
  });

  it('ends when it is not used, and at the latest after the whole time', async () => {
    const own = withUsers({ sessions: { idleRefreshTokenLifespan: '2h', maxRefreshTokenLifespan: '3h' } });
    await join('emil');
    const first = await tokensOf(login(own, 'emil'));
    const lifetimeOf = (token: string) => Number(claimsOf(token).exp) - Number(claimsOf(token).iat);
    expect(lifetimeOf(first.refreshToken)).toBe(7_200);
    const session = String(claimsOf(first.refreshToken).sessionId);
    await env.DB.prepare('update strapi_sessions set absolute_expires_at = ? where document_id = ?')
      .bind(Date.now() + 60_000, session)
      .run();
    const second = await tokensOf(refresh(first.refreshToken, own));
    expect(lifetimeOf(second.refreshToken)).toBeLessThanOrEqual(60);
    expect(lifetimeOf(second.jwt)).toBeLessThanOrEqual(60);
    await env.DB.prepare('update strapi_sessions set expires_at = ? where document_id = ?')
      .bind(Date.now() - 1, session)
      .run();
    expect(await refusalOf(await refresh(second.refreshToken, own))).toBe(INVALID);
  });
});

describe('a cookie for the refresh token', () => {
  const cookied = withUsers({
    sessions: { httpOnly: true, cookie: { name: 'fresh', path: '/api/auth', maxAge: '7d' } },
  });
  const cookieOf = (response: Response) => response.headers.get('set-cookie') ?? '';
  const cookieValue = (response: Response) => /^\w+=([^;]*)/.exec(cookieOf(response))?.[1] ?? '';

  it('takes its place in every answer, where the settings say so', async () => {
    const body = { username: 'paul', email: 'paul@example.com', password: PASSWORD };
    const answers = [await post(cookied, '/api/auth/local/register', body), await login(cookied, 'paul')];
    for (const answer of answers) {
      expect(Object.keys((await answer.clone().json()) as object)).toEqual(['jwt', 'user']);
      expect(cookieOf(answer)).toMatch(
        /^fresh=[\w.-]+; Max-Age=604800; Path=\/api\/auth; HttpOnly; Secure; SameSite=Lax$/,
      );
    }
    const cookie = `fresh=${cookieValue(answers[1] as Response)}`;
    const turned = await cookied('/api/auth/refresh', { method: 'POST', headers: { cookie } });
    expect(Object.keys((await turned.clone().json()) as object)).toEqual(['jwt']);
    expect(cookieValue(turned)).not.toBe('');
    const { jwt } = await tokensOf(turned);
    const left = await post(cookied, '/api/auth/logout', {}, jwt);
    expect(cookieOf(left)).toMatch(/^fresh=; Max-Age=0; Path=\/api\/auth; HttpOnly; Secure; SameSite=Lax$/);
  });

  it('is used when a request asks for it, and without Secure on a local server', async () => {
    await join('rosa');
    const answer = await send('http://localhost/api/auth/local', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-strapi-refresh-cookie': 'httpOnly' },
      body: JSON.stringify({ identifier: 'rosa', password: PASSWORD }),
    });
    expect(await answer.clone().json()).not.toHaveProperty('refreshToken');
    expect(cookieOf(answer)).toMatch(/^strapi_up_refresh=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('takes the next token too, whatever the request asks for, and goes when its user signs out', async () => {
    await join('ruth');
    const headers = { 'content-type': 'application/json', 'x-strapi-refresh-cookie': 'httpOnly' };
    const body = JSON.stringify({ identifier: 'ruth', password: PASSWORD });
    let answer = await send('/api/auth/local', { method: 'POST', headers, body });
    const withCookie = () => ({ cookie: `strapi_up_refresh=${/=([^;]*)/.exec(cookieOf(answer))?.[1]}` });
    for (const _ of [1, 2]) {
      answer = await send('/api/auth/refresh', { method: 'POST', headers: withCookie() });
      expect(Object.keys((await answer.clone().json()) as object)).toEqual(['jwt']);
    }
    const { jwt } = await tokensOf(answer);
    const authorization = `Bearer ${jwt}`;
    const left = await send('/api/auth/logout', { method: 'POST', headers: { ...withCookie(), authorization } });
    expect(cookieOf(left)).toMatch(/^strapi_up_refresh=; Max-Age=0;/);
  });

  it('has the attributes of the settings', async () => {
    await join('rene');
    const cookie = { domain: 'site.test', sameSite: 'strict', secure: false } as const;
    const answer = await login(withUsers({ sessions: { httpOnly: true, cookie } }), 'rene');
    expect(cookieOf(answer)).toMatch(
      /^strapi_up_refresh=[\w.-]+; Domain=site.test; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('counts as none when it is empty, and is not mentioned to those who have none', async () => {
    await join('rufus');
    const empty = await send('/api/auth/refresh', { method: 'POST', headers: { cookie: 'strapi_up_refresh=' } });
    expect(await refusalOf(empty)).toBe('400 BadRequestError: Missing refresh token');
    const answer = await login(send, 'rufus');
    expect([answer.status, cookieOf(answer)]).toEqual([200, '']);
  });

  it('that is left over takes no token of a sign-in that did not ask for it', async () => {
    await join('rolf');
    const headers = { 'content-type': 'application/json', cookie: 'strapi_up_refresh=old' };
    const body = JSON.stringify({ identifier: 'rolf', password: PASSWORD });
    const answer = await send('/api/auth/local', { method: 'POST', headers, body });
    expect(cookieOf(answer)).toMatch(/^strapi_up_refresh=; Max-Age=0;/);
    expect(await answer.json()).toHaveProperty('refreshToken');
  });

  const HTTP_ONLY = { 'x-strapi-refresh-cookie': 'httpOnly' };
  const ask = (path: string, body: object, headers: object = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  /** Signs in, with the refresh token in a cookie. */
  async function enterWithCookie(username: string) {
    const answer = await ask('/api/auth/local', { identifier: username, password: PASSWORD }, HTTP_ONLY);
    return { cookie: `strapi_up_refresh=${/=([^;]*)/.exec(cookieOf(answer))?.[1]}`, ...(await tokensOf(answer)) };
  }

  it('that is left over gives nobody the token of another person', async () => {
    await join('olga');
    const { cookie } = await enterWithCookie('olga');
    const { user, refreshToken } = await join('otto');
    const answer = await ask('/api/auth/refresh', { refreshToken }, { cookie });
    expect(cookieOf(answer)).toBe('');
    const next = await tokensOf(answer);
    expect(claimsOf(next.jwt).userId).toBe(String(user.id));
    expect(claimsOf(next.refreshToken).userId).toBe(String(user.id));
  });

  it('takes the next token of a changed password without being asked for, so that the kept session lives on', async () => {
    await join('petra');
    const { cookie, jwt } = await enterWithCookie('petra');
    const body = { currentPassword: PASSWORD, password: 'another one', passwordConfirmation: 'another one' };
    const changed = await ask('/api/auth/change-password', body, { cookie, authorization: `Bearer ${jwt}` });
    expect(await changed.clone().json()).not.toHaveProperty('refreshToken');
    const next = { cookie: `strapi_up_refresh=${/=([^;]*)/.exec(cookieOf(changed))?.[1]}` };
    expect((await ask('/api/auth/refresh', {}, next)).status).toBe(200);
  });

  it('that is left over keeps no session from its end by signing out', async () => {
    const { jwt } = await join('quinn');
    const { cookie } = await enterWithCookie('quinn');
    expect((await ask('/api/auth/logout', {}, { cookie, authorization: `Bearer ${jwt}` })).status).toBe(200);
    expect(await read(jwt)).toBe(401);
  });

  it('is neither set nor used for pages of other sites, unless their origin is listed', async () => {
    await join('rita');
    const cors = { origins: ['https://www.site.test'] };
    const own = serve({ roles, cors, users: { ...users, sessions: { httpOnly: true } } });
    const signIn = (from: object) =>
      own('/api/auth/local', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...from },
        body: `identifier=rita&password=${PASSWORD}`,
      });
    const evil = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' };
    const refused = await signIn(evil);
    expect(cookieOf(refused)).toBe('');
    expect(await refusalOf(refused)).toBe('403 ForbiddenError: Forbidden');
    expect((await signIn({ ...evil, origin: 'null' })).status).toBe(403);
    for (const from of [{}, { 'sec-fetch-site': 'same-site' }, { ...evil, origin: 'https://www.site.test' }])
      expect(cookieOf(await signIn(from))).toMatch(/^strapi_up_refresh=/);
    const cookie = `strapi_up_refresh=${/=([^;]*)/.exec(cookieOf(await signIn({})))?.[1]}`;
    const turn = (from: object) => own('/api/auth/refresh', { method: 'POST', headers: { cookie, ...from } });
    expect((await turn(evil)).status).toBe(403);
    expect((await turn({})).status).toBe(200);
  });
});
