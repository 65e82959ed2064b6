/**
 * @module Passwords: how they are kept, changed and reset, and which tokens that ends.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { forge, login, outbox, PASSWORD, post, refusalOf, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const box = outbox();
const users = { resetPasswordUrl: 'https://site.test/reset?lang=en' };
const { send } = openMagazine({ users }, {}, { emailSender: box });
const GONE = '401 UnauthorizedError: Invalid credentials';
const INCORRECT = '400 ValidationError: Incorrect code provided';
const NEW = 'An0therOne';

const me = (jwt: string) => send('/api/users/me', bearer(jwt));
const reset = (code: string, password = NEW) =>
  post(send, '/api/auth/reset-password', { code, password, passwordConfirmation: password });

const change = (id: number, data: unknown) => send(`/api/users/${id}`, sendJson('PUT', 'full', data));
const changePassword = (jwt: string) =>
  post(send, '/api/auth/change-password', { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW }, jwt);

async function codeFor(email: string): Promise<string> {
  expect((await post(send, '/api/auth/forgot-password', { email })).status).toBe(200);
  const { text = '' } = box.messages.findLast(({ to }) => to === email.toLowerCase()) ?? {};
  return /code=([0-9a-f]+)/.exec(text)?.[1] ?? '';
}

describe('a password', () => {
  it('is kept as a salted hash and shown to nobody', async () => {
    const { user } = await register(send, 'anna');
    await register(send, 'bert');
    const { results } = await env.DB.prepare('select password from up_users').all<{ password: string }>();
    expect(new Set(results.map(({ password }) => password)).size).toBe(2);
    for (const { password } of results) expect(password).toMatch(/^scrypt\$/);
    const shown = await (await send(`/api/users/${user.id}?populate=*`, bearer('full'))).text();
    expect(shown).not.toMatch(/scrypt|password/i);
  });

  it('is refused in the words for unknown users', async () => {
    const answers = [await login(send, 'anna', 'wrong'), await login(send, 'nobody', 'wrong')];
    const words = await Promise.all(answers.map(refusalOf));
    expect(words[0]).toBe('400 ValidationError: Invalid identifier or password');
    expect(words[1]).toBe(words[0]);
  });

  it('that is missing lets nobody in', async () => {
    const { user } = await register(send, 'carl');
    await env.DB.prepare('update up_users set password = null where id = ?').bind(user.id).run();
    expect((await login(send, 'carl')).status).toBe(400);
  });
});

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

  it('by an administrator ends tokens, too', async () => {
    const { jwt, user } = await register(send, 'emil');
    const changed = await send(`/api/users/${user.id}`, {
      method: 'PUT',
      headers: { authorization: 'Bearer full', 'content-type': 'application/json' },
      body: JSON.stringify({ password: NEW }),
    });
    expect(changed.status).toBe(200);
    expect(await refusalOf(await me(jwt))).toBe(GONE);
    expect((await login(send, 'emil', NEW)).status).toBe(200);
  });
});

describe('a code to reset a password', () => {
  it('works once, and ends older tokens', async () => {
    const { jwt } = await register(send, 'fred');
    const code = await codeFor('Fred@Example.com');
    expect((await reset(code)).status).toBe(200);
    expect(await refusalOf(await me(jwt))).toBe(GONE);
    expect(await refusalOf(await reset(code))).toBe(INCORRECT);
    expect((await login(send, 'fred', NEW)).status).toBe(200);
  });

  it('is sent with the page of the settings, and stored nowhere', async () => {
    await register(send, 'gina');
    const code = await codeFor('gina@example.com');
    expect(box.messages.at(-1)?.text).toContain(`https://site.test/reset?lang=en&code=${code}`);
    const { results } = await env.DB.prepare('select * from up_users').all();
    expect(JSON.stringify(results)).not.toContain(code);
  });

  it('ends after its time', async () => {
    await register(send, 'hans');
    const code = await codeFor('hans@example.com');
    const old = serve({ users: { resetCodeExpiresIn: '1s' } });
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_100);
    const body = { code, password: NEW, passwordConfirmation: NEW };
    expect(await refusalOf(await post(old, '/api/auth/reset-password', body))).toBe(INCORRECT);
    later.mockRestore();
  });

  it.each([
    ['changed their password', 'pia', (jwt: string) => changePassword(jwt)],
    ['was given another password', 'paul', (_: string, id: number) => change(id, { password: NEW })],
    ['was given another address', 'petra', (_: string, id: number) => change(id, { email: 'new@example.com' })],
  ])('is void once its user %s', async (_, name, act) => {
    const { jwt, user } = await register(send, name);
    const code = await codeFor(`${name}@example.com`);
    expect((await act(jwt, user.id)).status).toBe(200);
    expect(await refusalOf(await reset(code))).toBe(INCORRECT);
  });

  it('is not sent to an address that was changed meanwhile', async () => {
    const { user } = await register(send, 'pavel');
    const move = () => change(user.id, { email: 'pavel@elsewhere.test' });
    const slow = serve({ users }, { DB: interleavedDatabase(env.DB, 1, move) }, box);
    expect((await post(slow, '/api/auth/forgot-password', { email: 'pavel@example.com' })).status).toBe(200);
    expect(box.messages.filter(({ to }) => to.startsWith('pavel'))).toEqual([]);
  });

  it('goes on working when somebody saves the address as it was', async () => {
    const { user } = await register(send, 'piet');
    const code = await codeFor('piet@example.com');
    expect((await change(user.id, { username: 'pieter', email: 'Piet@example.com' })).status).toBe(200);
    expect((await reset(code)).status).toBe(200);
  });

  it('is answered alike for unknown addresses, and sent to nobody', async () => {
    const before = box.messages.length;
    const response = await post(send, '/api/auth/forgot-password', { email: 'nobody@example.com' });
    expect(await response.json()).toEqual({ ok: true });
    expect(box.messages.length).toBe(before);
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

  it('is needed before signing in, where the settings say so', async () => {
    const answer = await register(strict, 'jana');
    expect(answer.jwt).toBeUndefined();
    expect(answer.user.confirmed).toBe(false);
    expect(await refusalOf(await login(strict, 'jana'))).toBe(
      '400 ApplicationError: Your account email is not confirmed',
    );
    const now = Math.floor(Date.now() / 1000);
    const forged = await forge({ id: answer.user.id, iat: now, exp: now + 60 });
    expect(await refusalOf(await strict('/api/users/me', bearer(forged)))).toBe(GONE);
    const path = `/api/auth/email-confirmation?confirmation=${codeIn(box.messages.at(-1)?.text)}`;
    const confirmed = await strict(path, { redirect: 'manual' });
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([302, '/welcome']);
    expect(await refusalOf(await strict(path))).toBe('400 ValidationError: Invalid token');
    expect((await login(strict, 'jana')).status).toBe(200);
  });

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

  it('is about the address that the message went to, and no other', async () => {
    const { user } = await register(strict, 'lena');
    const code = codeIn(box.messages.at(-1)?.text);
    expect((await change(user.id, { email: 'victim@example.com' })).status).toBe(200);
    expect(await refusalOf(await strict(`/api/auth/email-confirmation?confirmation=${code}`))).toBe(
      '400 ValidationError: Invalid token',
    );
  });
});

describe('a request about passwords', () => {
  it.each([
    ['/api/auth/change-password', { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW }],
    ['/api/auth/reset-password', { code: 'c', password: NEW, passwordConfirmation: NEW }],
    ['/api/auth/forgot-password', { email: 'nobody@example.com' }],
  ])('is refused with a key that it does not have: %s', async (path, body) => {
    const { jwt } = await register(send, `key${path.length}`);
    const answer = await post(send, path, { ...body, nope: 1 }, path.includes('change') ? jwt : '');
    const { error } = (await answer.clone().json()) as { error: { details: { errors: object[] } } };
    expect(error.details.errors.map(Object.keys)).toEqual([['path', 'message', 'name']]);
    expect(await refusalOf(answer)).toBe('400 ValidationError: this field has unspecified keys: nope');
  });

  it('whose repetition is empty does not match', async () => {
    const body = { code: 'c', password: NEW, passwordConfirmation: '' };
    expect(await refusalOf(await post(send, '/api/auth/reset-password', body))).toMatch(/Passwords do not match$/);
  });
});
