/**
 * @module Delivery of the messages to webhooks: after the response, again by the cron trigger, in order.
 */
import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testWebhookSql } from '../../../cli/core/sql/webhooks.ts';
import { verifyWebhook, WebhookError } from '../../../client/webhooks.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { type Received, receivers } from '../../support/receivers.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';

const [SITE, INDEX] = ['https://site.example.com/hook', 'https://index.example.com/hook'];
const SIGNED = { WEBHOOK_SECRET: `whsec_${btoa('a key of twenty-four byt')}`, INDEX_AUTHORIZATION: 'Bearer index' };
const settings: SettingsInput = {
  webhooks: [
    { url: SITE, events: ['entry.*'], secret: 'WEBHOOK_SECRET', headers: { 'X-Own': 'yes', 'x-strapi-Event2': 'b' } },
    {
      url: INDEX,
      events: ['entry.publish', 'entry.delete'],
      types: ['api::story.story'],
      headers: { Authorization: '$INDEX_AUTHORIZATION' },
    },
  ],
};
const { client: full, serve } = openKinds(settings, SIGNED as Partial<Env>);
const network = receivers();
const HOUR = 3_600_000;

const sent = (url = SITE) => network.received.filter((message) => message.url === url);
const eventsOf = (messages: readonly Received[]) => messages.map(({ body }) => body.event);
const rows = async (columns: string) =>
  (await env.DB.prepare(`select ${columns} from edgewise_outbox order by sequence`).all()).results;
const endpoints = async () => (await env.DB.prepare('select * from edgewise_endpoints order by url').all()).results;

/** Runs the cron trigger at a time to come. */
async function run(after = 0, bindings: object = SIGNED, given = settings): Promise<void> {
  vi.setSystemTime(Date.now() + after);
  await runCron(kindsRegistry, given, bindings);
}

const failWith = (status: number, url = SITE) => {
  network.respond = (message) => new Response('no', { status: message.url === url ? status : 200 });
};

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

