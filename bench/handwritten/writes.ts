/**
 * @module Writes of the hand-written Worker: one batch each, all or nothing, read back at its end.
 */
import { type ArticleRow, articleOf } from './article.ts';
import { ONE } from './reads.ts';
import { json, refuse, tokenAssertion, type Visit } from './visit.ts';

type Value = string | number | null;
type Input = Readonly<Record<string, unknown>>;

const plain = (value: unknown): Value => (value ?? null) as Value;

/** Attribute → its column, and what the column holds. */
const STORED: Readonly<Record<string, readonly [string, (value: unknown) => Value]>> = {
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

const COPIED = [...Object.values(STORED).map(([column]) => `"${column}"`), '"seo"', '"created_at"', '"updated_at"'];
const VERSION = `"document_id", "locale", ${COPIED.join(', ')}`;
const PUBLISH = `insert into "articles" (${VERSION}, "published_at") select ${VERSION}, ? from "articles" where "document_id" = ? and "published_at" is null`;
const UNPUBLISH = 'delete from "articles" where "document_id" = ? and "published_at" is not null';
const SLUG_IS_FREE = `select iif(exists (select 1 from "articles" as "other" where "slug" = (select "slug" from "articles" where "document_id" = ?1 and "published_at" is not null) and "document_id" <> ?1 and "published_at" is not null), json_extract('{}', 'SLUG'), 1)`;
const COUNT_BOTH = `insert into "edgewise_counters" ("type", "locale", "status", "total") values ('api::article.article', '', 'draft', 1), ('api::article.article', '', 'published', 1) on conflict do update set "total" = "total" + 1`;
const COUNT_PUBLISHED = `update "edgewise_counters" set "total" = "total" + not exists (select 1 from "articles" where "document_id" = ? and "published_at" is not null) where "type" = 'api::article.article' and "locale" = '' and "status" = 'published'`;
const EXISTS = `select iif(exists (select 1 from "articles" where "document_id" = ? and "published_at" is null), 1, json_extract('{}', 'MISSING'))`;

const LINK_TABLES = ['articles_author_lnk', 'articles_category_lnk', 'articles_tags_lnk', 'articles_cover_lnk'];
const LINK = '"target_document_id", "target_locale", "position", "inverse_position"';
const ID = (published: string) =>
  `(select "id" from "articles" where "document_id" = ?1 and "published_at" ${published})`;
const DROP_LINKS = LINK_TABLES.map((table) => `delete from "${table}" where "source_id" = ${ID('is not null')}`);
const COPY_LINKS = LINK_TABLES.map(
  (table) =>
    `insert into "${table}" ("source_id", ${LINK}) select ${ID('is not null')}, ${LINK} from "${table}" where "source_id" = ${ID('is null')}`,
);

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

const newDocumentId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => ALPHABET[byte % 26]).join('');

async function dataOf(request: Request): Promise<Input | undefined> {
  const { data } = (await request.json()) as { data?: Input };
  return data && Object.keys(data).every((name) => Object.hasOwn(STORED, name)) ? data : undefined;
}

/** Columns and values of what is given. */
function storedOf(data: Input): { readonly columns: readonly string[]; readonly values: readonly Value[] } {
  const entries = Object.entries(data).map(([name, value]) => [STORED[name], value] as const);
  return {
    columns: entries.map(([stored]) => `"${stored?.[0]}"`),
    values: entries.map(([stored, value]) => stored?.[1](value) ?? null),
  };
}

function articleAtEnd(results: readonly D1Result[]) {
  return articleOf(results.at(-1)?.results[0] as ArticleRow);
}

export async function createArticle(visit: Visit): Promise<Response> {
  const { db, request } = visit;
  const data = await dataOf(request);
  if (typeof data?.title !== 'string' || typeof data.slug !== 'string')
    return refuse(400, 'title and slug are required');
  const documentId = newDocumentId();
  const now = Date.now();
  const { columns, values } = storedOf(data);
  const insert = `insert into "articles" ("document_id", "locale", "created_at", "updated_at", ${columns.join(', ')}) values (?, '', ?, ?, ${columns.map(() => '?').join(', ')})`;
  const results = await db.batch([
    tokenAssertion(visit, now),
    db.prepare(insert).bind(documentId, now, now, ...values),
    db.prepare(PUBLISH).bind(now, documentId),
    db.prepare(SLUG_IS_FREE).bind(documentId),
    db.prepare(COUNT_BOTH),
    db.prepare(ONE).bind(documentId),
  ]);
  const { id: _, ...article } = articleAtEnd(results);
  return json({ data: article, meta: {} });
}

export async function updateArticle(visit: Visit): Promise<Response> {
  const { db, request, url } = visit;
  const data = await dataOf(request);
  if (!data) return refuse(400, 'Missing "data" payload in the request body');
  const documentId = url.pathname.slice('/api/articles/'.length);
  const now = Date.now();
  const { columns, values } = storedOf(data);
  const update = `update "articles" set ${columns.map((column) => `${column} = ?, `).join('')}"updated_at" = ? where "document_id" = ? and "published_at" is null`;
  const ofDocument = (sql: string) => db.prepare(sql).bind(documentId);
  const results = await db.batch([
    tokenAssertion(visit, now),
    ofDocument(EXISTS),
    db.prepare(update).bind(...values, now, documentId),
    ofDocument(COUNT_PUBLISHED),
    ...DROP_LINKS.map(ofDocument),
    ofDocument(UNPUBLISH),
    db.prepare(PUBLISH).bind(now, documentId),
    ...COPY_LINKS.map(ofDocument),
    ofDocument(SLUG_IS_FREE),
    ofDocument(ONE),
  ]);
  return json({ data: articleAtEnd(results), meta: {} });
}
