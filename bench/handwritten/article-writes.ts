/**
 * @module Writes of articles: one batch each, all or nothing, read back at its end.
 */
import { type ArticleRow, articleOf } from './article.ts';
import { dataOf, newDocumentId, plain, type Stored } from './input.ts';
import { ONE } from './reads.ts';
import { insertDraft, publishAgain, publishNew, RANDOM_ID, updateDraft, versionsOf } from './versions.ts';
import { json, refuse, tokenAssertion, type Visit } from './visit.ts';

const STORED: Stored = {
  title: ['title', plain],
  slug: ['slug', plain],
  summary: ['summary', plain],
  body: ['body', plain],
  format: ['format', plain],
  publishDate: ['publish_date', plain],
  airTime: ['air_time', plain],
  reviewedAt: ['reviewed_at', (value) => (value ? Date.parse(String(value)) : null)],
  readingMinutes: ['reading_minutes', plain],
  views: ['views', plain],
  rating: ['rating', plain],
  score: ['score', plain],
  featured: ['featured', Number],
  keywords: ['keywords', (value) => JSON.stringify(value)],
  contact: ['contact', plain],
};

const ATTRIBUTES = Object.keys(STORED);

const articles = versionsOf({
  uid: 'api::article.article',
  table: 'articles',
  stored: STORED,
  components: { seo: `json_set("seo", '$.id', ${RANDOM_ID})` },
  links: ['articles_author_lnk', 'articles_category_lnk', 'articles_tags_lnk', 'articles_cover_lnk'],
});

const articleAtEnd = (results: readonly D1Result[]) => articleOf(results.at(-1)?.results[0] as ArticleRow);

export async function createArticle(visit: Visit): Promise<Response> {
  const { db, request } = visit;
  const data = await dataOf(request, ATTRIBUTES);
  if (typeof data?.title !== 'string' || typeof data.slug !== 'string')
    return refuse(400, 'title and slug are required');
  const documentId = newDocumentId();
  const now = Date.now();
  const results = await db.batch([
    tokenAssertion(visit, now),
    insertDraft(db, articles, documentId, data, now),
    ...publishNew(db, articles, documentId, now),
    db.prepare(ONE).bind(documentId),
  ]);
  const { id: _, ...article } = articleAtEnd(results);
  return json({ data: article, meta: {} });
}

export async function updateArticle(visit: Visit): Promise<Response> {
  const { db, request, url } = visit;
  const data = await dataOf(request, ATTRIBUTES);
  if (!data) return refuse(400, 'Missing "data" payload in the request body');
  const documentId = url.pathname.slice('/api/articles/'.length);
  const now = Date.now();
  const results = await db.batch([
    tokenAssertion(visit, now),
    ...updateDraft(db, articles, documentId, data, now),
    ...publishAgain(db, articles, documentId, now),
    db.prepare(ONE).bind(documentId),
  ]);
  return json({ data: articleAtEnd(results), meta: {} });
}
