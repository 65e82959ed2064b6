/**
 * @module Rows of the bench tables → JSON, column by column.
 */

export interface ArticleRow {
  readonly id: number;
  readonly document_id: string;
  readonly title: string | null;
  readonly slug: string | null;
  readonly summary: string | null;
  readonly body: string | null;
  readonly format: string | null;
  readonly publish_date: string | null;
  readonly air_time: string | null;
  readonly reviewed_at: number | null;
  readonly reading_minutes: number | null;
  readonly views: string | null;
  readonly rating: number | null;
  readonly score: number | null;
  readonly featured: number | null;
  readonly keywords: string | null;
  readonly contact: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly published_at: number | null;
}

export const COLUMNS =
  '"id", "document_id", "title", "slug", "summary", "body", "format", "publish_date", "air_time", "reviewed_at", "reading_minutes", cast("views" as text) as "views", "rating", "score", "featured", "keywords", "contact", "created_at", "updated_at", "published_at"';

export const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
export const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

export const articleOf = (row: ArticleRow) => ({
  id: row.id,
  documentId: row.document_id,
  title: row.title,
  slug: row.slug,
  summary: row.summary,
  body: row.body,
  format: row.format,
  publishDate: row.publish_date,
  airTime: row.air_time,
  reviewedAt: iso(row.reviewed_at),
  readingMinutes: row.reading_minutes,
  views: row.views,
  rating: row.rating,
  score: row.score,
  featured: row.featured === null ? null : row.featured === 1,
  keywords: parsed(row.keywords),
  contact: row.contact,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  publishedAt: iso(row.published_at),
});
