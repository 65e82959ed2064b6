/**
 * @module `fallback=true`: the one document in the first locale of a chain that it has, and the rows that reads cost.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { openKinds } from '../../support/worlds/kinds.ts';

const i18n = {
  locales: [
    { code: 'en', name: 'en', isDefault: true },
    { code: 'fr', name: 'fr', fallback: ['en'] },
    { code: 'fr-CA', name: 'fr-CA', fallback: ['fr', 'en'] },
  ],
};
const { client, serve } = openKinds({ i18n });
const CHAIN = 'locale=fr-CA&fallback=true';

/** Makes a page of these locales, each with a title of the name and the locale. */
async function page(name: string, locales: readonly string[]): Promise<string> {
  let path = '/api/pages';
  let documentId = '';
  for (const locale of locales) {
    const data = { title: `${name} ${locale}`, slug: `${name}-${locale}` };
    const search = `${path}?locale=${locale}`;
    const write = documentId === '' ? client.create(search, data) : client.update(search, data);
    documentId = (await documentOf(write)).documentId;
    path = `/api/pages/${documentId}`;
  }
  return documentId;
}

let all: string;
let english: string;

beforeAll(async () => {
  english = await page('a', ['en']);
  await page('b', ['en', 'fr']);
  all = await page('c', ['en', 'fr', 'fr-CA']);
});

describe('one document', () => {
  it('is the one of its type, and of a unique value of the locale that is shown', async () => {
    await client.update('/api/front?locale=fr', { title: 'accueil' });
    expect(await documentOf(client.get(`/api/front?${CHAIN}`))).toMatchObject({ title: 'accueil', locale: 'fr' });
    const found = await documentOf(client.get(`/api/pages/slug:b-fr?${CHAIN}`));
    expect(found).toMatchObject({ title: 'b fr', locale: 'fr' });
    expect((await client.get(`/api/pages/slug:b-en?${CHAIN}`)).status).toBe(404);
  });
});

describe('a read', () => {
  /** Returns the rows that the statement of the content reads, of which there is one. */
  async function rowsOf(path: string): Promise<number> {
    const { database, rowsRead, batches } = countedDatabase(env.DB);
    const { status } = await clientOf(serve({}, { DB: database }), 'full').get(path);
    expect([path, status]).toEqual([path, path.includes('/none?') ? 404 : 200]);
    const isContent = (sql: string) => sql.includes('"published_at" is not null');
    expect(batches.filter((batch) => batch.some(isContent))).toHaveLength(1);
    return [...rowsRead].filter(([sql]) => isContent(sql)).reduce((sum, [, rows]) => sum + rows, 0);
  }

  it.each([
    ['a document in one locale', () => english],
    ['a document in three', () => all],
    ['a unique value', () => 'slug:a-en'],
  ])('of %s reads 8 rows at most, besides those of any request', async (_, segment) => {
    const others = await rowsOf(`/api/pages/none?${CHAIN}`);
    expect((await rowsOf(`/api/pages/${segment()}?${CHAIN}`)) - others).toBeLessThanOrEqual(8);
  });

  it('of a single type reads 8 rows at most, besides those of any request', async () => {
    const others = await rowsOf(`/api/pages/none?${CHAIN}`);
    expect((await rowsOf(`/api/front?${CHAIN}`)) - others).toBeLessThanOrEqual(8);
  });

  it.each(['', '&sort=title', '&filters[title][$contains]=title', '&sort=createdAt:desc'])(
    'of a list reads no more rows than that of all locales of the chain: %s',
    async (search) => {
      const rows = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000) insert into pages (document_id, locale, published_at, created_at, updated_at, title) select 'many' || i, ?, 1, i, 1, 'title ' || i || ?1 from n where i % ? = 0`;
      const chain = [
        ['en', 1],
        ['fr', 2],
        ['fr-CA', 10],
      ] as const;
      await env.DB.batch(chain.map(([locale, every]) => env.DB.prepare(rows).bind(locale, every)));
      const several = chain.map(([locale]) => `locale[]=${locale}`).join('&');
      const [first, all] = [`fallback=true&locale=fr-CA`, several].map((locales) =>
        rowsOf(`/api/pages?${locales}&pagination[withCount]=false${search}`),
      );
      expect(await first).toBeLessThanOrEqual((await all) ?? 0);
      await env.DB.prepare("delete from pages where document_id like 'many%'").run();
    },
  );
});
