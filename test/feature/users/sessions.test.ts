/**
 * @module Sessions of users who sign in with refresh tokens: how they open and end, and who may see them.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import {
  claimsOf,
  countRows,
  enter,
  GONE,
  INVALID,
  join,
  read,
  refresh,
  roles,
  send,
  tokensOf,
  users,
} from '../../support/sessions.ts';
import { login, PASSWORD, post, refusalOf } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

interface Told {
  readonly id: string;
  readonly current: boolean;
  readonly deviceId?: string;
  readonly deviceName?: string;
  readonly loginAt: string;
  readonly lastActiveAt: string;
}

const NEW = 'An0therOne';

const logout = (jwt: string, body: object = {}) => post(send, '/api/auth/logout', body, jwt);
const sessionsOf = async (jwt: string) =>
  ((await (await send('/api/auth/sessions', bearer(jwt))).json()) as { data: readonly Told[] }).data;

openMagazine();

describe('a session', () => {
  it('has tokens of its own, and no others', async () => {
    const { jwt, refreshToken, user } = await join('fred');
    const { sessionId, jti } = claimsOf(refreshToken);
    expect(claimsOf(jwt)).toMatchObject({ userId: String(user.id), sessionId, type: 'access' });
    expect(Object.keys(claimsOf(jwt))).toEqual(['userId', 'sessionId', 'type', 'iat', 'exp']);
    expect(claimsOf(refreshToken)).toMatchObject({ userId: String(user.id), type: 'refresh' });
    expect(jti).toMatch(/^[0-9a-f]{64}$/);
    const { iat, exp } = claimsOf(jwt);
    expect(Number(exp) - Number(iat)).toBe(600);
  });

  it('costs a read no round trip', async () => {
    const { jwt } = await join('finn');
    const counted = countedDatabase(env.DB);
    const counting = serve({ roles, users }, { DB: counted.database });
    await counting('/api/tags', bearer(jwt));
    await counting('/api/tags', bearer(jwt));
    expect(counted.batches.map((batch) => batch.length)).toEqual([1, 1]);
  });

  it('opens with two round trips, and refuses a device that is too long', async () => {
    await join('fritz');
    const counted = countedDatabase(env.DB);
    await login(serve({ roles, users }, { DB: counted.database }), 'fritz');
    expect(counted.batches.length).toBe(2);
    const body = { identifier: 'fritz', password: PASSWORD, deviceId: 'x'.repeat(256) };
    expect(await refusalOf(await post(send, '/api/auth/local', body))).toBe(
      '400 ValidationError: deviceId must be at most 255 characters',
    );
  });

  it('does not open for a password that was changed meanwhile', async () => {
    const { user } = await join('floyd');
    const change = env.DB.prepare(
      'update up_users set password_changed_at = ?, password = null, updated_at = updated_at + 1 where id = ?',
    );
    const changing = interleavedDatabase(env.DB, 1, () => change.bind(Date.now(), user.id).run());
    const before = await countRows(user.id);
    const response = await login(serve({ roles, users }, { DB: changing }), 'floyd');
    expect(await refusalOf(response)).toBe('400 ValidationError: Invalid identifier or password');
    expect(await countRows(user.id)).toBe(before);
  });

  it('is one of a hundred at most: the oldest go', async () => {
    const { user, jwt } = await join('felix');
    const copy = `insert into strapi_sessions (document_id, locale, published_at, created_at, updated_at, user_id, key_hash, expires_at, absolute_expires_at) select value, '', 1, 1, value, ?, 'x', ?, ? from json_each(?)`;
    const many = JSON.stringify(Array.from({ length: 120 }, (_, index) => 1_000 + index));
    const later = Date.now() + 60_000;
    await env.DB.prepare(copy).bind(user.id, later, later, many).run();
    await enter('felix');
    expect(await countRows(user.id)).toBe(100);
    expect(await read(jwt)).toBe(200);
  });

  it('that has run out is cleared away when another one opens', async () => {
    const { user } = await join('frida');
    await env.DB.prepare('update strapi_sessions set expires_at = 1 where user_id = ?').bind(user.id).run();
    await join('franz');
    expect(await countRows(user.id)).toBe(0);
  });
});

describe('sessions', () => {
  it('are told to their user alone, the present one first', async () => {
    const first = await join('gina');
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const second = await tokensOf(
      send('/api/auth/local', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': agent },
        body: JSON.stringify({ identifier: 'gina', password: PASSWORD, deviceId: 'laptop' }),
      }),
    );
    await join('gerd');
    const told = await sessionsOf(first.jwt);
    expect(told.map(({ id }) => id)).toEqual([first, second].map(({ jwt }) => claimsOf(jwt).sessionId));
    expect(told.map(({ current }) => current)).toEqual([true, false]);
    expect(told[1]).toMatchObject({ deviceId: 'laptop', deviceName: 'Firefox on Linux' });
    expect(Object.keys(told[1] ?? {})).toEqual(['id', 'deviceId', 'deviceName', 'current', 'loginAt', 'lastActiveAt']);
    expect(new Date(told[0]?.loginAt ?? '').getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('are ended one by one by their user, and by nobody else', async () => {
    const [first, second, other] = [await join('hans'), await enter('hans'), await join('hugo')];
    const end = (jwt: string, id: unknown) => send(`/api/auth/sessions/${id}`, { method: 'DELETE', ...bearer(jwt) });
    const id = claimsOf(second.jwt).sessionId;
    expect(await refusalOf(await end(other.jwt, id))).toBe('404 NotFoundError: Session not found');
    expect(await read(second.jwt)).toBe(200);
    const ended = await end(first.jwt, id);
    expect([ended.status, await ended.json()]).toEqual([200, { data: {} }]);
    expect(await refusalOf(await send('/api/tags', bearer(second.jwt)))).toBe(GONE);
    expect(await refusalOf(await refresh(second.refreshToken))).toBe(INVALID);
    expect(await refusalOf(await end(first.jwt, id))).toBe('404 NotFoundError: Session not found');
  });

  /** Payload CVE-2025-4643; CVE-2025-3930, GHSA-4r8w-3jww-m2rp */
  it('end by signing out: the present one, those of a device, or all', async () => {
    const [kept, left] = [await join('ines'), await enter('ines')];
    expect(await (await logout(left.jwt)).json()).toEqual({ ok: true });
    expect([await read(kept.jwt), await read(left.jwt)]).toEqual([200, 401]);
    const [phone, tablet] = [await enter('ines', { deviceId: 'phone' }), await enter('ines', { deviceId: 'tablet' })];
    await logout(kept.jwt, { deviceId: 'phone' });
    expect(await Promise.all([kept, phone, tablet].map(({ jwt }) => read(jwt)))).toEqual([200, 401, 200]);
    await logout(kept.jwt, { refreshToken: tablet.refreshToken });
    expect(await Promise.all([kept, tablet].map(({ jwt }) => read(jwt)))).toEqual([200, 401]);
    const last = await enter('ines');
    await logout(last.jwt, { scope: 'all' });
    expect(await Promise.all([kept, last].map(({ jwt }) => read(jwt)))).toEqual([401, 401]);
    expect(await refusalOf(await refresh(kept.refreshToken))).toBe(INVALID);
  });

  it.each([
    ['signing out', '/api/auth/logout', 'POST'],
    ['ending a session', '/api/auth/sessions/abc', 'DELETE'],
    ['refreshing', '/api/auth/refresh', 'POST'],
  ])('that have ended are a 401 for %s, as for everything', async (_, path, method) => {
    const { jwt, refreshToken, user } = await join(`ida${path.length}`);
    expect(await read(jwt)).toBe(200);
    await env.DB.prepare('delete from strapi_sessions where user_id = ?').bind(user.id).run();
    expect(await refusalOf(await send(path, sendJson(method, jwt, { refreshToken })))).toBe(GONE);
  });

  it('of others are not ended by their refresh token', async () => {
    const [mine, other] = [await join('ivan'), await join('inga')];
    await logout(mine.jwt, { refreshToken: other.refreshToken });
    expect([await read(mine.jwt), await read(other.jwt)]).toEqual([401, 200]);
  });

  /** CVE-2026-22706, GHSA-hvp3-26wx-g2w4 */
  it('end with a change of password, but for the one that makes it, whose refresh token is another then', async () => {
    const [first, second] = [await join('jana'), await enter('jana')];
    const body = { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW };
    const third = await tokensOf(post(send, '/api/auth/change-password', body, second.jwt));
    expect(await Promise.all([first, second, third].map(({ jwt }) => read(jwt)))).toEqual([401, 200, 200]);
    expect(await countRows(third.user.id)).toBe(1);
    expect(await refusalOf(await refresh(first.refreshToken))).toBe(INVALID);
    expect((await refresh(third.refreshToken)).status).toBe(200);
  });

  it('do not last longer by a change of password than they would without it', async () => {
    const { jwt, refreshToken } = await join('jorg');
    const session = String(claimsOf(refreshToken).sessionId);
    await env.DB.prepare('update strapi_sessions set absolute_expires_at = ? where document_id = ?')
      .bind(Date.now() + 60_000, session)
      .run();
    const body = { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW };
    await tokensOf(post(send, '/api/auth/change-password', body, jwt));
    const stored = env.DB.prepare('select expires_at - absolute_expires_at from strapi_sessions where document_id = ?');
    expect(await stored.bind(session).raw()).toEqual([[0]]);
  });

  /** Whoever has stolen the refresh token of the session itself is out, at the latest when it is used. */
  it('that made a change of password end when their earlier refresh token is used', async () => {
    const { jwt, refreshToken } = await join('jona');
    const body = { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW };
    const next = await tokensOf(post(send, '/api/auth/change-password', body, jwt));
    expect(await read(next.jwt)).toBe(200);
    expect(await refusalOf(await refresh(refreshToken))).toBe(INVALID);
    expect([await read(jwt), await read(next.jwt)]).toEqual([401, 401]);
    expect(await refusalOf(await refresh(next.refreshToken))).toBe(INVALID);
  });

  /** CVE-2025-3930, GHSA-4r8w-3jww-m2rp */
  it.each([
    ['blocks', { blocked: true }],
    ['blocks in another notation', { blocked: 'true' }],
  ])('end when somebody %s their user', async (_, change) => {
    const { jwt, refreshToken, user } = await join(`user${JSON.stringify(change).length}`);
    expect((await send(`/api/users/${user.id}`, sendJson('PUT', 'full', change))).status).toBe(200);
    await send(`/api/users/${user.id}`, sendJson('PUT', 'full', { blocked: false }));
    expect(await refusalOf(await send('/api/tags', bearer(jwt)))).toBe(GONE);
    expect(await refusalOf(await refresh(refreshToken))).toBe(INVALID);
    expect(await countRows(user.id)).toBe(0);
  });

  it('go on when something else about their user is changed', async () => {
    const { jwt, user } = await join('lena');
    const change = sendJson('PUT', 'full', { username: 'lenart', blocked: false });
    expect((await send(`/api/users/${user.id}`, change)).status).toBe(200);
    expect(await read(jwt)).toBe(200);
  });

  it('keep a write from happening once they have ended', async () => {
    const { jwt } = await join('olaf');
    expect(await read(jwt)).toBe(200);
    const end = env.DB.prepare('delete from strapi_sessions');
    const late = serve({ roles, users }, { DB: interleavedDatabase(env.DB, 0, () => end.run()) });
    expect(await refusalOf(await late('/api/tags', sendJson('POST', jwt, { data: { name: 'late' } })))).toBe(GONE);
    const { results } = await env.DB.prepare("select * from tags where name = 'late'").all();
    expect(results).toEqual([]);
  });
});