beforeEach(async () => {
  await env.DB.batch(['outbox', 'endpoints'].map((name) => env.DB.prepare(`delete from edgewise_${name}`)));
  network.received = [];
  network.respond = () => new Response('ok');
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a message', () => {
  it('arrives after the response, as Strapi sends it, and signed', async () => {
    const { documentId } = await documentOf(full.create('/api/stories', { title: 'A', notes: 'secret' }));
    expect(eventsOf(sent())).toEqual(['entry.create', 'entry.publish']);
    expect(eventsOf(sent(INDEX))).toEqual(['entry.publish']);
    const [, message] = sent();
    expect(message?.body).toEqual({
      event: 'entry.publish',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      model: 'story',
      uid: 'api::story.story',
      entry: expect.objectContaining({ documentId, title: 'A', publishedAt: expect.any(String) }),
    });
    expect(message?.text).not.toContain('notes');
    expect(Object.fromEntries(message?.headers ?? [])).toEqual({
      'content-type': 'application/json',
      'x-strapi-event': 'entry.publish',
      'x-strapi-event2': 'b',
      'x-own': 'yes',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{24}$/),
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    const headers = Object.fromEntries(message?.headers ?? []);
    expect(new Webhook(SIGNED.WEBHOOK_SECRET).verify(message?.text ?? '', headers)).toEqual(message?.body);
    expect(() => new Webhook(SIGNED.WEBHOOK_SECRET).verify(`${message?.text} `, headers)).toThrow();
    const received = (body = '') => new Request(SITE, { method: 'POST', headers, body });
    expect(await verifyWebhook(received(message?.text), SIGNED.WEBHOOK_SECRET)).toEqual(message?.body);
    await expect(verifyWebhook(received(`${message?.text} `), SIGNED.WEBHOOK_SECRET)).rejects.toThrow(WebhookError);
    expect(sent(INDEX)[0]?.headers.get('authorization')).toBe('Bearer index');
    expect(sent(INDEX)[0]?.headers.get('webhook-signature')).toBeNull();
    expect(await rows('due_at, error, attempts, entry')).toEqual(
      Array(3).fill({ due_at: null, error: null, attempts: 1, entry: null }),
    );
  });

  it('about a version that is gone meanwhile names its locale', async () => {
    failWith(500);
    const { documentId } = await documentOf(full.create('/api/places?locale=fr', { title: 'A' }));
    await full.remove(`/api/places/${documentId}?locale=fr`);
    network.respond = () => new Response('ok');
    await run(HOUR);
    expect(sent()[1]?.body).toMatchObject({ event: 'entry.create' });
    expect(sent()[1]?.body.entry).toEqual({ documentId, locale: 'fr' });
  });

  it('about a document without drafts has the published versions of what that leads to', async () => {
    const topic = await documentOf(full.create('/api/topics', { name: 'A' }));
    const topics = [topic.documentId];
    await documentOf(full.create('/api/pages?status=draft', { title: 'Draft', topics }));
    await documentOf(full.create('/api/pages?status=published', { title: 'Published', topics }));
    network.received = [];
    await full.update(`/api/topics/${topic.documentId}`, { name: 'B' });
    expect(sent().map(({ body }) => body.entry)).toMatchObject([{ name: 'B', pages: [{ title: 'Published' }] }]);
  });

  it('arrives at each of twenty webhooks', async () => {
    const urls = Array.from({ length: 20 }, (_, index) => `https://n${index}.example.com/hook`);
    const all: SettingsInput = { webhooks: urls.map((url) => ({ url, events: ['entry.*'] })) };
    await clientOf(serve(all), 'full').create('/api/topics', { name: 'A' });
    expect(network.received.map(({ url }) => url).sort()).toEqual(urls.toSorted());
    await env.DB.prepare('update edgewise_outbox set "due_at" = 1, "delivered_at" = null').run();
    await run(0, {}, all);
    expect(network.received.map(({ url }) => url).sort()).toEqual([...urls, ...urls].sort());
  });
});

describe('a message about a document that is too large for the limits of requests', () => {
  const limited = (limits: object) => clientOf(serve({ api: { rest: { limits } } }), 'full');

  it('has all its relations, however few a request may populate', async () => {
    const { documentId } = await documentOf(full.create('/api/topics', { name: 'A' }));
    network.received = [];
    const client = limited({ populateNodes: 1, populateDepth: 1, populateLists: 1 });
    await documentOf(client.create('/api/stories?status=draft', { title: 'S', topics: [documentId] }));
    expect(sent()[0]?.body.entry).toMatchObject({ topics: [{ documentId }], attachment: null });
  });

  it('has no relations', async () => {
    const topics = await Promise.all(['A', 'B', 'C'].map((name) => documentOf(full.create('/api/topics', { name }))));
    network.received = [];
    const data = { title: 'S', topics: topics.map(({ documentId }) => documentId) };
    await documentOf(limited({ answerRows: 3 }).create('/api/stories?status=draft', data));
    expect(sent()[0]?.body.entry).toMatchObject({ title: 'S' });
    expect(sent()[0]?.body.entry).not.toHaveProperty('topics');
  });
});

describe('an endpoint that fails', () => {
  it('gets each message again with the same id, one document in order, others meanwhile', async () => {
    network.respond = ({ body }) => new Response('', { status: JSON.stringify(body).includes('stuck') ? 503 : 200 });
    const { documentId } = await documentOf(full.create('/api/topics', { name: 'stuck' }));
    const [first] = sent();
    await full.update(`/api/topics/${documentId}`, { name: 'stuck again' });
    await full.create('/api/topics', { name: 'free' });
    expect(eventsOf(sent())).toEqual(['entry.create']);
    await run(10_000);
    expect(sent().some(({ text }) => text.includes('free'))).toBe(true);
    expect(await rows('event, error')).toContainEqual({ event: 'entry.create', error: 'It responded with 503' });
    network.respond = () => new Response('ok');
    network.received = [];
    await run(HOUR);
    expect(eventsOf(sent())).toEqual(['entry.create', 'entry.update']);
    expect(sent()[0]?.headers.get('webhook-id')).toBe(first?.headers.get('webhook-id'));
    expect(sent()[0]?.headers.get('webhook-timestamp')).not.toBe(first?.headers.get('webhook-timestamp'));
    expect(await endpoints()).toEqual([]);
  });

  it('costs one request at a time, less often the longer it fails, and nothing once it is paused', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    failWith(500);
    for (let index = 0; index < 3; index += 1) await full.create('/api/topics', { name: `T${index}` });
    expect(sent()).toHaveLength(1);
    await run(6_000);
    expect(sent()).toHaveLength(2);
    await run(23 * HOUR);
    expect(await endpoints()).toMatchObject([{ url: SITE, paused_at: null }]);
    await run(60_000);
    expect(sent()).toHaveLength(3);
    expect(log).not.toHaveBeenCalled();
    await run(HOUR);
    expect(await endpoints()).toMatchObject([{ url: SITE, paused_at: Date.now() }]);
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      { webhook: SITE, message: expect.stringMatching(/^paused, /), error: 'It responded with 500' },
    ]);
    network.respond = () => new Response('ok');
    await full.create('/api/topics', { name: 'T' });
    await run(HOUR);
    expect(sent()).toHaveLength(4);
    expect(await rows('delivered_at')).toEqual(Array(4).fill({ delivered_at: null }));
  });

  it('loses a message after three days of attempts, which then holds up no other', async () => {
    failWith(500);
    const { documentId } = await documentOf(full.create('/api/topics', { name: 'A' }));
    await full.update(`/api/topics/${documentId}`, { name: 'B' });
    await env.DB.prepare('update edgewise_outbox set attempts = 19 where attempts > 0').run();
    await run(23 * HOUR);
    expect(await rows('event, due_at, delivered_at, error')).toMatchObject([
      { event: 'entry.create', due_at: null, delivered_at: null, error: 'It responded with 500' },
      { event: 'entry.update', due_at: expect.any(Number) },
    ]);
    network.respond = () => new Response('ok');
    network.received = [];
    await run(0.9 * HOUR);
    expect(eventsOf(sent())).toEqual(['entry.update']);
  });

  it.each([
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://example.com/' } }),
      '302; redirects are not followed',
    ],
    ['a lost connection', () => Promise.reject(new Error('connection lost')), 'connection lost'],
  ])('is one that responds with %s', async (_, respond, error) => {
    network.respond = respond;
    await full.create('/api/topics', { name: 'A' });
    expect(sent()[0]?.init.redirect).toBe('manual');
    expect(sent()).toHaveLength(1);
    expect(await rows('error')).toEqual([{ error: expect.stringContaining(error) }]);
  });

  it('is one that does not respond within 10 seconds', async () => {
    const { timeout } = AbortSignal;
    const limit = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((time) => timeout.call(AbortSignal, time / 1_000));
    network.respond = ({ init }) =>
      new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    await full.create('/api/topics', { name: 'A' });
    expect(limit.mock.calls).toEqual([[10_000]]);
    limit.mockRestore();
    expect(await rows('error')).toEqual([{ error: expect.stringContaining('timeout') }]);
  });
});

