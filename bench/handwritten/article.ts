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

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

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

type Text = string | null;
type Author = readonly [number, string, Text, Text, Text, number, number, number];
type Tag = readonly [number, string, Text, Text, number, number, number];
type Picture = readonly [...(readonly [number, string, ...Text[]]), number, number, number];

const related = (links: string, table: string, columns: string): string =>
  `(select json_group_array(json_array(${columns}) order by "l"."position") from "${links}" as "l" join "${table}" as "t" on "t"."document_id" = "l"."target_document_id" and "t"."published_at" is not null where "l"."source_id" = "page"."id")`;

const STAMPS = '"created_at", "updated_at", "published_at"';
const AUTHOR = `"t"."id", "document_id", "name", "email", "bio", ${STAMPS}`;
const TAG = `"t"."id", "document_id", "name", "slug", ${STAMPS}`;
const PICTURE = `"t"."id", "document_id", "name", "alternative_text", "caption", "focal_point", "width", "height", "formats", "hash", "ext", "mime", "size", "url", "preview_url", "provider", "provider_metadata", ${STAMPS}`;

/** Columns of a page, in a query whose page is called `page`. */
export const POPULATED_COLUMNS = `${COLUMNS}, json_array(${related('articles_author_lnk', 'authors', AUTHOR)}, ${related('articles_tags_lnk', 'tags', TAG)}, ${related('articles_cover_lnk', 'files', PICTURE)}, "seo") as "populated"`;

export type PopulatedRow = ArticleRow & { readonly populated: string };

const authorOf = ([id, documentId, name, email, bio, createdAt, updatedAt, publishedAt]: Author) => ({
  id,
  documentId,
  name,
  email,
  bio,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
  publishedAt: iso(publishedAt),
});

const tagOf = ([id, documentId, name, slug, createdAt, updatedAt, publishedAt]: Tag) => ({
  id,
  documentId,
  name,
  slug,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
  publishedAt: iso(publishedAt),
});

const pictureOf = (row: Picture) => ({
  id: row[0],
  documentId: row[1],
  name: row[2],
  alternativeText: row[3],
  caption: row[4],
  focalPoint: parsed(row[5] as Text),
  width: row[6],
  height: row[7],
  formats: parsed(row[8] as Text),
  hash: row[9],
  ext: row[10],
  mime: row[11],
  size: row[12],
  url: row[13],
  previewUrl: row[14],
  provider: row[15],
  provider_metadata: parsed(row[16] as Text),
  createdAt: iso(row[17] as number),
  updatedAt: iso(row[18] as number),
  publishedAt: iso(row[19] as number),
});

interface Seo {
  readonly id: number;
  readonly metaTitle?: Text;
  readonly metaDescription?: Text;
}

const seoOf = ({ id, metaTitle = null, metaDescription = null }: Seo) => ({ id, metaTitle, metaDescription });

export function populatedOf(row: PopulatedRow) {
  const [authors, tags, covers, seo] = JSON.parse(row.populated) as [Author[], Tag[], Picture[], string | null];
  const [author] = authors;
  const [cover] = covers;
  return {
    ...articleOf(row),
    author: author ? authorOf(author) : null,
    tags: tags.map(tagOf),
    cover: cover ? pictureOf(cover) : null,
    seo: seo === null ? null : seoOf(JSON.parse(seo)),
  };
}
