/**
 * @module `PUT /api/users/me`: users change their own name and address.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { login, outbox, PASSWORD, post, refusalOf, register, type SignedIn } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const roles = { authenticated: ['plugin::users-permissions.user.updateMe'] };
const server = { url: 'https://api.site.test' };
const box = outbox();
const { send } = openMagazine({ roles, server }, {}, { emailSender: box });
const confirming = serve({ roles, server, users: { emailConfirmation: true } }, {}, box);
const TAKEN = '400 ApplicationError: Email or Username are already taken';
const WRONG = '400 ValidationError: The provided current password is invalid';
const currentPassword = PASSWORD;

const change = ({ jwt }: SignedIn, body: object, by = send) => by('/api/users/me', sendJson('PUT', jwt, body));
const rowOf = ({ user }: SignedIn) =>
  env.DB.prepare('select * from up_users where id = ?').bind(user.id).first<Record<string, unknown>>();

describe('a change of the own account', () => {
  it('takes a permission, and an account', async () => {
    const user = await register(send, 'anna');
    expect(await refusalOf(await change(user, { username: 'anne' }, serve()))).toBe('403 ForbiddenError: Forbidden');
    expect(await refusalOf(await send('/api/users/me', sendJson('PUT', 'full', { email: 5 })))).toBe(
      '401 UnauthorizedError: Unauthorized',
    );
  });

  it('of the name takes no password', async () => {
    const user = await register(send, 'bert');
    const response = await change(user, { username: 'bertha' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ username: 'bertha', email: 'bert@example.com' });
    expect((await login(send, 'bertha')).status).toBe(200);
    expect((await login(send, 'bert')).status).toBe(400);
  });

  it.each([
    [{ username: 'ab' }, 'username must be at least 3 characters'],
    [{ username: '' }, 'username must be at least 1 characters'],
    [{ username: { $ne: null } }, 'username must be a `string` type'],
    [{ email: 'nowhere' }, 'email must be a valid email'],
    [{ role: 1 }, 'unspecified keys: role'],
    [{ blocked: false, confirmed: true }, 'unspecified keys: blocked, confirmed'],
    [{ password: 'An0therOne' }, 'unspecified keys: password'],
    [{ id: 1, documentId: 'x' }, 'unspecified keys: id, documentId'],
    [{ resetPasswordToken: 'x' }, 'unspecified keys: resetPasswordToken'],
  ])('is rejected with %j', async (body, message) => {
    const user = await register(send, `carl${JSON.stringify(body).replaceAll(/\W/g, '')}`);
    const before = await rowOf(user);
    const refusal = await refusalOf(await change(user, body));
    expect(refusal).toMatch(/^400 ValidationError: /);
    expect(refusal).toContain(message);
    expect(refusal).not.toContain('An0therOne');
    expect(await rowOf(user)).toEqual(before);
  });

  it.each([undefined, '', 'wrong', 5])('of the address is rejected with the current password %j', async (password) => {
    const user = await register(send, `dora${password}x`);
    const before = await rowOf(user);
    expect((await change(user, { email: 'dora.new@example.com', currentPassword: password })).status).toBe(400);
    expect(await rowOf(user)).toEqual(before);
  });

  it('of the address ends the codes that were sent to the old one', async () => {
    const user = await register(send, 'emil');
    await post(send, '/api/auth/forgot-password', { email: 'emil@example.com' });
    const code = /code=([0-9a-f]+)/.exec(box.messages.at(-1)?.text ?? '')?.[1] ?? '';
    expect(await refusalOf(await change(user, { email: 'emil.new@example.com', currentPassword: 'no' }))).toBe(WRONG);
    expect((await change(user, { email: 'Emil.New@example.com', currentPassword })).status).toBe(200);
    expect((await login(send, 'emil.new@example.com')).status).toBe(200);
    const reset = { code, password: 'An0therOne', passwordConfirmation: 'An0therOne' };
    expect((await post(send, '/api/auth/reset-password', reset)).status).toBe(400);
  });

  it('to a name or an address of someone else is rejected, and to the own ones it is not', async () => {
    const user = await register(send, 'fred');
    await register(send, 'gina');
    for (const body of [{ username: 'GINA' }, { username: 'gina@example.com' }, { email: 'gina@example.com' }])
      expect(await refusalOf(await change(user, { ...body, currentPassword }))).toBe(TAKEN);
    expect((await change(user, { username: 'fred', email: 'FRED@example.com' })).status).toBe(200);
  });

  it('is made once of two who want the same name', async () => {
    const both = await Promise.all(['hans', 'ines'].map((name) => register(send, name)));
    const answers = await Promise.all(both.map((user) => change(user, { username: 'wanted' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('counts wrong passwords', async () => {
    const user = await register(send, 'karl');
    const limit = async () => ({ success: false });
    const limited = serve({ roles, rateLimit: { auth: { enabled: true } } }, { AUTH_FAILURE_RATE_LIMIT: { limit } });
    const body = { email: 'karl.new@example.com', currentPassword: 'guess' };
    expect((await change(user, body, limited)).status).toBe(429);
    expect((await change(user, { ...body, currentPassword }, limited)).status).toBe(429);
  });
});

describe('a change of the address where addresses are confirmed', () => {
  const linkIn = (text = '') => text.split('\n').find((line) => line.includes('confirmation=')) ?? '';
  const follow = (link: string) => confirming(link.replace('https://api.site.test', ''));

  async function member(name: string): Promise<SignedIn> {
    const user = await register(send, name);
    await env.DB.prepare('update up_users set confirmed = 1 where id = ?').bind(user.user.id).run();
    return user;
  }

  async function moved(user: SignedIn, email: string): Promise<string> {
    const count = box.messages.length;
    const response = await change(user, { email, currentPassword }, confirming);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ email: user.user.email });
    await expect.poll(() => box.messages.length).toBe(count + 1);
    expect(box.messages.at(-1)?.to).toBe(email);
    return linkIn(box.messages.at(-1)?.text);
  }

  it('is made by the link in the message, once, and leaves the user signed in', async () => {
    const user = await member('lena');
    const link = await moved(user, 'lena+new@example.com');
    expect((await login(confirming, 'lena@example.com')).status).toBe(200);
    expect((await confirming('/api/users/me', bearer(user.jwt))).status).toBe(200);
    expect((await follow(link)).status).toBe(302);
    expect(await rowOf(user)).toMatchObject({ email: 'lena+new@example.com', confirmed: 1 });
    expect(await refusalOf(await follow(link))).toContain('Invalid token');
  });

  it('is not made once the address is taken, or has been changed', async () => {
    const user = await member('nele');
    const link = await moved(user, 'nele.new@example.com');
    await register(send, 'nele.new');
    expect(await refusalOf(await follow(link))).toBe(TAKEN);
    await send(`/api/users/${user.user.id}`, sendJson('PUT', 'full', { email: 'nele.other@example.com' }));
    expect(await refusalOf(await follow(link))).toContain('Invalid token');
    expect(await rowOf(user)).toMatchObject({ email: 'nele.other@example.com' });
  });

  it('is not made after a new password, and for a blocked user', async () => {
    const user = await member('olga');
    const link = await moved(user, 'olga.new@example.com');
    const chosen = { password: 'Passw0rd2', passwordConfirmation: 'Passw0rd2', currentPassword };
    expect((await post(confirming, '/api/auth/change-password', chosen, user.jwt)).status).toBe(200);
    expect(await refusalOf(await follow(link))).toContain('Invalid token');
    expect(await rowOf(user)).toMatchObject({ email: 'olga@example.com' });
    const blocked = await member('pia');
    const other = await moved(blocked, 'pia.new@example.com');
    await send(`/api/users/${blocked.user.id}`, sendJson('PUT', 'full', { blocked: true }));
    expect(await refusalOf(await follow(other))).toContain('Invalid token');
    expect(await rowOf(blocked)).toMatchObject({ email: 'pia@example.com' });
  });
});
