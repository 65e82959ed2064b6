/**
 * @module Reads of the hand-written Worker, one batch each.
 */
import { type ArticleRow, articleOf, COLUMNS, POPULATED_COLUMNS, type PopulatedRow, populatedOf } from './article.ts';
import { json, mayPass, refuse, tokenStatement, type Visit } from './visit.ts';

const PUBLISHED = `"published_at" is not null and "locale" = ''`;
const LIST = `select ${COLUMNS} from "articles" where ${PUBLISHED} order by "id" limit 25`;
const POPULATED = `select ${POPULATED_COLUMNS} from (select * from "articles" where ${PUBLISHED} order by "id" limit 25) as "page" order by "id"`;
const COUNTER = `select "total" from "edgewise_counters" where "type" = 'api::article.article' and "locale" = '' and "status" = 'published'`;
const RATED = `${PUBLISHED} and "rating" >= ? and instr(lower("title"), lower(?)) > 0`;
const RATED_LIST = `select ${COLUMNS} from "articles" where ${RATED} order by "publish_date" desc, "title", "id" limit 25`;
const RATED_COUNT = `select count(*) as "total" from "articles" where ${RATED}`;
const BY_AUTHOR = `"published_at" is not null and "id" in (select "l"."source_id" from "articles_author_lnk" as "l" join "authors" as "t" on "t"."document_id" = "l"."target_document_id" where "t"."published_at" is not null and "t"."name" = ?)`;
const BY_SLUG = '"published_at" is not null and "slug" = ?';
const SLUG_LIST = `select ${COLUMNS} from "articles" where ${BY_SLUG} order by "id" limit 25`;
const SLUG_COUNT = `select count(*) as "total" from "articles" where ${BY_SLUG}`;
const AUTHOR_LIST = `select ${COLUMNS} from "articles" where ${BY_AUTHOR} order by "id" limit 25`;
const AUTHOR_COUNT = `select count(*) as "total" from "articles" where ${BY_AUTHOR}`;

/** The published version of a document; writes read it back. */
export const ONE = `select ${COLUMNS} from "articles" where ${PUBLISHED} and "document_id" = ?`;

async function answerPage<Row>(
  visit: Visit,
  list: D1PreparedStatement,
  count: D1PreparedStatement,
  shape: (row: Row) => unknown,
): Promise<Response> {
  const [token, rows, counted] = await visit.db.batch([tokenStatement(visit), list, count]);
  if (!mayPass(visit, token)) return refuse(401, 'Missing or invalid credentials');
  const [{ total } = { total: 0 }] = (counted?.results ?? []) as { total: number }[];
  const pagination = { page: 1, pageSize: 25, pageCount: Math.ceil(total / 25), total };
  return json({ data: ((rows?.results ?? []) as Row[]).map(shape), meta: { pagination } });
}

export const listArticles = (visit: Visit): Promise<Response> =>
  answerPage(visit, visit.db.prepare(LIST), visit.db.prepare(COUNTER), articleOf);

export const listPopulated = (visit: Visit): Promise<Response> =>
  answerPage<PopulatedRow>(visit, visit.db.prepare(POPULATED), visit.db.prepare(COUNTER), populatedOf);

export function listRated(visit: Visit): Promise<Response> {
  const { db, url } = visit;
  const rating = Number(url.searchParams.get('filters[rating][$gte]'));
  const text = url.searchParams.get('filters[title][$contains]') ?? '';
  const [list, count] = [RATED_LIST, RATED_COUNT].map((sql) => db.prepare(sql).bind(rating, text));
  return answerPage(visit, list as D1PreparedStatement, count as D1PreparedStatement, articleOf);
}

export function listByAuthor(visit: Visit): Promise<Response> {
  const { db, url } = visit;
  const name = url.searchParams.get('filters[author][name][$eq]') ?? '';
  return answerPage(visit, db.prepare(AUTHOR_LIST).bind(name), db.prepare(AUTHOR_COUNT).bind(name), articleOf);
}

export function listBySlug(visit: Visit): Promise<Response> {
  const { db, url } = visit;
  const slug = url.searchParams.get('filters[slug][$eq]') ?? '';
  return answerPage(visit, db.prepare(SLUG_LIST).bind(slug), db.prepare(SLUG_COUNT).bind(slug), articleOf);
}

export async function getArticle(visit: Visit): Promise<Response> {
  const { db, url } = visit;
  const documentId = url.pathname.slice('/api/articles/'.length);
  const [token, rows] = await db.batch([tokenStatement(visit), db.prepare(ONE).bind(documentId)]);
  if (!mayPass(visit, token)) return refuse(401, 'Missing or invalid credentials');
  const [row] = (rows?.results ?? []) as ArticleRow[];
  return row ? json({ data: articleOf(row), meta: {} }) : refuse(404, 'Not Found');
}
