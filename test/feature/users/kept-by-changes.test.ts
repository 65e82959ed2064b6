/**
 * @module What a change of a user leaves as it is: codes, proofs, identities, clients and devices.
 */
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { login, outbox, PASSWORD, post, refusalOf, register, type SignedIn } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const plugin = (...actions: readonly string[]) => actions.map((action) => `plugin::users-permissions.${action}`);
const roles = { authenticated: plugin('user.me', 'user.updateMe', 'role.find') };
const server = { url: 'https://api.site.test' };
const box = outbox();
const { send } = openMagazine({ roles, server }, {}, { emailSender: box });
const serving = (users: object) => serve({ roles, server, users }, {}, box);
const confirming = serving({ emailConfirmation: true });
const refreshing = serving({ jwtManagement: 'refresh' });

const NEW = { password: 'An0therOne', passwordConfirmation: 'An0therOne' };

afterEach(() => vi.useRealTimers());

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const rowsOf = async (sql: string, ...values: unknown[]) => (await run(sql, ...values)).results;
const rowOf = async ({ user }: SignedIn) => (await rowsOf('select * from up_users where id = ?', user.id))[0];

const manage = async ({ user }: Pick<SignedIn, 'user'>, body: object) =>
  expect((await send(`/api/users/${user.id}`, sendJson('PUT', 'full', body))).status).toBe(200);
const change = ({ jwt }: SignedIn, body: object, by = send) => by('/api/users/me', sendJson('PUT', jwt, body));
const changePassword = (jwt: string, body: object = {}, by = send) =>
  post(by, '/api/auth/change-password', { ...NEW, currentPassword: PASSWORD, ...body }, jwt);

const lastCode = (): string => /(?:code|confirmation)=([0-9a-f]+)/.exec(box.messages.at(-1)?.text ?? '')?.[1] ?? '';
async function resetCode({ user }: SignedIn): Promise<string> {
  await post(send, '/api/auth/forgot-password', { email: user.email });
  return lastCode();
}
const reset = (code: string, body: object = {}, by = send) =>
  post(by, '/api/auth/reset-password', { ...NEW, code, ...body });

async function confirmationCode({ user }: SignedIn): Promise<string> {
  await run('update up_users set confirmed = 0 where id = ?', user.id);
  await post(confirming, '/api/auth/send-email-confirmation', { email: user.email });
  return lastCode();
}
const confirm = (code: string, more = '') =>
  confirming(`/api/auth/email-confirmation?confirmation=${code}${more}`, { redirect: 'manual' });

/** Links an identity and a client to a user, as the sign-in of a provider and of a client would. */
async function link({ user }: SignedIn): Promise<void> {
  await run(
    "insert into edgewise_identities values ('https://sso.example.com', ?1, ?1, 'company', 0)",
    user.documentId,
  );
  await run(
    "insert into edgewise_oauth_grants values (?1, ?1, 'c', 'h', 'n', 'read', null, ?1, 0, 0, null, 9e15)",
    user.documentId,
  );
}
const linked = async ({ user }: SignedIn) => {
  const [counts] = await rowsOf(
    'select (select count(*) from edgewise_identities where "user" = ?1) as identities, (select count(*) from edgewise_oauth_grants where "user" = ?1) as clients',
    user.documentId,
  );
  return counts;
};

