/**
 * @module Class 10 of the advisories of 2026: an account belongs to the owner of its address, and a sign-in links to no
 * account whose address was never confirmed. PocketBase CVE-2026-44166 (an account that was registered for the address of
 * another is linked when its owner signs in by OAuth): `provider-sign-ins-open-no-other-account.test.ts` has these. Here a
 * registration confirms no address, a reset by e-mail takes an account away from whoever registered it, and a code confirms
 * the address that it was sent to.
 */
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { interleavedDatabase } from '../support/interleaved-database.ts';
import { bearer, sendJson, serve } from '../support/recorded.ts';
import { login, outbox, PASSWORD, post, refusalOf, register, type SignedIn } from '../support/users.ts';
import { openMagazine } from '../support/world.ts';

const NEW = 'An0therOne';
const VOID = {
  confirmation: '400 ValidationError: Invalid token',
  reset: '400 ValidationError: Incorrect code provided',
};
const box = outbox();
const users = { emailConfirmation: true, confirmationCodeExpiresIn: '2d', resetCodeExpiresIn: '1h' } as const;
const { send } = openMagazine({ users }, {}, { emailSender: box });

afterEach(() => void vi.useRealTimers());

const later = (milliseconds: number) => vi.useFakeTimers({ now: Date.now() + milliseconds, toFake: ['Date'] });
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The last code that was sent to an address. */
function lastCode(email: string): string {
  const { text = '' } = box.messages.findLast(({ to }) => to === email) ?? {};
  return /(?:code|confirmation)=([0-9a-f]+)/.exec(text)?.[1] ?? '';
}

async function codeBy(path: string, email: string, server = send): Promise<string> {
  const before = box.messages.length;
  expect((await post(server, path, { email })).status).toBe(200);
  expect(box.messages.length).toBe(before + 1);
  return lastCode(email);
}

const askConfirmation = (email: string) => codeBy('/api/auth/send-email-confirmation', email);
const askReset = (email: string, server = send) => codeBy('/api/auth/forgot-password', email, server);
const confirm = (code: string) => send(`/api/auth/email-confirmation?confirmation=${code}`, { redirect: 'manual' });
const reset = (code: string, password = NEW) =>
  post(send, '/api/auth/reset-password', { code, password, passwordConfirmation: password });
const change = (id: number, data: object) => send(`/api/users/${id}`, sendJson('PUT', 'full', data));
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const isConfirmed = (id: number) =>
  env.DB.prepare('select confirmed from up_users where id = ?').bind(id).first('confirmed');

async function join(name: string): Promise<SignedIn['user'] & { readonly email: string }> {
  const { user } = await register(send, name);
  return { ...user, email: `${name}@example.com` };
}

describe('a code that confirms an address', () => {
  it('is void after its lifetime, and another one is valid', async () => {
    await join('late');
    const code = lastCode('late@example.com');
    later(2 * DAY);
    expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
    expect((await confirm(await askConfirmation('late@example.com'))).status).toBe(302);
  });

  it('is void if it is from the future', async () => {
    await join('early');
    later(DAY);
    const code = await askConfirmation('early@example.com');
    vi.useRealTimers();
    expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
  });

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['by an administrator', (id) => change(id, { email: 'victim@example.com' })],
    ['by hand', (id) => run('update up_users set email = ? where id = ?', 'victim@example.com', id)],
    [
      'by an administrator, away and back',
      async (id) => {
        await change(id, { email: 'victim@example.com' });
        await change(id, { email: 'moving@example.com' });
      },
    ],
  ])('is void for another address, after a change %s', async (_, move) => {
    const { id, email } = await join('moving');
    const code = lastCode(email);
    await move(id);
    expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
    expect(await isConfirmed(id)).toBe(0);
    await run('delete from up_users where id = ?', id);
  });

  it('is void if the address changes while it is used', async () => {
    const { id, email } = await join('racing');
    const database = interleavedDatabase(env.DB, 1, () => change(id, { email: 'raced@example.com' }));
    const slow = serve({ users }, { DB: database }, box);
    const answer = await slow(`/api/auth/email-confirmation?confirmation=${lastCode(email)}`);
    expect(await refusalOf(answer)).toBe(VOID.confirmation);
    expect(await isConfirmed(id)).toBe(0);
  });

  it('is void once a code was used, also after the account was unconfirmed again', async () => {
    const { id, email } = await join('twice');
    const [first, second] = [lastCode(email), await askConfirmation(email)];
    expect((await confirm(first)).status).toBe(302);
    await change(id, { confirmed: false });
    for (const code of [first, second]) expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
  });
});

