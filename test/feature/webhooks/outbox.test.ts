/**
 * @module Messages that a write stores for webhooks, in its own batch.
 */
import { env } from 'cloudflare:workers';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { NEVER_DUE } from '../../../src/features/webhooks/sql/outbox.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { localesOf } from '../../support/locales.ts';
import { receivers } from '../../support/receivers.ts';
import { sendJson } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const title = { type: 'string', pluginOptions: { i18n: { localized: true } } };
const registry = registryOf([
  contentType(
    'story',
    {
      title,
      slug: { type: 'string', unique: true, pluginOptions: { i18n: { localized: true } } },
      seen: { type: 'boolean' },
    },
    { drafts: true, localized: true, plural: 'stories' },
  ),
  contentType('topic', { name: { type: 'string' } }),
  contentType('home', { title: { type: 'string' } }, { drafts: true, single: true }),
]);

const i18n = localesOf('en', 'fr');
const ALL = 'https://all.example.com/hook';
const PUBLISHED = 'https://published.example.com/hook';
const MEDIA = 'https://media.example.com/hook';

const settings: SettingsInput = {
  i18n,
  webhooks: [
    { url: ALL, events: ['entry.*'], types: ['api::story.story', 'api::home.home'] },
    { url: PUBLISHED, events: ['entry.publish'] },
    // Types limit its entries alone.
    { url: MEDIA, events: ['media.*'], types: ['api::story.story'] },
  ],
};
const { client: full, send } = openWorld(registry, settings);
const network = receivers();
const fail = () => new Response('', { status: 500 });
network.respond = fail;

interface Stored {
  readonly endpoint: string;
  readonly event: string;
  readonly type: string;
  readonly document_id: string;
  readonly locale: string;
}

async function stored(endpoint?: string): Promise<readonly Stored[]> {
  const { results } = await env.DB.prepare('select * from edgewise_outbox order by sequence').all<Stored>();
  return results.filter((row) => endpoint === undefined || row.endpoint === endpoint);
}

const events = async (endpoint: string) => (await stored(endpoint)).map(({ event, locale }) => `${event} ${locale}`);
const forget = () => env.DB.prepare('delete from edgewise_outbox').run();
const batch = (requests: readonly object[]) => send('/api/batch', sendJson('POST', 'full', { requests }));

beforeEach(forget);

afterAll(() => {
  vi.restoreAllMocks();
});

