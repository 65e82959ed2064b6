/**
 * @module Messages to users: by which way they leave, what is in them, and what happens when they do not.
 */

import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { failingDatabase } from '../../support/failing-database.ts';
import { createTables, recordedRegistry, serve } from '../../support/recorded.ts';
import { outbox, post, register } from '../../support/users.ts';

const server = { url: 'https://api.site.test/' };
const from = 'hello@site.test';
const http: SettingsInput = { server, email: { provider: 'http', url: 'https://mail.test/send', from } };
const cloudflare: SettingsInput = { server, email: { provider: 'cloudflare', from, fromName: 'The Site' } };

beforeAll(createTables);
afterEach(() => vi.restoreAllMocks());

const forgot = (send: ReturnType<typeof serve>, name: string) =>
  post(send, '/api/auth/forgot-password', { email: `${name}@example.com` });

/** Answers in place of every other server. */
const provider = (status = 200, headers = {}) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}', { status, headers }));

const logged = () => vi.spyOn(console, 'error').mockImplementation(() => undefined);

describe('settings of e-mail', () => {
  it.each([
    ['email.from', { server, email: { provider: 'http' } }],
    ['server.url', { email: { provider: 'cloudflare', from } }],
    ['server.url', { server: { url: 'api.site.test' } }],
    ['email.from', { email: { from: 'Hello <hello@site.test>' } }],
    ['email.fromName', { email: { fromName: 'Eve\r\nBcc: all@site.test' } }],
    ['email.provider', { email: { provider: 'sendmail' } }],
    ['email.url', { email: { url: 'mail.test' } }],
    ['users.emailConfirmationRedirection', { users: { emailConfirmationRedirection: '' } }],
    ['users.emailConfirmationRedirection', { users: { emailConfirmationRedirection: 'welcome' } }],
    ['users.emailConfirmationRedirection', { users: { emailConfirmationRedirection: '/über-uns' } }],
    ['users.resetPasswordUrl', { users: { resetPasswordUrl: 'javascript:alert(1)' } }],
  ])('with a wrong %s are refused by name', (key, settings) => {
    expect(() => parseSettings(settings)).toThrow(`${key}: `);
  });
});

describe('a message by HTTP', () => {
  it('has its sender, its only recipient, and the secret of the deployment', async () => {
    const sent = provider();
    const settings = { ...http, email: { ...http.email, fromName: 'The Site', replyTo: 'desk@site.test' } };
    const send = serve(settings, { EMAIL_API_KEY: 'key' } as never);
    await register(send, 'anna');
    await forgot(send, 'anna');
    const [url, init] = sent.mock.calls[0] ?? [];
    expect(url).toBe('https://mail.test/send');
    expect(init?.headers).toEqual({ 'content-type': 'application/json', authorization: 'Bearer key' });
    expect(JSON.parse(String(init?.body))).toEqual({
      from: 'The Site <hello@site.test>',
      to: ['anna@example.com'],
      reply_to: 'desk@site.test',
      subject: 'Reset your password',
      text: expect.stringContaining('https://api.site.test/studio/#/reset?code='),
    });
  });

  it('quotes the name of its sender, where a comma would end it', async () => {
    const sent = provider();
    const send = serve({ ...http, email: { ...http.email, fromName: 'Site, The\\' } });
    await register(send, 'carl');
    await forgot(send, 'carl');
    expect(JSON.parse(String(sent.mock.calls[0]?.[1]?.body)).from).toBe('"Site, The\\\\" <hello@site.test>');
  });

  it.each([
    ['that the provider refuses', 500, {}],
    ['that the provider sends elsewhere', 302, { location: 'https://elsewhere.test' }],
  ])('%s is told in the log, without its code, and the answer stays the same', async (_, status, headers) => {
    const send = serve(http);
    const name = `bert${status}`;
    await register(send, name);
    const sent = provider(status, headers);
    const log = logged();
    expect(await (await forgot(send, name)).json()).toEqual({ ok: true });
    expect(sent.mock.calls.map(([, init]) => init?.redirect)).toEqual(['manual']);
    const code = /code=([0-9a-f]+)/.exec(JSON.parse(String(sent.mock.calls[0]?.[1]?.body)).text)?.[1];
    expect(code).toMatch(/^[0-9a-f]{76}$/);
    expect(String(log.mock.calls)).toContain(`the e-mail provider responded with ${status}`);
    expect(String(log.mock.calls)).not.toContain(code);
  });

  it('with a code is not sent to a blocked user', async () => {
    const sent = provider();
    const send = serve(http);
    const { user } = await register(send, 'blocked');
    await env.DB.prepare('update up_users set blocked = 1 where id = ?').bind(user.id).run();
    expect((await forgot(send, 'blocked')).status).toBe(200);
    expect(sent).not.toHaveBeenCalled();
  });

  it('that never arrives is told in the log', async () => {
    const send = serve(http);
    await register(send, 'cleo');
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no such host'));
    const log = logged();
    expect((await forgot(send, 'cleo')).status).toBe(200);
    expect(String(log.mock.calls)).toContain('no such host');
  });
});

