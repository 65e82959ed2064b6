/**
 * @module Which accounts have shown that messages to their address arrive, and what ends that.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sendJson, serve } from '../../support/recorded.ts';
import { outbox, PASSWORD, post, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const server = { url: 'https://api.site.test' };
const box = outbox();
const { send: silent } = openMagazine();
const send = serve({ server }, {}, box);
const confirming = serve({ server, users: { emailConfirmation: true } }, {}, box);

const codeIn = (text = ''): string => /code=([0-9a-f]+)/.exec(text)?.[1] ?? '';
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

  it('is no longer proven when a manager changes it, and stays so with other changes', async () => {
    const { user } = await register(send, 'gina');
    await resetBy('gina@example.com');
    const change = (body: object) => send(`/api/users/${user.id}`, sendJson('PUT', 'full', body));
    await change({ username: 'regina', email: 'GINA@example.com', password: 'another one', emailProven: null });
    expect(await isProven('gina@example.com')).toBe(true);
    expect((await change({ email: 'regina@example.com', emailProven: true })).status).toBe(200);
    expect(await isProven('regina@example.com')).toBe(false);
  });
});
