/**
 * @module Limits of responses: lists inside lists, long texts and components that name one document many times multiply
 * them. A response that is too large is a 400 that names the limit, and is never cut.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { type ApiDocument, clientOf, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const limited = (limits: object): SettingsInput => ({ api: { rest: { limits } } });
const reader = (limits: object) => clientOf(serve(limited(limits)), 'full');
const { client: owner } = openMagazine();

const TAGS = 6;
const ARTICLES = 4;
const LONG = 'x'.repeat(5_000);

/** Four articles with six tags each, and a tag for each of which these are all articles. */
beforeAll(async () => {
  const tags: string[] = [];
  for (let index = 0; index < TAGS; index += 1)
    tags.push((await documentOf(owner.create('/api/tags', { name: `Tag ${index}` }))).documentId);
  const articles: string[] = [];
  for (let index = 0; index < ARTICLES; index += 1) {
    const data = { title: `Article ${index}`, body: LONG, tags, related: articles };
    articles.push((await documentOf(owner.create('/api/articles', data))).documentId);
  }
  const zone = Array.from({ length: 5 }, () => ({
    __component: 'blocks.callout',
    title: 'See',
    articles: [articles[1]],
  }));
  await documentOf(owner.update(`/api/articles/${articles[0]}`, { sections: zone }));
  await documentOf(owner.update(`/api/articles/${articles[0]}?locale=fr`, { title: 'Un article', body: LONG }));
});

async function refused(search: string, limits: Record<string, number>, type = 'articles') {
  const [limit, most] = Object.entries(limits)[0] ?? [];
  const error = await errorOf(reader(limits).get(`/api/${type}?${search}`));
  expect(error).toMatchObject({ status: 400, name: 'ValidationError', details: { source: 'query', limit } });
  expect(error.message).toContain(`Expected at most ${most}`);
}

describe('a response with more rows than the limit', () => {
  it.each([
    ['of a page', 'fields=title', 3],
    ['of a list', 'fields=title&populate[tags][fields]=name', 27],
    ['of lists side by side', 'fields=title&populate[tags][fields]=name&populate[related][fields]=title', 33],
    ['of lists inside lists', 'fields=title&populate[tags][populate][articles][fields]=title', 123],
    ['of three lists inside one another', 'populate[tags][populate][articles][populate][tags][fields]=name', 699],
    ['of the other locales', 'fields=title&populate[localizations][fields]=title', 4],
    [
      'of documents that components name, each counted once',
      'populate[sections][on][blocks.callout][populate][articles][fields]=title',
      4,
    ],
    ['that a count scans', 'fields=title&populate[tags][count]=true', 27],
    ['that counts inside lists scan', 'fields=title&populate[tags][populate][articles][count]=true', 123],
    ['that filters of lists scan', 'fields=title&populate[tags][filters][name]=none', 27],
    ['that filters inside lists scan', 'populate[tags][populate][articles][filters][title]=none', 123],
  ])('is rejected for the rows %s', async (_, search, answerRows) => {
    await refused(search, { answerRows });
    const all = await documentsOf(owner.get(`/api/articles?${search}`));
    const enough = await documentsOf(reader({ answerRows: answerRows + 1 }).get(`/api/articles?${search}`));
    expect(enough).toEqual(all);
  });

  it('is rejected for the documents that use a file', async () => {
    const insert = `insert into files (document_id, published_at, created_at, updated_at, name, url) values ('f', 1, 1, 1, 'f', '/f')`;
    const link = `insert into articles_gallery_lnk select document_id, locale, 'f', '', 'published', 1, id from articles where published_at is not null`;
    await env.DB.batch([env.DB.prepare(insert), env.DB.prepare(link)]);
    const get = (answerRows: number) =>
      serve(limited({ answerRows }))('/api/upload/files?populate=related', bearer('full'));
    expect(((await (await get(100)).json()) as { related: unknown[] }[])[0]?.related).toHaveLength(ARTICLES + 1);
    expect(await errorOf(get(3))).toMatchObject({ status: 400, details: { limit: 'answerRows' } });
  });
});

describe('a response with more bytes than the limit', () => {
  it.each([
    ['of a page without populate', 'fields=title,body', 19_000],
    ['of one document', 'fields=body&pagination[limit]=1', 4_000],
    ['of the documents in lists', 'fields=title&populate[related][fields]=body', 29_000],
    ['of the other locales', 'fields=title&populate[localizations][fields]=body', 5_000],
    ['of components', 'fields=title&populate=sections', 500],
    ['of what one document names many times', 'pagination[limit]=1&sort=title&populate[sections][populate]=*', 20_000],
    ['of what components name many times', 'fields=title&populate[sections][populate]=*', 20_000],
  ])('is rejected for the bytes %s', async (_, search, answerBytes) => {
    await refused(search, { answerBytes });
    const all = await documentsOf(owner.get(`/api/articles?${search}`));
    expect(await documentsOf(reader({ answerBytes: answerBytes * 2 + 40_000 }).get(`/api/articles?${search}`))).toEqual(
      all,
    );
  });
});

describe('a response within the limits', () => {
  it('takes one batch, and two if one document exceeds its share', async () => {
    const batches = async (answerRows: number, search: string) => {
      const counted = countedDatabase(env.DB);
      const client = clientOf(serve(limited({ answerRows }), { DB: counted.database }), 'full');
      await client.get('/api/tags');
      counted.batches.length = 0;
      expect((await client.get(`/api/articles?fields=title&${search}`)).status).toBe(200);
      return counted.batches.length;
    };
    expect(await batches(20_000, 'populate[tags][populate][articles][populate]=tags')).toBe(1);
    expect(await batches(100, 'populate=tags')).toBe(2);
  });

  it('keeps every row of a list', async () => {
    const [article] = await documentsOf(reader({ answerRows: 28 }).get('/api/articles?populate=tags'));
    expect(((article?.tags ?? []) as ApiDocument[]).map(({ name }) => name)).toEqual(
      Array.from({ length: TAGS }, (_, index) => `Tag ${index}`),
    );
  });
});

it('a write with a response that is too large stores nothing', async () => {
  const before = await documentsOf(owner.get('/api/articles?fields=title'));
  const error = await errorOf(reader({ answerBytes: 2_000 }).create('/api/articles', { title: 'New', body: LONG }));
  expect(error).toMatchObject({ status: 400, details: { limit: 'answerBytes' } });
  expect(await documentsOf(owner.get('/api/articles?fields=title'))).toEqual(before);
});
