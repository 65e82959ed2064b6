/**
 * @module `fallback=true`: documents in the first locale of a chain that they have.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { type ApiDocument, type Client, clientOf, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer } from '../../support/recorded.ts';
import { register } from '../../support/users.ts';
import { openKinds } from '../../support/worlds/kinds.ts';

const i18n = {
  locales: [
    { code: 'en', name: 'en', isDefault: true },
    { code: 'fr', name: 'fr', fallback: ['en'] },
    { code: 'fr-CA', name: 'fr-CA', fallback: ['fr', 'en'] },
    { code: 'de', name: 'de' },
  ],
};
const { client, send, serve } = openKinds({ i18n });
const CHAIN = 'locale=fr-CA&fallback=true';

/** Makes a page of these locales, each with a title of the name and the locale. */
async function page(
  name: string,
  locales: readonly string[],
  status = 'published',
  more: object = {},
): Promise<string> {
  let path = '/api/pages';
  let documentId = '';
  for (const locale of locales) {
    const data = { title: `${name} ${locale}`, slug: `${name}-${locale}`, audience: locale, ...more };
    const search = `${path}?locale=${locale}&status=${status}`;
    const write = documentId === '' ? client.create(search, data) : client.update(search, data);
    documentId = (await documentOf(write)).documentId;
    path = `/api/pages/${documentId}`;
  }
  return documentId;
}

let all: string;
let french: string;
let english: string;
let german: string;
let user: string;

const id = (...actions: string[]): string[] => actions.map((action) => `api::page.page.${action}`);
const asUser = (authenticated: NonNullable<SettingsInput['roles']>[string]): Client =>
  clientOf(serve({ roles: { authenticated } }), user);
const shown = ({ title, locale }: ApiDocument): unknown => [title, locale];
const list = async (search: string, from: Client = client) =>
  (await documentsOf(from.get(`/api/pages?${search}`))).map(shown);
const one = async (documentId: string, search: string, from: Client = client) =>
  shown(await documentOf(from.get(`/api/pages/${documentId}?${search}`)));

beforeAll(async () => {
  english = await page('a', ['en']);
  french = await page('b', ['en', 'fr']);
  all = await page('c', ['en', 'fr', 'fr-CA']);
  german = await page('d', ['de']);
  user = (await register(send, 'ann')).jwt;
});

describe('one document', () => {
  it('comes in the first locale of the chain that it has', async () => {
    expect(await one(all, CHAIN)).toEqual(['c fr-CA', 'fr-CA']);
    expect(await one(french, CHAIN)).toEqual(['b fr', 'fr']);
    expect(await one(english, CHAIN)).toEqual(['a en', 'en']);
    expect((await client.get(`/api/pages/${german}?${CHAIN}`)).status).toBe(404);
  });

  it('comes in the locale alone without the parameter, with a false one, and with no chain', async () => {
    for (const search of ['locale=fr-CA', 'locale=fr-CA&fallback=false', 'locale=de&fallback=true'])
      expect((await client.get(`/api/pages/${english}?${search}`)).status).toBe(404);
    expect(await one(english, 'fallback=true')).toEqual(['a en', 'en']);
  });

  it('comes in the first locale with a row of the status', async () => {
    await client.update(`/api/pages/${english}?locale=fr&status=draft`, { title: 'only a draft', slug: 'draft' });
    expect(await one(english, CHAIN)).toEqual(['a en', 'en']);
    expect(await one(english, `${CHAIN}&status=draft`)).toEqual(['only a draft', 'fr']);
    await client.remove(`/api/pages/${english}?locale=fr`);
  });

  it('comes in the first locale that the caller may see', async () => {
    const rule = { action: id('find', 'findOne'), where: { audience: { $ne: 'fr-CA' } } };
    expect(await one(all, CHAIN, asUser([rule]))).toEqual(['c fr', 'fr']);
    expect(await list(`${CHAIN}&sort=title&filters[documentId]=${all}`, asUser([rule]))).toEqual([['c fr', 'fr']]);
    const both = asUser([rule, { action: id('findOne'), where: { audience: 'fr-CA' } }]);
    expect(await one(all, CHAIN, both)).toEqual(['c fr-CA', 'fr-CA']);
    const open = asUser([{ action: id('find'), where: { audience: { $ne: 'fr-CA' } } }, ...id('findOne')]);
    expect(shown(await documentOf(open.get(`/api/pages/slug:c-fr?${CHAIN}`)))).toEqual(['c fr', 'fr']);
  });

  it('is the one of its type, and of a unique value of the locale that is shown', async () => {
    await client.update('/api/front?locale=fr', { title: 'accueil' });
    expect(shown(await documentOf(client.get(`/api/front?${CHAIN}`)))).toEqual(['accueil', 'fr']);
    expect(shown(await documentOf(client.get(`/api/pages/slug:b-fr?${CHAIN}`)))).toEqual(['b fr', 'fr']);
    expect((await client.get(`/api/pages/slug:b-en?${CHAIN}`)).status).toBe(404);
  });

  it('has the ETag of the locale that is shown, with which that one is updated', async () => {
    const tag = (await client.get(`/api/pages/${french}?${CHAIN}`)).headers.get('etag') ?? '';
    const update = (locale: string) =>
      send(`/api/pages/${french}?locale=${locale}`, {
        method: 'PUT',
        headers: { ...bearer('full').headers, 'content-type': 'application/json', 'if-match': tag },
        body: JSON.stringify({ data: { title: 'b fr' } }),
      });
    expect((await update('fr-CA')).status).toBe(412);
    expect((await update('fr')).status).toBe(200);
    const held = { headers: { ...bearer('full').headers, 'if-none-match': tag } };
    expect((await send(`/api/pages/${french}?${CHAIN}`, held)).status).toBe(200);
  });

  it('leads to targets of its own locale', async () => {
    const from = await page('e', ['en', 'fr'], 'published', { next: french });
    const search = `${CHAIN}&populate[next][fields]=title,locale`;
    const { next } = await documentOf(client.get(`/api/pages/${from}?${search}`));
    expect(next).toMatchObject({ title: 'b fr', locale: 'fr' });
    await client.remove(`/api/pages/${from}?locale=*`);
  });
});

