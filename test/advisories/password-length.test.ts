/**
 * @module Passwords count to their last byte: bcrypt reads 72 bytes of one, and nothing behind them would matter.
 */
import { env } from 'cloudflare:workers';
import { hashSync } from 'bcryptjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { login, PASSWORD, post, refusalOf } from '../support/users.ts';
import { createWorld, send } from './world.ts';

beforeAll(createWorld);

/** CVE-2025-25298, GHSA-2cjv-6wg9-f4f3 */
describe.each([
  ['letters', 'x'.repeat(72)],
  ['letters of two bytes', 'é'.repeat(36)],
  ['letters of four bytes', '🎉'.repeat(18)],
])('the first 72 bytes of a longer password of %s', (kind, head) => {
  const accountOf = (who: string, password: string) => {
    const username = `${who} of ${kind}`.replaceAll(' ', '-');
    return { username, email: `${username}@example.com`, password };
  };
  const whole = `${head}tail`;
  /** Expects that other passwords with the same beginning do not sign in. */
  const expectRefused = async (username: string, passwords: readonly string[]) => {
    for (const password of passwords)
      expect(await refusalOf(await login(send, username, password))).toBe(
        '400 ValidationError: Invalid identifier or password',
      );
  };

  it('do not sign in, since a registration takes no longer password', async () => {
    const account = accountOf('beyond', whole);
    const refused = await post(send, '/api/auth/local/register', account);
    expect(await refusalOf(refused)).toBe('400 ValidationError: Password must be less than 73 bytes');
    await expectRefused(account.username, [head, whole]);
    const { username, ...longest } = accountOf('within', head);
    expect((await post(send, '/api/auth/local/register', { username, ...longest })).status).toBe(200);
    await expectRefused(username, [whole, [...head].slice(1).join('')]);
    expect((await login(send, username, head)).status).toBe(200);
  });

  it('do not sign in if another user has set the password', async () => {
    const account = { ...accountOf('made', whole), confirmed: true, role: 1 };
    expect((await post(send, '/api/users', account, 'full')).status).toBe(201);
    await expectRefused(account.username, [head, `${head}other`, `${head}tai`, `${whole}s`]);
    expect((await login(send, account.username, whole)).status).toBe(200);
  });

  it('alone sign in if the password has a bcrypt hash, which knows no more of it', async () => {
    const account = accountOf('imported', PASSWORD);
    const { user } = (await (await post(send, '/api/auth/local/register', account)).json()) as { user: { id: number } };
    const update = env.DB.prepare('update "up_users" set "password" = ? where "id" = ?');
    await update.bind(hashSync(whole, 4), user.id).run();
    await expectRefused(account.username, [whole, `${head}other`]);
    expect((await login(send, account.username, head)).status).toBe(200);
  });
});
