/**
 * @module Drizzle queries over the generated tables read what the API has written.
 */
import { env } from 'cloudflare:workers';
import { and, eq, isNotNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import { articles, articles_author_lnk, authors } from '../../../drizzle/schema.ts';
import { documentOf } from '../../support/client.ts';
import { demoRegistry } from '../../support/demo-registry.ts';
import { openWorld } from '../../support/world.ts';

const { client } = openWorld(demoRegistry);
const db = drizzle(env.DB);

const VALUES = {
  title: 'Cake',
  slug: 'cake',
  rating: 4.5,
  featured: true,
  keywords: ['sweet'],
  issueDate: '2026-05-01',
};

it('has the types that the tables state, and follows links', async () => {
  const author = await documentOf(client.create('/api/authors', { name: 'Ada', slug: 'ada' }));
  const seo = { metaTitle: 'Cake' };
  const article = await documentOf(client.create('/api/articles', { ...VALUES, seo, author: author.documentId }));
  const rows = await db
    .select({ article: articles, author: authors.name })
    .from(articles)
    .innerJoin(
      articles_author_lnk,
      and(eq(articles_author_lnk.sourceDocumentId, articles.documentId), eq(articles_author_lnk.status, 'published')),
    )
    .innerJoin(authors, eq(authors.documentId, articles_author_lnk.targetDocumentId))
    .where(isNotNull(articles.publishedAt));
  const { documentId } = article;
  const times = { createdAt: new Date(String(article.createdAt)), publishedAt: new Date(String(article.publishedAt)) };
  const found = { documentId, ...VALUES, ...times, summary: null, seo: expect.objectContaining(seo) };
  expect(rows).toEqual([{ article: expect.objectContaining(found), author: 'Ada' }]);
});