describe('a request for another code', () => {
  it('makes neither earlier nor later codes void', async () => {
    const { email } = await join('flooded');
    const codes = [lastCode(email)];
    for (const minutes of [0, 1, 10]) {
      later(minutes * MINUTE);
      codes.push(await askConfirmation(email));
    }
    expect(new Set(codes).size).toBe(4);
    expect((await confirm(codes[0] ?? '')).status).toBe(302);
    vi.useRealTimers();
    const sent: string[] = [];
    for (const minutes of [0, 1, 10, 30]) {
      later(minutes * MINUTE);
      sent.push(await askReset(email));
    }
    expect((await reset(sent[0] ?? '')).status).toBe(200);
    for (const code of sent) expect(await refusalOf(await reset(code))).toBe(VOID.reset);
  });

  it('makes no code of a concurrent request void', async () => {
    const { email } = await join('hurried');
    await confirm(lastCode(email));
    const before = box.messages.length;
    await Promise.all(Array.from({ length: 5 }, () => post(send, '/api/auth/forgot-password', { email })));
    const codes = box.messages.slice(before).map(({ text }) => /code=([0-9a-f]+)/.exec(text)?.[1] ?? '');
    expect(codes).toHaveLength(5);
    expect((await reset(codes[2] ?? '')).status).toBe(200);
  });
});

describe('a code', () => {
  it('is void for another purpose', async () => {
    const { id, email } = await join('mixed');
    const confirmation = lastCode(email);
    await run('update up_users set password = null where id = ?', id);
    const code = await askReset(email);
    expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
    expect(await refusalOf(await reset(confirmation))).toBe(VOID.reset);
    const columns =
      'update up_users set confirmation_token = reset_password_token, reset_password_token = confirmation_token where id = ?';
    await run(columns, id);
    expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
    expect(await refusalOf(await reset(confirmation))).toBe(VOID.reset);
  });

  it('cannot be made of what the database has', async () => {
    const { id, email } = await join('leaked');
    await askReset(email);
    const row = await env.DB.prepare('select * from up_users where id = ?').bind(id).first<Record<string, string>>();
    const made = Date.now().toString(16).padStart(12, '0');
    for (const key of [row?.reset_password_token ?? '', row?.confirmation_token ?? '']) {
      expect(key).toMatch(/^[0-9a-f]{32}$/);
      for (const code of [key, made + key, made + key + key, made + key + '0'.repeat(32), `${made}${key}%`]) {
        expect(await refusalOf(await reset(code))).toBe(VOID.reset);
        expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
      }
    }
  });

  it.each(['f'.repeat(40), 'a'.repeat(128), 'a'.repeat(76), 'b'.repeat(32), 'imported'])(
    'is void if a Strapi database had it: %s',
    async (token) => {
      const { id, email } = await join(`imported${token.length}`);
      await run('update up_users set confirmation_token = ?1, reset_password_token = ?1 where id = ?2', token, id);
      expect(await refusalOf(await confirm(token))).toBe(VOID.confirmation);
      expect(await refusalOf(await reset(token))).toBe(VOID.reset);
      expect((await confirm(await askConfirmation(email))).status).toBe(302);
      expect((await reset(await askReset(email))).status).toBe(200);
    },
  );

  it('is void after its lifetime, and after the password was changed in the database', async () => {
    const { id, email } = await join('slow');
    const code = await askReset(email);
    later(60 * MINUTE);
    expect(await refusalOf(await reset(code))).toBe(VOID.reset);
    vi.useRealTimers();
    const other = await askReset(email);
    await run("update up_users set password = 'scrypt$1' where id = ?", id);
    expect(await refusalOf(await reset(other))).toBe(VOID.reset);
  });

  it('is void for a later user with the same id and address', async () => {
    const { id, email } = await join('gone');
    const codes = [lastCode(email), await askReset(email)] as const;
    const keys = await env.DB.prepare(
      'select confirmation_token as c, reset_password_token as r from up_users where id = ?',
    )
      .bind(id)
      .first<{ c: string; r: string }>();
    await send(`/api/users/${id}`, { method: 'DELETE', ...bearer('full') });
    const next = await join('gone');
    await run(
      'update up_users set id = ?, confirmation_token = ?, reset_password_token = ? where id = ?',
      id,
      keys?.c,
      keys?.r,
      next.id,
    );
    expect(await refusalOf(await confirm(codes[0]))).toBe(VOID.confirmation);
    expect(await refusalOf(await reset(codes[1]))).toBe(VOID.reset);
    expect((await login(send, 'gone', PASSWORD)).status).toBe(400);
  });

  it('is void for a deployment with another secret', async () => {
    const { email } = await join('elsewhere');
    const other = serve({ users }, { JWT_SECRET: 'the secret of another deployment' } as never, box);
    expect(await refusalOf(await reset(await askReset(email, other)))).toBe(VOID.reset);
  });
});