describe('a list', () => {
  const ALL = [
    ['a en', 'en'],
    ['b fr', 'fr'],
    ['c fr-CA', 'fr-CA'],
  ];

  it('has each document once, sorted by what it shows', async () => {
    expect(await list(`${CHAIN}&sort=title`)).toEqual(ALL);
    expect(await list(`${CHAIN}&sort=title:desc`)).toEqual(ALL.toReversed());
    expect(await list('locale=fr&fallback=true&sort=title')).toEqual([ALL[0], ALL[1], ['c fr', 'fr']]);
  });

  it('filters and searches in what it shows', async () => {
    expect(await list(`${CHAIN}&filters[title]=b en`)).toEqual([]);
    expect(await list(`${CHAIN}&filters[title]=b fr`)).toEqual([ALL[1]]);
    expect(await list(`${CHAIN}&_q=%20en`)).toEqual([ALL[0]]);
    expect(await list(`${CHAIN}&filters[$not][title]=b fr&sort=title`)).toEqual([ALL[0], ALL[2]]);
  });

  it('has a total only if it is asked for', async () => {
    const meta = async (search: string) =>
      (await (await client.get(`/api/pages?${search}`)).json<{ meta: { pagination: object } }>()).meta.pagination;
    expect(await meta(CHAIN)).toEqual({ page: 1, pageSize: 25 });
    expect(await meta(`${CHAIN}&pagination[withCount]=true`)).toMatchObject({ total: 3 });
    expect(await meta('locale=fr-CA')).toMatchObject({ total: 1 });
    expect(await meta('locale=de&fallback=true')).toMatchObject({ total: 1 });
  });

  it('goes on behind a cursor, which fits no list of several locales', async () => {
    const paged = `${CHAIN}&sort=title&pagination[limit]=2&pagination[after]=`;
    const { meta } = await (await client.get(`/api/pages?${paged}`)).json<{ meta: { pagination: { next: string } } }>();
    expect(await list(`${paged}${meta.pagination.next}`)).toEqual([ALL[2]]);
    const other = 'locale[]=fr-CA&locale[]=fr&locale[]=en&sort=title&pagination[limit]=2&pagination[after]=';
    expect((await errorOf(client.get(`/api/pages?${other}${meta.pagination.next}`))).message).toContain('same locale');
  });

  it('is that of any request on types without locales', async () => {
    await client.create('/api/notes', { title: 'plain' });
    const response = await client.get(`/api/notes?${CHAIN}`);
    expect(await response.json()).toMatchObject({ data: [{ title: 'plain' }], meta: { pagination: { total: 1 } } });
  });
});

describe('a request is rejected', () => {
  const MESSAGE = "Invalid parameter at 'fallback'.";

  it.each(['locale=*', 'locale[]=fr&locale[]=en', 'filters[locale]=fr'])('with %s', async (search) => {
    expect((await errorOf(client.get(`/api/pages?fallback=true&${search}`))).message).toContain(MESSAGE);
  });

  it.each(['locale=*', 'filters[locale]=fr'])('for one document with %s', async (search) => {
    expect((await errorOf(client.get(`/api/pages/${all}?fallback=true&${search}`))).message).toContain(MESSAGE);
  });

  it('with any other value', async () => {
    expect((await errorOf(client.get('/api/pages?fallback=1'))).message).toBe(`${MESSAGE} Expected 'true' or 'false'`);
  });

  it.each(['true', 'false'])('if it writes, with %s', async (value) => {
    const writes = [
      client.create(`/api/pages?fallback=${value}`, { title: 'x' }),
      client.update(`/api/pages/${all}?fallback=${value}`, { title: 'x' }),
      client.remove(`/api/pages/${all}?fallback=${value}`),
    ];
    for (const write of writes) {
      const { status, message } = await errorOf(write);
      expect([status, message]).toEqual([400, `${MESSAGE} Expected none: this request is about one locale`]);
    }
  });

  it('with extensions off, as any unknown parameter', async () => {
    const off = clientOf(serve({ api: { rest: { extensions: false } } }), 'full');
    expect((await errorOf(off.get(`/api/pages?${CHAIN}`))).message).toBe('Invalid key fallback');
    const lenient = { api: { rest: { extensions: false, strictParams: false } } };
    expect(await list(`${CHAIN}&sort=title`, clientOf(serve(lenient), 'full'))).toEqual([['c fr-CA', 'fr-CA']]);
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
