/**
 * @module What the product is measured against: a Worker for this one content model, written by hand. It runs the SQL
 * that the product runs, in as few batches as the job needs, and knows every column by name.
 */

interface ArticleRow {
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

interface TokenRow {
  readonly type: string;
  readonly permissions: string | null;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
}

interface Visit {
  readonly db: D1Database;
  readonly url: URL;
  readonly request: Request;
  /** SHA-256 of the token. */
  readonly key: string;
  readonly context: ExecutionContext;
}

const COLUMNS =
  '"id", "document_id", "title", "slug", "summary", "body", "format", "publish_date", "air_time", "reviewed_at", "reading_minutes", cast("views" as text) as "views", "rating", "score", "featured", "keywords", "contact", "created_at", "updated_at", "published_at"';
const TOKEN =
  'select "type", "permissions", "expires_at", "last_used_at" from "strapi_api_tokens" where "access_key" = ?';
const PUBLISHED = `"published_at" is not null and "locale" = ''`;
const LIST = `select ${COLUMNS} from "articles" where ${PUBLISHED} order by "id" limit 25`;
const COUNTER = `select "total" from "edgewise_counters" where "type" = 'api::article.article' and "locale" = '' and "status" = 'published'`;
const ONE = `select ${COLUMNS} from "articles" where ${PUBLISHED} and "document_id" = ?`;
const RATED = `${PUBLISHED} and "rating" >= ? and instr(lower("title"), lower(?)) > 0`;
const RATED_LIST = `select ${COLUMNS} from "articles" where ${RATED} order by "publish_date" desc, "title", "id" limit 25`;
const RATED_COUNT = `select count(*) as "total" from "articles" where ${RATED}`;

const TOKEN_HOLDS = `select iif(exists (select 1 from "strapi_api_tokens" where "access_key" = ? and "type" = 'full-access' and ("expires_at" is null or "expires_at" > ?)), 1, json_extract('{}', 'TOKEN'))`;
const SLUG_IS_FREE = `select iif(exists (select 1 from "articles" where "slug" = ? and "document_id" <> ? and "published_at" is not null), json_extract('{}', 'SLUG'), 1)`;
const WRITTEN =
  '"document_id", "locale", "created_at", "updated_at", "title", "slug", "summary", "body", "format", "publish_date", "air_time", "reviewed_at", "reading_minutes", "views", "rating", "score", "featured", "keywords", "contact"';
const INSERT = `insert into "articles" (${WRITTEN}) values (?, '', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PUBLISH = `insert into "articles" (${WRITTEN}, "published_at") select ${WRITTEN}, ? from "articles" where "document_id" = ? and "published_at" is null`;
const COUNT_UP = `insert into "edgewise_counters" ("type", "locale", "status", "total") values ('api::article.article', '', 'draft', 1), ('api::article.article', '', 'published', 1) on conflict do update set "total" = "total" + 1`;

const HOUR = 3_600_000;

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

const articleOf = (row: ArticleRow) => ({
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
  keywords: row.keywords === null ? null : JSON.parse(row.keywords),
  contact: row.contact,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  publishedAt: iso(row.published_at),
});

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const json = (body: unknown): Response => new Response(JSON.stringify(body), { headers: HEADERS });
const refuse = (status: number, message: string): Response =>
  new Response(JSON.stringify({ data: null, error: { status, message } }), { status, headers: HEADERS });

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Is the token known and in time? Notes to the hour when it was last used. */
function mayPass({ db, key, context }: Visit, token: TokenRow | undefined): boolean {
  const now = Date.now();
  if (!token || (token.expires_at !== null && token.expires_at <= now)) return false;
  if ((token.last_used_at ?? 0) <= now - HOUR)
    context.waitUntil(
      db.prepare('update "strapi_api_tokens" set "last_used_at" = ? where "access_key" = ?').bind(now, key).run(),
    );
  return true;
}

function listBody(rows: readonly ArticleRow[], total: number): Response {
  const pagination = { page: 1, pageSize: 25, pageCount: Math.ceil(total / 25), total };
  return json({ data: rows.map(articleOf), meta: { pagination } });
}

async function page(visit: Visit, list: D1PreparedStatement, count: D1PreparedStatement): Promise<Response> {
  const { db, key } = visit;
  const [token, rows, total] = await db.batch([db.prepare(TOKEN).bind(key), list, count]);
  if (!mayPass(visit, token?.results[0] as TokenRow | undefined)) return refuse(401, 'Missing or invalid credentials');
  const [{ total: counted } = { total: 0 }] = (total?.results ?? []) as { total: number }[];
  return listBody((rows?.results ?? []) as ArticleRow[], counted);
}

const listArticles = (visit: Visit): Promise<Response> =>
  page(visit, visit.db.prepare(LIST), visit.db.prepare(COUNTER));

function listRated(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  const rating = Number(searchParams.get('filters[rating][$gte]'));
  const text = searchParams.get('filters[title][$contains]') ?? '';
  return page(visit, visit.db.prepare(RATED_LIST).bind(rating, text), visit.db.prepare(RATED_COUNT).bind(rating, text));
}

async function getArticle(visit: Visit): Promise<Response> {
  const { db, key, url } = visit;
  const documentId = url.pathname.slice('/api/articles/'.length);
  const [token, rows] = await db.batch([db.prepare(TOKEN).bind(key), db.prepare(ONE).bind(documentId)]);
  if (!mayPass(visit, token?.results[0] as TokenRow | undefined)) return refuse(401, 'Missing or invalid credentials');
  const [row] = (rows?.results ?? []) as ArticleRow[];
  return row ? json({ data: articleOf(row), meta: {} }) : refuse(404, 'Not Found');
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

const newDocumentId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => ALPHABET[byte % 26]).join('');

type Input = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What the columns of `WRITTEN` hold, from `title` on. */
function storedValues(data: Input): readonly (string | number | null)[] {
  const text = (name: string) => (data[name] ?? null) as string | null;
  const number = (name: string) => (data[name] ?? null) as number | null;
  const plain = ['title', 'slug', 'summary', 'body', 'format', 'publishDate', 'airTime'].map(text);
  const reviewedAt = data.reviewedAt ? Date.parse(String(data.reviewedAt)) : null;
  const keywords = data.keywords === undefined ? null : JSON.stringify(data.keywords);
  return [
    ...plain,
    reviewedAt,
    number('readingMinutes'),
    text('views'),
    number('rating'),
    number('score'),
    Number(data.featured ?? false),
    keywords,
    text('contact'),
  ];
}

async function createArticle({ db, key, request }: Visit): Promise<Response> {
  const { data } = (await request.json()) as { data?: Input };
  if (typeof data?.title !== 'string' || typeof data.slug !== 'string')
    return refuse(400, 'title and slug are required');
  const documentId = newDocumentId();
  const now = Date.now();
  const results = await db.batch([
    db.prepare(TOKEN_HOLDS).bind(key, now),
    db.prepare(INSERT).bind(documentId, now, now, ...storedValues(data)),
    db.prepare(PUBLISH).bind(now, documentId),
    db.prepare(SLUG_IS_FREE).bind(data.slug, documentId),
    db.prepare(COUNT_UP),
    db.prepare(ONE).bind(documentId),
  ]);
  const { id: _, ...article } = articleOf(results.at(-1)?.results[0] as ArticleRow);
  return json({ data: article, meta: {} });
}

/** One batch that asks nothing: what the platform costs. */
async function floor({ db }: Visit): Promise<Response> {
  const [row] = await db.batch([db.prepare('select 1 as "one"')]);
  return json(row?.results);
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  /** A parameter that has to be there. */
  readonly parameter?: string;
  answer(visit: Visit): Promise<Response>;
}

const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/api\/articles$/, parameter: 'filters[rating][$gte]', answer: listRated },
  { method: 'GET', path: /^\/api\/articles$/, answer: listArticles },
  { method: 'GET', path: /^\/api\/articles\/\w+$/, answer: getArticle },
  { method: 'POST', path: /^\/api\/articles$/, answer: createArticle },
  { method: 'GET', path: /^\/floor$/, answer: floor },
];

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    const route = ROUTES.find(
      ({ method, path, parameter }) =>
        method === request.method &&
        path.test(url.pathname) &&
        (parameter === undefined || url.searchParams.has(parameter)),
    );
    const token = request.headers.get('authorization')?.replace(/^Bearer /, '');
    if (!route || !token) return refuse(route ? 401 : 404, 'Not Found');
    return route.answer({ db: env.DB, url, request, key: await sha256(token), context });
  },
} satisfies ExportedHandler<Env>;
