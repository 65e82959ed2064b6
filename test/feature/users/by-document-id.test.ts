/**
 * @module Users and files by `documentId`, in every path that takes their numeric `id`.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { bearer, createToken, type Send, sendJson, serve } from '../../support/recorded.ts';
import { formOf, postForm, TEXT, uploaded } from '../../support/uploads.ts';
import { login, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const SETTINGS: SettingsInput = {
  server: { url: 'https://api.example.com' },
  users: { jwtManagement: 'refresh' },
  upload: { private: true },
};
const { send } = openMagazine(SETTINGS);
const off = serve({ ...SETTINGS, api: { rest: { extensions: false } } });

/** Its row number is that of no user: digits name numbers alone. */
const NUMBER = '987654321';

beforeAll(async () => {
  await createToken('reads', 'read-only');
});

const get = (server: Send, path: string, token = 'full') => server(path, bearer(token));
const remove = (server: Send, path: string) => server(path, { method: 'DELETE', ...bearer('full') });

describe('a user', () => {
  it('is read, changed and deleted by documentId', async () => {
    const { user } = await register(send, 'ann');
    const path = `/api/users/${user.documentId}`;
    expect(await (await get(send, `${path}?populate=role`)).json()).toEqual(
      await (await get(send, `/api/users/${user.id}?populate=role`)).json(),
    );
    const change = await send(path, sendJson('PUT', 'full', { username: 'anna', email: 'ann@example.com' }));
    expect([change.status, await change.json()]).toEqual([
      200,
      expect.objectContaining({ id: user.id, username: 'anna' }),
    ]);
    expect(await (await remove(send, path)).json()).toMatchObject({ id: user.id });
    expect((await get(send, path)).status).toBe(204);
    expect((await remove(send, path)).status).toBe(204);
    expect((await send(path, sendJson('PUT', 'full', { username: 'anna' }))).status).toBe(404);
  });

  it('keeps their names free for themselves only', async () => {
    const [{ user: bea }] = [await register(send, 'bea'), await register(send, 'ben')];
    const change = (username: string) => send(`/api/users/${bea.documentId}`, sendJson('PUT', 'full', { username }));
    expect((await change('BEA')).status).toBe(200);
    expect((await change('ben')).status).toBe(400);
  });

  it('has sessions that are listed and ended by documentId', async () => {
    const { user } = await register(send, 'carl');
    await login(send, 'carl');
    const path = `/api/users/${user.documentId}/sessions`;
    const list = async () =>
      (await (await get(send, path)).json<{ data: { id: string }[] }>()).data.map(({ id }) => id);
    const [first, second] = await list();
    expect((await remove(send, `${path}/${first}`)).status).toBe(200);
    expect(await list()).toEqual([second]);
    expect((await remove(send, `/api/users/nobody/sessions/${second}`)).status).toBe(404);
  });

  it('is never read by a documentId without the grant, or with extensions off', async () => {
    const { user, jwt } = await register(send, 'dora');
    expect((await get(send, `/api/users/${user.documentId}`, jwt)).status).toBe(403);
    expect((await get(off, `/api/users/${user.documentId}`)).status).toBe(204);
    expect((await get(off, `/api/users/${user.id}`)).status).toBe(200);
    expect((await remove(off, `/api/users/${user.documentId}`)).status).toBe(204);
    expect((await get(send, `/api/users/${user.id}`)).status).toBe(200);
  });

  it('keeps the case of a documentId, and digits are a number', async () => {
    await env.DB.prepare(
      `insert into up_users (document_id, locale, published_at, created_at, updated_at, username, email) values ('Eve', '', 1, 1, 1, 'eve', 'eve@example.com'), ('Users', '', 1, 1, 1, 'all', 'all@example.com'), ('${NUMBER}', '', 1, 1, 1, 'nine', 'nine@example.com')`,
    ).run();
    expect(await (await get(send, '/API/Users/Eve')).json()).toMatchObject({ username: 'eve' });
    expect((await get(send, '/api/users/eve')).status).toBe(204);
    expect(await (await get(send, '/API/USERS/Users')).json()).toMatchObject({ username: 'all' });
    expect((await get(send, `/api/users/${NUMBER}`)).status).toBe(204);
  });
});

describe('a file', () => {
  const FILES = '/api/upload/files';

  it('is read, signed and deleted by documentId', async () => {
    const form = formOf([TEXT], { fileInfo: JSON.stringify({ private: true }) });
    const [file = { id: 0, documentId: '' }] = await uploaded(postForm(send, form));
    const path = `${FILES}/${file.documentId}`;
    expect(await (await get(send, `${path}?populate=related`)).json()).toMatchObject({ id: file.id });
    const signed = await send(`${path}/actions/sign`, sendJson('POST', 'full', { expiresIn: 60 }));
    expect(signed.status).toBe(200);
    expect((await get(off, path)).status).toBe(404);
    expect((await remove(off, path)).status).toBe(404);
    expect((await remove(send, path)).status).toBe(200);
    expect((await get(send, `${FILES}/${file.id}`)).status).toBe(404);
  });
});
