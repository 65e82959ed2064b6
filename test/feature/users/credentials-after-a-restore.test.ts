/**
 * @module Credentials after a restore of the database to an earlier point, or a change of rows by hand: those of a user are
 * not valid for another one with the same id.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bearer, sendJson } from '../../support/recorded.ts';
import { claimsOf, enter, GONE, INVALID, join, read, refresh } from '../../support/sessions.ts';
import { forge, login, PASSWORD, post, refusalOf, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
/** Makes the row that of another user who was created `seconds` later. */
const replace = (id: number, seconds: number) =>
  run(
    'update up_users set created_at = created_at + ?, document_id = ? where id = ?',
    seconds * 1000,
    `other${id}`,
    id,
  );
const me = (jwt: string) => send('/api/users/me', bearer(jwt));

describe('a JWT', () => {
  it('of an earlier user with the same id is a 401', async () => {
    const { jwt, user } = await register(send, 'before');
    await replace(user.id, 2);
    expect(await refusalOf(await me(jwt))).toBe(GONE);
    const write = await send(`/api/users/${user.id}`, sendJson('PUT', jwt, { username: 'mine' }));
    expect(write.status).toBe(401);
    const body = { currentPassword: PASSWORD, password: 'An0therOne', passwordConfirmation: 'An0therOne' };
    expect((await post(send, '/api/auth/change-password', body, jwt)).status).toBe(401);
  });

  it('of a registration and of a sign-in in the same second is valid', async () => {
    for (let at = 0; at < 3; at += 1) {
      const { jwt } = await register(send, `new${at}`);
      expect((await me(jwt)).status).toBe(200);
      const again = (await (await login(send, `new${at}`)).json()) as { jwt: string };
      expect((await me(again.jwt)).status).toBe(200);
    }
  });

  it('from the second before its user was created is a 401', async () => {
    const { user } = await register(send, 'second');
    const created = await env.DB.prepare('select created_at from up_users where id = ?')
      .bind(user.id)
      .first<number>('created_at');
    const second = Math.floor((created ?? 0) / 1000);
    const token = (iat: number) => forge({ id: user.id, iat, exp: second + 600 });
    expect((await me(await token(second - 1))).status).toBe(401);
    expect((await me(await token(second))).status).toBe(200);
  });

  it('of a user whom a machine with a fast clock created is valid after each sign-in', async () => {
    const { user } = await register(send, 'ahead');
    await run('update up_users set created_at = created_at + 86400000 where id = ?', user.id);
    const { jwt } = (await (await login(send, 'ahead')).json()) as { jwt: string };
    expect((await me(jwt)).status).toBe(200);
    const body = { currentPassword: PASSWORD, password: 'An0therOne', passwordConfirmation: 'An0therOne' };
    const changed = (await (await post(send, '/api/auth/change-password', body, jwt)).json()) as { jwt: string };
    expect((await me(changed.jwt)).status).toBe(200);
  });

  it.each([
    ['from long ago', 0],
    ['without a time', null],
  ])('of a user who was imported with a date %s is valid', async (_, time) => {
    const { jwt, user } = await register(send, `imported${time}`);
    await run(
      'update up_users set created_at = ?, updated_at = ?, published_at = 0 where id = ?',
      time,
      Date.now(),
      user.id,
    );
    expect((await me(jwt)).status).toBe(200);
    expect((await login(send, `imported${time}`)).status).toBe(200);
  });
});

describe('a session', () => {
  it('of an earlier user with the same id is neither valid nor refreshed', async () => {
    const { jwt, refreshToken, user } = await join('earlier');
    await replace(user.id, 2);
    expect(await read(jwt)).toBe(401);
    expect(await refusalOf(await refresh(refreshToken))).toBe(INVALID);
    expect(
      await env.DB.prepare('select count(*) as n from strapi_sessions where user_id = ?').bind(user.id).first('n'),
    ).toBe(0);
  });

  it('of a user whom a machine with a fast clock created can be refreshed', async () => {
    const { user } = await join('fast');
    await run('update up_users set created_at = created_at + 86400000 where id = ?', user.id);
    const { jwt, refreshToken } = await enter('fast');
    expect(await read(jwt)).toBe(200);
    const next = (await (await refresh(refreshToken)).json()) as { jwt: string };
    expect(await read(next.jwt)).toBe(200);
  });

  it('that a restore has set back ends with the later key of its client', async () => {
    const { refreshToken, user } = await join('setback');
    const row = await env.DB.prepare('select key_hash, updated_at from strapi_sessions where user_id = ?')
      .bind(user.id)
      .first();
    const next = (await (await refresh(refreshToken)).json()) as { refreshToken: string };
    await run('update strapi_sessions set key_hash = ? where user_id = ?', row?.key_hash, user.id);
    expect(claimsOf(next.refreshToken).sessionId).toBe(claimsOf(refreshToken).sessionId);
    expect(await refusalOf(await refresh(next.refreshToken))).toBe(INVALID);
    expect(await refusalOf(await refresh(refreshToken))).toBe(INVALID);
  });
});
