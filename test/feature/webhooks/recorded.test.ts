/**
 * @module The bodies of webhooks, compared with those that a Strapi server sent for the same requests.
 */
import { env } from 'cloudflare:workers';
import { afterAll, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { documentOf } from '../../support/client.ts';
import { localesOf } from '../../support/locales.ts';
import { receivers } from '../../support/receivers.ts';
import { bearer } from '../../support/recorded.ts';
import { recordedRegistry } from '../../support/recorded-registry.ts';
import { openWorld } from '../../support/world.ts';
import recorded from './recorded.json';

const settings: SettingsInput = {
  i18n: localesOf('en', 'fr', 'de'),
  webhooks: [{ url: 'https://example.com/', events: ['entry.*', 'media.*'] }],
};
const { client: full, send } = openWorld(recordedRegistry, settings);
const network = receivers();

/** What each server chooses: ids, times, where files are stored. */
const CHOSEN = /("(?:id|documentId|hash|url|provider|createdAt|updatedAt|publishedAt)":)(?:\d+|"[^"]*")/g;
const comparable = (body: unknown): unknown => JSON.parse(JSON.stringify(body).replace(CHOSEN, '$1"…"'));

async function uploaded(path: string, name: string, value: Blob | string): Promise<{ readonly id: number }> {
  const body = new FormData();
  if (typeof value === 'string') body.append(name, value);
  else body.append(name, value, 'note.txt');
  const file: unknown = await (await send(path, { method: 'POST', body, ...bearer('full') })).json();
  return (Array.isArray(file) ? file[0] : file) as { readonly id: number };
}

afterAll(() => {
  vi.restoreAllMocks();
});

it('sends what Strapi sends, of documents with relations, media, components and zones, and of files', async () => {
  const author = await documentOf(full.create('/api/authors', { name: 'Ann' }));
  const tag = await documentOf(full.create('/api/tags', { name: 'red' }));
  const note = new Blob(['A short note for the upload tests.\nSecond line.\n'], { type: 'text/plain' });
  const { id } = await uploaded('/api/upload', 'files', note);
  const link = { label: 'Home', href: '/' };
  const card = { title: 'Card', image: id, person: author.documentId, link };
  const article = await documentOf(
    full.create('/api/articles', {
      ...{ title: 'Deep', views: '9007199254740992', author: author.documentId, tags: [tag.documentId], cover: id },
      links: [link],
      seo: { metaTitle: 'Meta', internalScore: 3, shareImage: id, card, alternates: [link] },
      sections: [
        { __component: 'blocks.quote', text: 'Q', speaker: author.documentId },
        { __component: 'blocks.gallery', title: 'G', images: [id], links: [link] },
        { __component: 'blocks.callout', title: 'C', card },
      ],
    }),
  );
  await full.update(`/api/articles/${article.documentId}?status=draft`, { title: 'Deeper' });
  await full.remove(`/api/articles/${article.documentId}`);
  await full.update(`/api/authors/${author.documentId}`, { name: 'Bea' });
  await uploaded(`/api/upload?id=${id}`, 'fileInfo', JSON.stringify({ alternativeText: 'alt' }));
  await send(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('full') });
  expect(network.received.map(({ body }) => comparable(body))).toEqual(recorded.map(comparable));
  expect(await env.DB.prepare('select count(*) from edgewise_outbox where error is not null').first('count(*)')).toBe(
    0,
  );
});
