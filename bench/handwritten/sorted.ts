/**
 * @module Articles by their rating: the first page, and pages by a cursor, which has the values of the article before.
 */
import { type ArticleRow, articleOf, COLUMNS } from './article.ts';
import { answerPage, COUNTER, PUBLISHED, pageSizeOf } from './reads.ts';
import { type Handler, json, mayPass, refuse, sha256, tokenStatement } from './visit.ts';

const ORDER = '"rating" desc, "title", "id"';
const FIRST = `select ${COLUMNS} from "articles" where ${PUBLISHED} order by ${ORDER} limit ?`;

/** The rest of the same rating and title, of the same rating, and of lower ones; each is a range of the index. */
const RANGES = ['"rating" = ?1 and "title" = ?2 and "id" > ?3', '"rating" = ?1 and "title" > ?2', '"rating" < ?1'].map(
  (range) => `select * from (select * from "articles" where ${PUBLISHED} and ${range} order by ${ORDER} limit ?4)`,
);
const NEXT = `select ${COLUMNS} from (${RANGES.join(' union all ')}) order by ${ORDER} limit ?4`;

export const listByRating: Handler = (visit) =>
  answerPage<ArticleRow>(visit, visit.db.prepare(FIRST).bind(pageSizeOf(visit)), visit.db.prepare(COUNTER), articleOf);

// Titles are ASCII here.
const decoded = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'));
const encoded = (text: string): string => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

async function cursorOf(list: readonly unknown[], { rating, title, id }: ArticleRow): Promise<string> {
  const text = encoded(JSON.stringify([...list, [rating, title, id]]));
  return `${text}.${(await sha256(text)).slice(0, 12)}`;
}

export const walkByRating: Handler = async (visit) => {
  const { db, url } = visit;
  const [text = '', check] = (url.searchParams.get('pagination[after]') ?? '').split('.');
  if (check !== (await sha256(text)).slice(0, 12)) return refuse(400, 'no cursor');
  const list = JSON.parse(decoded(text)) as unknown[];
  const limit = Number(url.searchParams.get('pagination[limit]'));
  const page = db.prepare(NEXT).bind(...(list.pop() as unknown[]), limit + 1);
  const [token, found] = await db.batch([tokenStatement(visit), page]);
  if (!mayPass(visit, token)) return refuse(401, 'Missing or invalid credentials');
  const rows = (found?.results ?? []) as unknown as ArticleRow[];
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const next = last ? await cursorOf(list, last) : null;
  return json({ data: rows.slice(0, limit).map(articleOf), meta: { pagination: { limit, next } } });
};
