/**
 * @module Messages to users: when they leave, and what happens when they do not.
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

beforeAll(createTables);
afterEach(() => vi.restoreAllMocks());

const forgot = (send: ReturnType<typeof serve>, name: string) =>
  post(send, '/api/auth/forgot-password', { email: `${name}@example.com` });

/** Answers in place of every other server. */
const provider = (status = 200, headers = {}) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}', { status, headers }));

const logged = () => vi.spyOn(console, 'error').mockImplementation(() => undefined);

describe('a message by HTTP', () => {
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
