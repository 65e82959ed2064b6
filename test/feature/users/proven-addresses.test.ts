/**
 * @module Which accounts have shown that messages to their address arrive, and what ends that.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { outbox, PASSWORD, post, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const roles = { authenticated: ['plugin::users-permissions.user.updateMe', 'plugin::users-permissions.user.me'] };
const server = { url: 'https://api.site.test' };
const box = outbox();
const { send: silent } = openMagazine({ roles });
const send = serve({ roles, server }, {}, box);
const confirming = serve({ roles, server, users: { emailConfirmation: true } }, {}, box);

const codeIn = (text = ''): string => /(?:code|confirmation)=([0-9a-f]+)/.exec(text)?.[1] ?? '';
const lastCode = (): string => codeIn(box.messages.at(-1)?.text);

const isProven = async (email: string): Promise<boolean | undefined> => {
  const row = env.DB.prepare('select email_proven from up_users where email = ?').bind(email);
  const found = await row.first<{ email_proven: number | null }>();
  return found ? found.email_proven === 1 : undefined;
};

const reset = (code: string, by = send) =>
  post(by, '/api/auth/reset-password', { code, password: PASSWORD, passwordConfirmation: PASSWORD });

async function resetBy(email: string): Promise<void> {
  await post(send, '/api/auth/forgot-password', { email });
  expect((await reset(lastCode())).status).toBe(200);
}

describe('the address of an account', () => {
  it('is not proven by a registration, which confirms it', async () => {
    const { user } = await register(send, 'anna');
    expect(user.confirmed).toBe(true);
    expect(await isProven('anna@example.com')).toBe(false);
  });

  it('is not proven by a manager who makes the account as confirmed', async () => {
    const body = { username: 'made', email: 'made@example.com', password: PASSWORD, role: 1, confirmed: true };
    expect((await send('/api/users', sendJson('POST', 'full', { ...body, emailProven: true }))).status).toBe(201);
    expect(await isProven('made@example.com')).toBe(false);
  });

  it('is proven by the link of its confirmation', async () => {
    await register(confirming, 'bert');
    expect(await isProven('bert@example.com')).toBe(false);
    const path = `/api/auth/email-confirmation?confirmation=${lastCode()}`;
    await confirming(path, { method: 'HEAD', redirect: 'manual' });
    expect(await isProven('bert@example.com')).toBe(false);
    await confirming(path, { redirect: 'manual' });
    expect(await isProven('bert@example.com')).toBe(true);
  });

  it('is proven by a password that is chosen with the link of a message', async () => {
    await register(send, 'cleo');
    await resetBy('cleo@example.com');
    expect(await isProven('cleo@example.com')).toBe(true);
  });

  it('is proven by an invitation that was sent to it, and by none that its inviter passes on', async () => {
    await send('/api/users/invite', sendJson('POST', 'full', { email: 'dora@example.com' }));
    expect(await isProven('dora@example.com')).toBe(false);
    await reset(lastCode());
    expect(await isProven('dora@example.com')).toBe(true);
    const invited = await silent('/api/users/invite', sendJson('POST', 'full', { email: 'emil@example.com' }));
    const { link } = (await invited.json()) as { readonly link: string };
    expect((await reset(codeIn(link), silent)).status).toBe(200);
    expect(await isProven('emil@example.com')).toBe(false);
  });

  it('is proven by how the link of an invitation came, whatever the server sends when it is followed', async () => {
    const invited = await silent('/api/users/invite', sendJson('POST', 'full', { email: 'hugo@example.com' }));
    const { link } = (await invited.json()) as { readonly link: string };
    expect((await reset(codeIn(link), confirming)).status).toBe(200);
    expect(await isProven('hugo@example.com')).toBe(false);
    const confirmed = env.DB.prepare(`select confirmed from up_users where email = 'hugo@example.com'`);
    expect(await confirmed.first('confirmed')).toBe(0);
    await send('/api/users/invite', sendJson('POST', 'full', { email: 'ines@example.com' }));
    expect((await reset(lastCode(), silent)).status).toBe(200);
    expect(await isProven('ines@example.com')).toBe(true);
  });

  it('is no longer proven when the user takes another one, and again by the link to that', async () => {
    const { jwt } = await register(send, 'fred');
    await resetBy('fred@example.com');
    const { jwt: later } = (await (
      await post(send, '/api/auth/local', { identifier: 'fred', password: PASSWORD })
    ).json()) as { readonly jwt: string };
    expect(later).not.toBe(jwt);
    const move = (email: string, by = send) =>
      by('/api/users/me', sendJson('PUT', later, { email, currentPassword: PASSWORD }));
    expect((await move('frederic@example.com')).status).toBe(200);
    expect(await isProven('frederic@example.com')).toBe(false);
    await move('freddy@example.com', confirming);
    const code = lastCode();
    expect(await isProven('frederic@example.com')).toBe(false);
    await confirming(`/api/auth/email-confirmation?confirmation=${code}&email=freddy@example.com`, {
      redirect: 'manual',
    });
    expect(await isProven('freddy@example.com')).toBe(true);
  });

  it('is no longer proven when a manager changes it, and stays so with other changes', async () => {
    const { user } = await register(send, 'gina');
    await resetBy('gina@example.com');
    const change = (body: object) => send(`/api/users/${user.id}`, sendJson('PUT', 'full', body));
    await change({ username: 'regina', email: 'GINA@example.com', password: 'another one', emailProven: null });
    expect(await isProven('gina@example.com')).toBe(true);
    expect((await change({ email: 'regina@example.com', emailProven: true })).status).toBe(200);
    expect(await isProven('regina@example.com')).toBe(false);
  });

  it('is shown as proven to nobody who reads users', async () => {
    const response = await send('/api/users?populate=*', bearer('full'));
    const text = await response.text();
    expect(text).toContain('"username"');
    expect(text).not.toMatch(/proven/i);
  });
});