describe('a new password', () => {
  const devices = async ({ user }: Pick<SignedIn, 'user'>) =>
    (await rowsOf('select device_id from strapi_sessions where user_id = ?', user.id)).map(
      ({ device_id }) => device_id,
    );

  it.each([
    [{}, /^[0-9a-f-]{36}$/],
    [{ deviceId: 'phone' }, /^phone$/],
  ])('by a code with %j opens a session of that device, or of a new one', async (body, device) => {
    const user = await register(send, `bert${JSON.stringify(body).length}`);
    expect((await reset(await resetCode(user), body, refreshing)).status).toBe(200);
    expect(await devices(user)).toEqual([expect.stringMatching(device)]);
  });

  it('by its user keeps the device of the session, unless it names another', async () => {
    const user = await register(send, 'cleo');
    const entered = await post(refreshing, '/api/auth/local', {
      identifier: 'cleo',
      password: PASSWORD,
      deviceId: 'laptop',
    });
    const { jwt } = (await entered.json()) as SignedIn;
    expect((await changePassword(jwt, {}, refreshing)).status).toBe(200);
    expect(await devices(user)).toEqual(['laptop']);
    const back = { currentPassword: NEW.password, password: PASSWORD, passwordConfirmation: PASSWORD };
    expect((await changePassword(jwt, { ...back, deviceId: 'phone' }, refreshing)).status).toBe(200);
    expect(await devices(user)).toEqual(['phone']);
  });

  it('with refresh tokens ends long-lived tokens, though the settings would keep them', async () => {
    const keeping = serving({ jwtManagement: 'refresh', passwordChangeEndsTokens: false });
    const user = await register(keeping, 'dora');
    expect((await changePassword(user.jwt, {}, keeping)).status).toBe(200);
    expect((await rowOf(user))?.password_changed_at).toBeGreaterThan(0);
  });

  it('that ends no tokens gives one of this second', async () => {
    vi.useFakeTimers({ now: 1_900_000_000_500, toFake: ['Date'] });
    const keeping = serving({ passwordChangeEndsTokens: false });
    const { jwt } = await register(keeping, 'doro');
    const next = (await (await changePassword(jwt, {}, keeping)).json()) as SignedIn;
    expect(JSON.parse(atob(next.jwt.split('.')[1] ?? ''))).toMatchObject({ iat: 1_900_000_000 });
  });

  it('by its user confirms and proves no address, and ends no identity', async () => {
    const user = await register(send, 'emil');
    await link(user);
    await run('update up_users set confirmed = 0 where id = ?', user.user.id);
    expect((await changePassword(user.jwt)).status).toBe(200);
    expect(await rowOf(user)).toMatchObject({ confirmed: 0, email_proven: 0 });
    expect(await linked(user)).toEqual({ identities: 1, clients: 0 });
  });

  it('by a code proves the address of an account with a password, and does not confirm it', async () => {
    const user = await register(send, 'fred');
    await run('update up_users set confirmed = 0 where id = ?', user.user.id);
    expect((await reset(await resetCode(user))).status).toBe(200);
    expect(await rowOf(user)).toMatchObject({ confirmed: 0, email_proven: 1 });
  });
});

describe('a code', () => {
  it.each([
    ['a manager gives its user another name', (user: SignedIn) => manage(user, { username: `${user.user.username}2` })],
    [
      'its user takes another name',
      async (user: SignedIn) => expect((await change(user, { username: `${user.user.username}2` })).status).toBe(200),
    ],
  ])('works on when %s', async (_, act) => {
    for (const confirms of [false, true]) {
      const user = await register(send, `gina${_.length}${confirms}`);
      const code = await (confirms ? confirmationCode(user) : resetCode(user));
      await act(user);
      expect((await (confirms ? confirm(code) : reset(code))).status).toBe(confirms ? 302 : 200);
    }
  });

  it('works no longer when the address was another one meanwhile', async () => {
    for (const confirms of [false, true]) {
      const user = await register(send, `hans${confirms}`);
      const code = await (confirms ? confirmationCode(user) : resetCode(user));
      for (const email of ['elsewhere@example.com', user.user.email]) await manage(user, { email });
      expect((await (confirms ? confirm(code) : reset(code))).status).toBe(400);
    }
  });
});