describe('the work for an address that is known', () => {
  const settings = parseSettings({
    ...http,
    users: { emailConfirmation: true },
    rateLimit: { auth: { enabled: false } },
  });
  const PATHS = ['/api/auth/forgot-password', '/api/auth/send-email-confirmation'];

  /** The answer as soon as it is there, and what was left to do. */
  async function unawaited(path: string, email: string, database: D1Database) {
    const work: Promise<unknown>[] = [];
    const context = { waitUntil: (each: Promise<unknown>) => void work.push(each), passThroughOnException: () => {} };
    const request = new Request(`http://edgewise.test${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    const app = createApp(createDeployment({ registry: recordedRegistry, settings }));
    const { status } = await app.fetch(request, { ...env, DB: database }, context as never);
    return { status, finished: () => Promise.all(work) };
  }

  it.each(PATHS)('begins when the answer of %s has left', async (path) => {
    await register(serve({ users: { emailConfirmation: true } }, {}, outbox()), 'fred');
    const sent = provider();
    const { database, batches } = countedDatabase(env.DB);
    const unknown = await unawaited(path, 'nobody@example.com', database);
    const known = await unawaited(path, 'fred@example.com', database);
    expect([unknown.status, known.status, batches.length]).toEqual([200, 200, 2]);
    await Promise.all([unknown.finished(), known.finished()]);
    expect([batches.length, sent.mock.calls.length]).toEqual([3, 1]);
  });

  it.each(PATHS)('is told in the log where it fails behind %s', async (path) => {
    await register(serve({ users: { emailConfirmation: true } }, {}, outbox()), 'fred');
    const { database, asked } = failingDatabase(env.DB, [undefined as never, 'D1_ERROR: no more room']);
    const log = logged();
    const { status, finished } = await unawaited(path, 'fred@example.com', database);
    await finished();
    expect([status, asked()]).toEqual([200, 2]);
    expect(String(log.mock.calls)).toContain('no more room');
  });
});

describe("a message by Cloudflare's binding", () => {
  it('goes to the binding', async () => {
    const binding = { send: vi.fn(async () => ({ messageId: '1' })) };
    const send = serve(cloudflare, { EMAIL: binding } as never);
    await register(send, 'dora');
    await forgot(send, 'dora');
    expect(binding.send).toHaveBeenCalledWith({
      from: { email: from, name: 'The Site' },
      to: 'dora@example.com',
      subject: 'Reset your password',
      text: expect.stringContaining('code='),
    });
  });

  it('tells in the log that there is none', async () => {
    const send = serve(cloudflare);
    await register(send, 'emil');
    const log = logged();
    expect((await forgot(send, 'emil')).status).toBe(200);
    expect(String(log.mock.calls)).toContain('there is no binding EMAIL');
  });
});

describe('a deployment without a provider', () => {
  it('sends nothing, and logs no code', async () => {
    const sent = provider();
    const send = serve();
    await register(send, 'fred');
    const log = logged();
    expect((await forgot(send, 'fred')).status).toBe(200);
    expect(sent).not.toHaveBeenCalled();
    expect(String(log.mock.calls)).toMatch(/email\.provider/);
    expect(String(log.mock.calls)).not.toMatch(/[0-9a-f]{60}/);
  });
});

describe('a link in a message', () => {
  it.each([
    ['', 'https://api.site.test/studio/#/reset?code='],
    ['/reset', 'https://api.site.test/reset?code='],
    ['https://www.site.test/reset?lang=en', 'https://www.site.test/reset?lang=en&code='],
  ])('to the page %j begins with what the settings say, whatever the host of the request', async (page, link) => {
    const box = outbox();
    const send = serve({ server, users: { resetPasswordUrl: page, emailConfirmation: true } }, {}, box);
    const name = `gina${page.length}`;
    const headers = { 'content-type': 'application/json', host: 'evil.test', 'x-forwarded-host': 'evil.test' };
    const user = { username: name, email: `${name}@example.com`, password: 'Passw0rd' };
    await send('http://evil.test/api/auth/local/register', { method: 'POST', headers, body: JSON.stringify(user) });
    await send('http://evil.test/api/auth/forgot-password', {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: user.email }),
    });
    const texts = box.messages.map(({ text }) => text);
    expect(texts[0]).toContain('https://api.site.test/api/auth/email-confirmation?confirmation=');
    expect(texts[1]).toContain(link);
    expect(texts.join()).not.toContain('evil');
  });
});

describe('a message', () => {
  it('repeats nothing that its reader or a stranger has chosen', async () => {
    const box = outbox();
    const send = serve({ server, users: { emailConfirmation: true } }, {}, box);
    const username = '<%= process.env %> {{constructor}} %7*7%';
    const body = { username, email: 'hans+%3C%25=7*7@example.com', password: 'Passw0rd' };
    expect((await post(send, '/api/auth/local/register', body)).status).toBe(200);
    await post(send, '/api/auth/forgot-password', { email: body.email });
    expect(box.messages.length).toBe(2);
    for (const { subject, text } of box.messages) expect(subject + text).not.toMatch(/[<>{}%$*]/);
  });

  it('goes to the address of the account, not to one beside it', async () => {
    const box = outbox();
    const send = serve({ server }, {}, box);
    await register(send, 'ines');
    for (const email of [['ines@example.com', 'eve@evil.test'], 'ines@example.com,eve@evil.test', { email: 'x' }])
      expect((await post(send, '/api/auth/forgot-password', { email })).status).toBe(400);
    const beside = { email: 'INES@example.com', to: 'eve@evil.test' };
    expect((await post(send, '/api/auth/forgot-password', beside)).status).toBe(400);
    await post(send, '/api/auth/forgot-password', { email: 'INES@example.com' });
    expect(box.messages.map(({ to }) => to)).toEqual(['ines@example.com']);
  });
});
