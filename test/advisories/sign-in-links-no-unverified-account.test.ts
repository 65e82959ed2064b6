/**
 * @module Attacks with codes from messages, and on those that are on their way.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { interleavedDatabase } from '../support/interleaved-database.ts';
import { bearer, createTables, createToken, sendJson, serve } from '../support/recorded.ts';
import { login, outbox, PASSWORD, post, refusalOf, register, type SignedIn } from '../support/users.ts';

const NEW = 'An0therOne';
const VOID = {
  confirmation: '400 ValidationError: Invalid token',
  reset: '400 ValidationError: Incorrect code provided',
};
const box = outbox();
const users = { emailConfirmation: true, confirmationCodeExpiresIn: '2d', resetCodeExpiresIn: '1h' } as const;
const send = serve({ users }, {}, box);

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
});
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

describe('confirming an address', () => {
  it('after the time of its code', async () => {
    await join('late');
    const code = lastCode('late@example.com');
    later(2 * DAY);
    expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
    expect((await confirm(await askConfirmation('late@example.com'))).status).toBe(302);
  });

  it('with a code of tomorrow', async () => {
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
  ])('with the code of an earlier one, which was changed %s', async (_, move) => {
    const { id, email } = await join('moving');
    const code = lastCode(email);
    await move(id);
    expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
    expect(await isConfirmed(id)).toBe(0);
    await run('delete from up_users where id = ?', id);
  });

  it('with the code of an earlier one, while it is changed', async () => {
    const { id, email } = await join('racing');
    const database = interleavedDatabase(env.DB, 1, () => change(id, { email: 'raced@example.com' }));
    const slow = serve({ users }, { DB: database }, box);
    const answer = await slow(`/api/auth/email-confirmation?confirmation=${lastCode(email)}`);
    expect(await refusalOf(answer)).toBe(VOID.confirmation);
    expect(await isConfirmed(id)).toBe(0);
  });

  it('twice, or once more after the account was closed again', async () => {
    const { id, email } = await join('twice');
    const [first, second] = [lastCode(email), await askConfirmation(email)];
    expect((await confirm(first)).status).toBe(302);
    await change(id, { confirmed: false });
    for (const code of [first, second]) expect(await refusalOf(await confirm(code))).toBe(VOID.confirmation);
  });
});

describe('keeping a code from working by asking for others', () => {
  it('voids neither those before nor those after', async () => {
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

  it('at the same moment', async () => {
    const { email } = await join('hurried');
    await confirm(lastCode(email));
    const before = box.messages.length;
    await Promise.all(Array.from({ length: 5 }, () => post(send, '/api/auth/forgot-password', { email })));
    const codes = box.messages.slice(before).map(({ text }) => /code=([0-9a-f]+)/.exec(text)?.[1] ?? '');
    expect(codes).toHaveLength(5);
    expect((await reset(codes[2] ?? '')).status).toBe(200);
  });
});

describe('using a code', () => {
  it('for what it was not sent for', async () => {
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

  it('made of what the database has', async () => {
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
    'that a Strapi database had: %s',
    async (token) => {
      const { id, email } = await join(`imported${token.length}`);
      await run('update up_users set confirmation_token = ?1, reset_password_token = ?1 where id = ?2', token, id);
      expect(await refusalOf(await confirm(token))).toBe(VOID.confirmation);
      expect(await refusalOf(await reset(token))).toBe(VOID.reset);
      expect((await confirm(await askConfirmation(email))).status).toBe(302);
      expect((await reset(await askReset(email))).status).toBe(200);
    },
  );

  it('after its time, or for a password that was changed by hand', async () => {
    const { id, email } = await join('slow');
    const code = await askReset(email);
    later(60 * MINUTE);
    expect(await refusalOf(await reset(code))).toBe(VOID.reset);
    vi.useRealTimers();
    const other = await askReset(email);
    await run("update up_users set password = 'scrypt$1' where id = ?", id);
    expect(await refusalOf(await reset(other))).toBe(VOID.reset);
  });

  it('of a user who is gone, for the next one with the same number and address', async () => {
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

  it('of another deployment', async () => {
    const { email } = await join('elsewhere');
    const other = serve({ users }, { JWT_SECRET: 'the secret of another deployment' } as never, box);
    expect(await refusalOf(await reset(await askReset(email, other)))).toBe(VOID.reset);
  });
});

it('without a secret no code is made, and the response does not say why', async () => {
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
