/**
 * @module A value that locales share changes the versions of all of them: each sends its own event.
 */
import { env } from 'cloudflare:workers';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DocumentChange } from '../../../src/content/plan/model/change.ts';
import { documentOf } from '../../support/client.ts';
import { receivers } from '../../support/receivers.ts';
import { sendJson } from '../../support/recorded.ts';
import { openKinds } from '../../support/worlds/kinds.ts';

const ALL = 'https://all.example.com/';
const PUBLISHED = 'https://published.example.com/';
const webhooks = [
  { url: ALL, events: ['entry.*'] },
  { url: PUBLISHED, events: ['entry.publish'] },
];
const changes: DocumentChange[] = [];
const extensions = {
  afterCommit: (each: readonly DocumentChange[]) => {
    changes.push(...each);
  },
};
const { client: full, send } = openKinds({ webhooks }, {}, { extensions });
const network = receivers();
const act = (path: string, action: string) => send(`${path}/actions/${action}`, sendJson('POST', 'full', {}));

const eventsFor = (url: string) =>
  network.received
    .filter((message) => message.url === url)
    .map(({ body }) => {
      const { locale, price } = body.entry as { locale: string; price: number };
      return `${body.event} ${locale} ${price}`;
    });
const hooked = () => changes.map(({ operation, locale, version }) => `${operation} ${locale} ${version}`);

beforeEach(() => {
  network.respond = () => new Response('');
});

afterAll(() => {
  vi.restoreAllMocks();
});

/** Forgets what came before, and returns the path of a document in three locales. */
async function threeLocales(query = ''): Promise<string> {
  const { documentId } = await documentOf(full.create('/api/pages', { title: 'en', price: 1 }));
  const path = `/api/pages/${documentId}`;
  for (const locale of ['fr', 'de'])
    await documentOf(full.update(`${path}?locale=${locale}${query}`, { title: locale }));
  await env.DB.prepare('delete from edgewise_outbox').run();
  network.received = [];
  changes.length = 0;
  return path;
}

describe('a value that locales share sends an event of each version that it changes', () => {
  it('when it is published', async () => {
    const path = await threeLocales();
    await documentOf(full.update(path, { price: 2 }));
    const published = ['entry.publish en 2', 'entry.publish fr 2', 'entry.publish de 2'];
    expect(eventsFor(PUBLISHED)).toEqual(published);
    expect(eventsFor(ALL)).toEqual(['entry.update en 2', ...published]);
    expect(hooked()).toEqual([
      ...['update en draft', 'publish en published'],
      ...['publish fr published', 'publish de published'],
    ]);
  });

  it('of the published versions that there are, by an action', async () => {
    const path = await threeLocales('&status=draft');
    await documentOf(full.update(`${path}?status=draft`, { price: 2 }));
    await act(path, 'publish');
    await act(path, 'publish');
    expect(eventsFor(PUBLISHED)).toEqual(['entry.publish en 2', 'entry.publish en 2']);
    await act(path, 'publish?locale=fr');
    await documentOf(full.update(`${path}?status=draft`, { price: 3 }));
    network.received = [];
    changes.length = 0;
    await act(path, 'publish');
    expect(eventsFor(PUBLISHED)).toEqual(['entry.publish en 3', 'entry.publish fr 3']);
    expect(hooked()).toEqual(['publish en published', 'publish fr published']);
  });
});
