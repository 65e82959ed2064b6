/**
 * @module Reads of the hand-written Worker, one batch each.
 */
import { type ArticleRow, articleOf, COLUMNS } from './article.ts';
import { DEEP_COLUMNS, deepOf, POPULATED_COLUMNS, type PopulatedRow, populatedOf } from './populated.ts';
import { type Handler, json, mayPass, refuse, tokenStatement, type Visit } from './visit.ts';

export const PUBLISHED = `"published_at" is not null and "locale" = ''`;
const PAGE = `(select * from "articles" where ${PUBLISHED} order by "id" limit ?) as "page" order by "id"`;
const LIST = `select ${COLUMNS} from "articles" where ${PUBLISHED} order by "id" limit ?`;
const POPULATED = `select ${POPULATED_COLUMNS} from ${PAGE}`;
const DEEP = `select ${DEEP_COLUMNS} from ${PAGE}`;
export const COUNTER = `select "total" from "edgewise_counters" where "type" = 'api::article.article' and "locale" = '' and "status" = 'published'`;

/** The published version of a document; writes read it back. */
export const ONE = `select ${COLUMNS} from "articles" where ${PUBLISHED} and "document_id" = ?`;

/** What `pagination[pageSize]` asks for, as far as it is allowed. */
export const pageSizeOf = ({ url }: Visit): number =>
  Math.min(100, Math.max(1, Math.trunc(Number(url.searchParams.get('pagination[pageSize]') ?? 25)) || 25));

export async function answerPage<Row>(
  visit: Visit,
  list: D1PreparedStatement,
  count: D1PreparedStatement,
  shape: (row: Row) => unknown,
): Promise<Response> {
  const [token, rows, counted] = await visit.db.batch([tokenStatement(visit), list, count]);
  if (!mayPass(visit, token)) return refuse(401, 'Missing or invalid credentials');
  const [{ total } = { total: 0 }] = (counted?.results ?? []) as { total: number }[];
  const pageSize = pageSizeOf(visit);
  const pagination = { page: 1, pageSize, pageCount: Math.ceil(total / pageSize), total };
  return json({ data: ((rows?.results ?? []) as Row[]).map(shape), meta: { pagination } });
}

/** All published articles by id. */
const unfiltered =
  <Row>(sql: string, shape: (row: Row) => unknown): Handler =>
  (visit) =>
    answerPage(visit, visit.db.prepare(sql).bind(pageSizeOf(visit)), visit.db.prepare(COUNTER), shape);

export const listArticles = unfiltered(LIST, articleOf);
export const listPopulated = unfiltered<PopulatedRow>(POPULATED, populatedOf);
export const listDeep = unfiltered<PopulatedRow>(DEEP, deepOf);

/** Published articles that meet a condition with the values of some parameters, counted. */
function filtered(where: string, parameters: readonly string[], order = '"id"'): Handler {
  const condition = `"published_at" is not null and ${where}`;
  const list = `select ${COLUMNS} from "articles" where ${condition} order by ${order} limit ?`;
  const count = `select count(*) as "total" from "articles" where ${condition}`;
  return (visit) => {
    const { db, url } = visit;
    const values = parameters.map((parameter) => url.searchParams.get(parameter) ?? '');
    const page = db.prepare(list).bind(...values, pageSizeOf(visit));
    return answerPage(visit, page, db.prepare(count).bind(...values), articleOf);
  };
}

/** Articles that link to a published row of `table` with a value in `column`. */
const linkedTo = (links: string, table: string, column: string): string =>
  `"document_id" in (select "l"."source_document_id" from "${links}" as "l" join "${table}" as "t" on "t"."document_id" = "l"."target_document_id" where "l"."status" = 'published' and "t"."published_at" is not null and "t"."${column}" = ?)`;

export const listRated = filtered(
  `"locale" = '' and "rating" >= cast(? as real) and instr(lower("title"), lower(?)) > 0`,
  ['filters[rating][$gte]', 'filters[title][$contains]'],
  '"publish_date" desc, "title", "id"',
);
export const listBySlug = filtered('"slug" = ?', ['filters[slug][$eq]']);
export const listByAuthor = filtered(linkedTo('articles_author_lnk', 'authors', 'name'), [
  'filters[author][name][$eq]',
]);
export const listByTag = filtered(linkedTo('articles_tags_lnk', 'tags', 'slug'), ['filters[tags][slug][$eq]']);

const getOne =
  (prefix: string, sql: string): Handler =>
  async (visit) => {
    const { db, url } = visit;
    const name = url.pathname.slice(prefix.length);
    const [token, rows] = await db.batch([tokenStatement(visit), db.prepare(sql).bind(name)]);
    if (!mayPass(visit, token)) return refuse(401, 'Missing or invalid credentials');
    const [row] = (rows?.results ?? []) as ArticleRow[];
    return row ? json({ data: articleOf(row), meta: {} }) : refuse(404, 'Not Found');
  };

export const getArticle = getOne('/api/articles/', ONE);
export const getBySlug = getOne(
  '/api/articles/slug:',
  `select ${COLUMNS} from "articles" where "published_at" is not null and "slug" = ?`,
);
