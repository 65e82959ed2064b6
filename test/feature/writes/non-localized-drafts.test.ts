/**
 * @module Non-localized values of an unpublished draft: publishing another locale publishes none of them. A new locale
 * inherits the published values, in its draft, too, as in Strapi.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiDocument, documentOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

beforeAll(async () => {
  await client.get('/api/articles');
  await env.DB.batch(
    ['told', 'kept'].map((name, index) =>
      env.DB.prepare(
        `insert into files (id, document_id, locale, published_at, created_at, updated_at, name, hash, ext, mime, size, url, provider) values (?, ?, '', 1, 1, 1, 'a', 'a', '.a', 'a/a', 1, '/a', 'a')`,
      ).bind(index + 1, name),
    ),
  );
});

const TOLD = { price: 1, links: [{ label: 'told', href: 'h' }], attachment: 1 };
const KEPT = { price: 2, sku: 'AB-1234', links: [{ label: 'kept', href: 'h' }], attachment: 2 };
let path = '';

async function shownOf(locale: string, status: string) {
  const search = `locale=${locale}&status=${status}&populate[links]=true&populate[attachment]=true`;
  const { price, sku, links, attachment } = await documentOf(client.get(`${path}?${search}`));
  const labels = (links as ApiDocument[]).map(({ label }) => label);
  return { price, sku, labels, attachment: (attachment as ApiDocument | null)?.documentId ?? null };
}

const told = { price: 1, sku: null, labels: ['told'], attachment: 'told' };
const kept = { price: 2, sku: 'AB-1234', labels: ['kept'], attachment: 'kept' };

describe('a published document with a changed draft, when another locale', () => {
  beforeEach(async () => {
    const facts = [{ label: 'a' }];
    path = `/api/articles/${(await documentOf(client.create('/api/articles?locale=en', { title: 'One', facts, ...TOLD }))).documentId}`;
    await documentOf(client.update(`${path}?locale=en&status=draft`, KEPT));
  });

  it('is published, does not publish its draft', async () => {
    await documentOf(client.update(`${path}?locale=fr`, { title: 'Une', facts: [{ label: 'a' }] }));
    for (const locale of ['en', 'fr']) expect([locale, await shownOf(locale, 'published')]).toEqual([locale, told]);
    expect(await shownOf('en', 'draft')).toEqual(kept);
    expect(await shownOf('fr', 'draft')).toEqual(told);
  });

  it('is published with another value, gets that value alone', async () => {
    await documentOf(client.update(`${path}?locale=fr`, { title: 'Une', facts: [{ label: 'a' }], price: 3 }));
    expect(await shownOf('en', 'published')).toEqual({ ...told, price: 3 });
    expect(await shownOf('en', 'draft')).toEqual(kept);
    expect(await shownOf('fr', 'draft')).toEqual({ ...told, price: 3 });
  });
});

it('a locale of a document that was never published inherits its draft', async () => {
  const created = client.create('/api/articles?locale=en&status=draft', { title: 'One', ...KEPT });
  path = `/api/articles/${(await documentOf(created)).documentId}`;
  await documentOf(client.update(`${path}?locale=fr`, { title: 'Une', facts: [{ label: 'a' }] }));
  expect(await shownOf('fr', 'published')).toEqual(kept);
  expect((await client.get(`${path}?locale=en&status=published`)).status).toBe(404);
});