describe('a write stores', () => {
  it('one message for each event that a webhook takes', async () => {
    const { documentId } = await documentOf(full.create('/api/stories', { title: 'A' }));
    expect(await events(ALL)).toEqual(['entry.create en', 'entry.publish en']);
    expect(await events(PUBLISHED)).toEqual(['entry.publish en']);
    expect(new Set((await stored()).map((row) => row.document_id))).toEqual(new Set([documentId]));
    await forget();
    await send(`/api/stories/${documentId}?status=draft&locale=fr`, sendJson('PUT', 'full', { data: { title: 'B' } }));
    expect(await events(ALL)).toEqual(['entry.create fr']);
    await forget();
    await send(`/api/stories/${documentId}?status=draft`, sendJson('PUT', 'full', { data: { title: 'C' } }));
    expect(await events(ALL)).toEqual(['entry.update en']);
  });

  it('a message that is not due before those of its document', async () => {
    const draft = (path: string) => full.update(`${path}?status=draft`, { title: 'B' });
    const { documentId } = await documentOf(full.create('/api/stories?status=draft', { title: 'A' }));
    await env.DB.prepare('update edgewise_outbox set due_at = created_at, delivered_at = null').run();
    await draft(`/api/stories/${documentId}`);
    await full.create('/api/stories?status=draft', { title: 'C' });
    const { results } = await env.DB.prepare(`select document_id = ? as own, due_at = ${NEVER_DUE} as later
      from edgewise_outbox order by sequence`)
      .bind(documentId)
      .all();
    expect(results).toEqual([
      { own: 1, later: 0 },
      { own: 1, later: 1 },
      { own: 0, later: 0 },
    ]);
  });

  it('those of publication actions', async () => {
    const { documentId } = await documentOf(full.create('/api/stories?status=draft', { title: 'A' }));
    await forget();
    for (const action of ['publish', 'discard-draft', 'unpublish'])
      await send(`/api/stories/${documentId}/actions/${action}`, sendJson('POST', 'full', {}));
    expect(await events(ALL)).toEqual(['entry.publish en', 'entry.draft-discard en', 'entry.unpublish en']);
  });

  it('nothing for a type and an event that no webhook takes', async () => {
    await documentOf(full.create('/api/topics', { name: 'A' }));
    expect(await stored()).toEqual([]);
  });

  it('nothing if it fails, or changes nothing', async () => {
    await full.create('/api/stories', { slug: 'one' });
    const { documentId } = await documentOf(full.create('/api/stories?status=draft', { slug: 'two' }));
    await forget();
    expect((await full.create('/api/stories', { slug: 'one' })).status).toBe(400);
    await send(`/api/stories/${documentId}/actions/unpublish`, sendJson('POST', 'full', {}));
    await send('/api/stories/none', { method: 'DELETE', headers: { authorization: 'Bearer full' } });
    expect(await stored()).toEqual([]);
  });

  it('those of single types and of files', async () => {
    await send('/api/home', sendJson('PUT', 'full', { data: { title: 'A' } }));
    await send('/api/home', { method: 'DELETE', headers: { authorization: 'Bearer full' } });
    expect((await events(ALL)).slice(0, 2)).toEqual(['entry.create ', 'entry.publish ']);
    expect(new Set((await stored(ALL)).map((row) => row.document_id)).size).toBe(1);
    const form = new FormData();
    form.append('files', new File(['text'], 'a.txt', { type: 'text/plain' }));
    const uploaded = await send('/api/upload', {
      method: 'POST',
      body: form,
      headers: { authorization: 'Bearer full' },
    });
    const [file] = await uploaded.json<[{ id: number }]>();
    await send(`/api/upload/files/${file.id}`, { method: 'DELETE', headers: { authorization: 'Bearer full' } });
    expect(await events(MEDIA)).toEqual(['media.create ', 'media.delete ']);
  });

  it('those of private files, which say so and have no signed address', async () => {
    // It waits after the failures of other tests.
    await env.DB.prepare('delete from edgewise_endpoints').run();
    const own = serveRegistry(registry, {
      ...settings,
      server: { url: 'https://a.example' },
      upload: { private: true },
    });
    const authorization = { headers: { authorization: 'Bearer full' } };
    network.respond = () => new Response('ok');
    const form = new FormData();
    form.append('fileInfo', '{"private":true}');
    form.append('files', new File(['text'], 'a.txt', { type: 'text/plain' }));
    const [file] = await (await own('/api/upload', { method: 'POST', body: form, ...authorization })).json<
      [{ id: number }]
    >();
    await own(`/api/upload/files/${file.id}`, { method: 'DELETE', ...authorization });
    network.respond = fail;
    const messages = network.received.filter(({ url }) => url === MEDIA).slice(-2);
    expect(messages.map(({ body }) => [body.event, body.media])).toEqual(
      ['media.create', 'media.delete'].map((event) => [
        event,
        expect.objectContaining({ private: true, url: expect.stringMatching(/^\/uploads\/a_\w{10}-private\.txt$/) }),
      ]),
    );
  });

  it('those of all requests of a batch, in order, or none', async () => {
    const { documentId } = await documentOf(full.create('/api/stories', { title: 'A' }));
    await forget();
    const create = { method: 'POST', path: '/api/stories', body: { data: { title: 'B' } } };
    const failing = { method: 'POST', path: '/api/stories', body: { data: { title: 1 } } };
    expect((await batch([create, failing])).status).toBe(400);
    expect(await stored()).toEqual([]);
    await batch([create, { method: 'DELETE', path: `/api/stories/${documentId}` }]);
    expect(new Set(await events(ALL))).toEqual(new Set(['entry.create en', 'entry.publish en', 'entry.delete en']));
  });
});

describe('the cost', () => {
  it.each([
    [{ i18n }, 0],
    [settings, 1],
  ] as const)('is one statement with webhooks, none without (%#)', async (own, more) => {
    const counted = countedDatabase(env.DB);
    const request = sendJson('POST', 'full', { data: { title: 'A' } });
    expect((await serveRegistry(registry, own, { DB: counted.database })('/api/stories', request)).status).toBe(200);
    const writes = (counted.batches[0] ?? []).filter((text) => text.includes('edgewise_outbox'));
    expect(writes.length).toBe(more);
    // The one after it claims messages, when the response is on its way.
    expect(counted.batches.length).toBe(1 + more);
  });

  it('is nothing for writes that no webhook takes', async () => {
    const counted = countedDatabase(env.DB);
    const own = { i18n, webhooks: [{ url: MEDIA, events: ['media.*' as const] }] };
    const client = clientOf(serveRegistry(registry, own, { DB: counted.database }), 'full');
    const { documentId } = await documentOf(client.create('/api/stories', { title: 'A' }));
    await documentOf(client.update(`/api/stories/${documentId}?locale=fr`, { title: 'B' }));
    await documentOf(client.update(`/api/stories/${documentId}`, { seen: true }));
    expect((await client.remove(`/api/stories/${documentId}?locale=*`)).status).toBe(204);
    expect(counted.batches.flat().join()).not.toContain('edgewise_outbox');
  });
});
