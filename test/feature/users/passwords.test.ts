/**
 * @module Changes of passwords, which end tokens, and the codes that reset passwords or confirm addresses.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { login, outbox, PASSWORD, post, refusalOf, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const box = outbox();
const { send } = openMagazine({}, {}, { emailSender: box });
const GONE = '401 UnauthorizedError: Invalid credentials';
const INCORRECT = '400 ValidationError: Incorrect code provided';
const NEW = 'An0therOne';

const me = (jwt: string) => send('/api/users/me', bearer(jwt));
const reset = (code: string, password = NEW) =>
  post(send, '/api/auth/reset-password', { code, password, passwordConfirmation: password });

const change = (id: number, data: unknown) => send(`/api/users/${id}`, sendJson('PUT', 'full', data));

async function codeFor(email: string): Promise<string> {
  expect((await post(send, '/api/auth/forgot-password', { email })).status).toBe(200);
  const { text = '' } = box.messages.findLast(({ to }) => to === email.toLowerCase()) ?? {};
  return /code=([0-9a-f]+)/.exec(text)?.[1] ?? '';
}

describe('a change of password', () => {
  it('ends older tokens and gives one that works, however often within a second', async () => {
    const tokens = [(await register(send, 'dora')).jwt];
    for (const [currentPassword, password] of [
      [PASSWORD, NEW],
      [NEW, PASSWORD],
      [PASSWORD, NEW],
    ]) {
      const body = { currentPassword, password, passwordConfirmation: password };
      const response = await post(send, '/api/auth/change-password', body, tokens.at(-1));
      tokens.push(((await response.json()) as { jwt: string }).jwt);
    }
    const answers = await Promise.all(tokens.map(async (jwt) => (await me(jwt)).status));
    expect(answers).toEqual([401, 401, 401, 200]);
    const { jwt } = (await (await login(send, 'dora', NEW)).json()) as { jwt: string };
    expect((await me(jwt)).status).toBe(200);
  });

  it('leaves them where the settings say so, as Strapi does; one by an administrator ends them all the same', async () => {
    const kept = serve({ users: { passwordChangeEndsTokens: false } });
    const { jwt, user } = await register(kept, 'doro');
    const body = { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW };
    expect((await post(kept, '/api/auth/change-password', body, jwt)).status).toBe(200);
    expect((await me(jwt)).status).toBe(200);
    expect((await login(kept, 'doro', PASSWORD)).status).toBe(400);
    await kept(`/api/users/${user.id}`, {
      method: 'PUT',
      headers: { authorization: 'Bearer full', 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    });
    expect(await refusalOf(await me(jwt))).toBe(GONE);
  });
});

describe('a code to reset a password', () => {
  it('is not sent to an address that was changed meanwhile', async () => {
    const { user } = await register(send, 'pavel');
    const move = () => change(user.id, { email: 'pavel@elsewhere.test' });
    const slow = serve({}, { DB: interleavedDatabase(env.DB, 1, move) }, box);
    expect((await post(slow, '/api/auth/forgot-password', { email: 'pavel@example.com' })).status).toBe(200);
    expect(box.messages.filter(({ to }) => to.startsWith('pavel'))).toEqual([]);
  });

  it('goes on working when somebody saves the address as it was', async () => {
    const { user } = await register(send, 'piet');
    const code = await codeFor('piet@example.com');
    expect((await change(user.id, { username: 'pieter', email: 'Piet@example.com' })).status).toBe(200);
    expect((await reset(code)).status).toBe(200);
  });

  it('cannot be set by whoever writes users', async () => {
    const { user } = await register(send, 'ines');
    const data = { username: 'ines later', resetPasswordToken: 'mine', passwordChangedAt: 1 };
    expect((await change(user.id, data)).status).toBe(200);
    expect(await refusalOf(await reset('mine'))).toBe(INCORRECT);
    const columns = 'username, reset_password_token as token, password_changed_at is 1 as dated';
    const row = env.DB.prepare(`select ${columns} from up_users where id = ?`).bind(user.id);
    expect(await row.first()).toEqual({ username: 'ines later', token: null, dated: 0 });
  });
});

describe('a confirmation of an address', () => {
  const strict = serve({ users: { emailConfirmation: true, emailConfirmationRedirection: '/welcome' } }, {}, box);
  const codeIn = (text = '') => /confirmation=([0-9a-f]+)/.exec(text)?.[1] ?? '';

  it('leaves the code of its link unused for a HEAD request, which has the headers of GET', async () => {
    await register(strict, 'headed');
    const path = `/api/auth/email-confirmation?confirmation=${codeIn(box.messages.at(-1)?.text)}`;
    for (const method of ['HEAD', 'HEAD', 'GET']) {
      const { status, headers } = await strict(path, { method, redirect: 'manual' });
      expect([method, status, headers.get('location')]).toEqual([method, 302, '/welcome']);
      const signedIn = await login(strict, 'headed');
      expect([method, signedIn.status]).toEqual([method, method === 'HEAD' ? 400 : 200]);
    }
    expect((await strict(path, { method: 'HEAD' })).status).toBe(400);
  });

  it('can be asked for again, in an answer that tells of no account', async () => {
    await register(strict, 'karl');
    await register(send, 'jana');
    const before = box.messages.length;
    const answers = ['karl@example.com', 'jana@example.com', 'nobody@example.com'].map(async (email) =>
      (await post(strict, '/api/auth/send-email-confirmation', { email })).json(),
    );
    expect((await Promise.all(answers)).map((answer) => (answer as { sent: boolean }).sent)).toEqual([
      true,
      true,
      true,
    ]);
    expect(box.messages.slice(before).map(({ to }) => to)).toEqual(['karl@example.com']);
  });
});