describe('a run', () => {
  it('sends the message of a test', async () => {
    await env.DB.prepare(testWebhookSql(SITE, Date.now())).run();
    await run();
    expect(sent().map(({ body }) => body)).toEqual([{ event: 'trigger-test', createdAt: expect.any(String) }]);
    expect(sent()[0]?.headers.get('webhook-signature')).toMatch(/^v1,/);
  });

  it('deletes what was delivered a day ago, what is a month old, and what no webhook is for', async () => {
    await full.create('/api/topics', { name: 'A' });
    await full.create('/api/topics', { name: 'B' });
    await env.DB.batch([
      env.DB.prepare(
        "update edgewise_outbox set endpoint = 'https://gone.example.com/', due_at = 0 where sequence % 2 = 0",
      ),
      env.DB.prepare("insert into edgewise_endpoints (url, failing_since) values ('https://gone.example.com/', 0)"),
    ]);
    await run();
    expect(await rows('endpoint')).toEqual([{ endpoint: SITE }]);
    expect(await endpoints()).toEqual([]);
    await run(23 * HOUR);
    expect(await rows('1')).toHaveLength(1);
    await run(HOUR);
    expect(await rows('1')).toEqual([]);
    failWith(500);
    await full.create('/api/topics', { name: 'C' });
    await env.DB.prepare('update edgewise_outbox set due_at = null').run();
    await run(29 * 24 * HOUR);
    expect(await rows('1')).toHaveLength(1);
    await run(25 * HOUR);
    expect(await rows('1')).toEqual([]);
  });

  it('deletes all messages and endpoints once the settings have no webhook, though the part is off', async () => {
    failWith(500);
    const { documentId } = await documentOf(full.create('/api/topics', { name: 'Secret' }));
    await full.remove(`/api/topics/${documentId}`);
    await run();
    expect(await rows('1')).toHaveLength(2);
    expect(await endpoints()).toHaveLength(1);
    await run(0, {}, {});
    expect(await rows('1')).toEqual([]);
    expect(await endpoints()).toEqual([]);
  });
});