describe('a confirmation', () => {
  it.each([
    ['its own address, which it has proven', 1, false, { identities: 1, clients: 1 }],
    ['its own address for the first time', 0, false, { identities: 0, clients: 0 }],
    ['another address, after it has proven one', 1, true, { identities: 0, clients: 1 }],
    ['another address, of which it has proven none', 0, true, { identities: 0, clients: 0 }],
  ])('of %s keeps what only its owner can have made', async (_, proven, isMoved, left) => {
    const user = await register(send, `ines${proven}${isMoved}`);
    const email = `moved-${user.user.email}`;
    await resetCode(user);
    await run(
      'update up_users set email_proven = ?, confirmed = ? where id = ?',
      proven,
      isMoved ? 1 : 0,
      user.user.id,
    );
    await link(user);
    if (isMoved) await change(user, { email, currentPassword: PASSWORD }, confirming);
    else await post(confirming, '/api/auth/send-email-confirmation', { email: user.user.email });
    const more = isMoved || proven ? `&email=${isMoved ? email : user.user.email}` : '';
    expect((await confirm(lastCode(), more)).status).toBe(302);
    expect(await linked(user)).toEqual(left);
    const row = await rowOf(user);
    expect(row).toMatchObject({ email: isMoved ? email : user.user.email, confirmed: 1, email_proven: 1 });
    expect(row?.reset_password_token === null).toBe(isMoved);
  });

  it('of the address that it has keeps what it has proven, with a link that does not name it', async () => {
    const user = await register(send, 'inga');
    await resetCode(user);
    await run('update up_users set email_proven = 1 where id = ?', user.user.id);
    await link(user);
    expect((await confirm(await confirmationCode(user))).status).toBe(302);
    expect(await linked(user)).toEqual({ identities: 1, clients: 1 });
    expect((await rowOf(user))?.reset_password_token).not.toBeNull();
  });

  it('is not sent again to a blocked user, whose earlier link confirms the address all the same', async () => {
    const user = await register(send, 'ivan');
    const code = await confirmationCode(user);
    await manage(user, { blocked: true });
    const { length } = box.messages;
    await post(confirming, '/api/auth/send-email-confirmation', { email: user.user.email });
    expect(box.messages).toHaveLength(length);
    expect((await confirm(code)).status).toBe(302);
    expect(await rowOf(user)).toMatchObject({ confirmed: 1, blocked: 1 });
  });

  it('is sent for another address alone, and only where addresses are confirmed', async () => {
    const user = await register(send, 'karl');
    const { length } = box.messages;
    expect((await change(user, { email: user.user.email }, confirming)).status).toBe(200);
    const moved = { email: 'karl.new@example.com', currentPassword: PASSWORD };
    expect((await change(user, moved)).status).toBe(200);
    expect(box.messages).toHaveLength(length);
  });
});

describe('a change of a user', () => {
  it('shows no role to its user, who may see roles', async () => {
    const user = await register(send, 'lena');
    expect(await (await change(user, { username: 'lenart' })).json()).not.toHaveProperty('role');
    expect(await (await changePassword(user.jwt)).json()).not.toHaveProperty('user.role');
  });

  it('may be that of the provider, which stays otherwise', async () => {
    const user = await register(send, 'nele');
    for (const [body, provider] of [
      [{ provider: 'google' }, 'google'],
      [{ username: 'nelly' }, 'google'],
      [{ provider: 'local' }, 'local'],
    ] as const) {
      await manage(user, body);
      expect(await rowOf(user)).toMatchObject({ provider });
    }
  });

  it.each([null, ''])(
    'takes no password %j for one that signs in, and ends nothing by it elsewhere',
    async (password) => {
      const user = await register(send, `olaf${password}`);
      const put = () => send(`/api/users/${user.user.id}`, sendJson('PUT', 'full', { password }));
      expect(await refusalOf(await put())).toBe('400 ValidationError: password.notNull');
      expect((await login(send, user.user.username as string)).status).toBe(200);
      await manage(user, { provider: 'google' });
      expect((await put()).status).toBe(password === null ? 200 : 400);
      expect((await send('/api/users/me', bearer(user.jwt))).status).toBe(200);
    },
  );
});