it('no code is made without a secret, and the response does not say why', async () => {
  const { email } = await join('unsafe');
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const bare = serve({ users }, { JWT_SECRET: '' } as never, box);
  const before = box.messages.length;
  const responses = [email, 'unknown@example.com'].map((one) =>
    post(bare, '/api/auth/forgot-password', { email: one }),
  );
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([503, 503]);
  expect(box.messages.length).toBe(before);
  expect(String(log.mock.calls)).toContain('JWT_SECRET is not set');
  log.mockRestore();
});

describe('an account that an attacker has registered for the address of another', () => {
  const address = 'owner@example.com';
  const account = { username: 'squatter', email: address, password: PASSWORD };
  const modes = [
    ['long-lived JWTs', {}],
    ['sessions', { jwtManagement: 'refresh' }],
  ] as const;

  it('gives no token before the address is confirmed, to its registration and to a sign-in', async () => {
    const registered = await post(send, '/api/auth/local/register', account);
    expect(Object.keys((await registered.json()) as object)).toEqual(['user']);
    for (const identifier of ['squatter', address])
      expect(await refusalOf(await login(send, identifier))).toBe(
        '400 ApplicationError: Your account email is not confirmed',
      );
  });

  it.each(modes)(
    'belongs to the owner of the address after a reset by e-mail: password and %s end',
    async (_, mode) => {
      const open = serve({ users: mode }, {}, box);
      await run('delete from up_users where email = ?', address);
      const attacker = (await (await post(open, '/api/auth/local/register', account)).json()) as SignedIn & {
        refreshToken?: string;
      };
      expect((await open('/api/users/me', bearer(attacker.jwt))).status).toBe(200);
      const code = await askReset(address, open);
      const body = { code, password: NEW, passwordConfirmation: NEW };
      const owner = (await (await post(open, '/api/auth/reset-password', body)).json()) as SignedIn;
      expect((await open('/api/users/me', bearer(owner.jwt))).status).toBe(200);
      expect((await open('/api/users/me', bearer(attacker.jwt))).status).toBe(401);
      expect('refreshToken' in attacker).toBe('jwtManagement' in mode);
      if (attacker.refreshToken)
        expect((await post(open, '/api/auth/refresh', { refreshToken: attacker.refreshToken })).status).toBe(401);
      for (const identifier of ['squatter', address])
        expect(await refusalOf(await login(open, identifier))).toBe(
          '400 ValidationError: Invalid identifier or password',
        );
      expect((await login(open, address, NEW)).status).toBe(200);
    },
  );

  it('is not changed by another registration for the address, in any spelling', async () => {
    const open = serve();
    const before = await env.DB.prepare('select * from up_users where email = ?').bind(address).first();
    for (const email of [address, address.toUpperCase(), 'Owner@example.com'])
      expect((await post(open, '/api/auth/local/register', { ...account, username: email, email })).status).toBe(400);
    expect(await env.DB.prepare('select * from up_users where email = ?').bind(address).first()).toEqual(before);
  });
});

it.each([null, 'github', 'google'])('a user of the provider %s does not sign in by a password', async (provider) => {
  const { user } = await register(serve(), `provider-${provider}`);
  await run('update up_users set provider = ? where id = ?', provider, user.id);
  const answer = await login(serve(), `provider-${provider}`);
  expect(await refusalOf(answer)).toBe('400 ValidationError: Invalid identifier or password');
});

it.each(['github', 'google', 'local', '__proto__'])(
  'no account is linked by a callback of the provider %s',
  async (provider) => {
    const users = () => env.DB.prepare('select * from up_users order by id').all();
    const before = (await users()).results;
    for (const path of [`/api/connect/${provider}`, `/api/auth/${provider}/callback`]) {
      const { status } = await send(`${path}?access_token=x&email=owner@example.com`, { redirect: 'manual' });
      expect([path, status]).toEqual([path, 400]);
    }
    expect((await users()).results).toEqual(before);
  },
);
