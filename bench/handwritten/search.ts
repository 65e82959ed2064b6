/**
 * @module `_q`: articles by a look at each of their texts, stories by the trigrams of a search index. `search`: stories by a
 * look at each of their texts, those with whole words first.
 */
import { articleOf, COLUMNS } from './article.ts';
import { PUBLISHED, pageSizeOf } from './reads.ts';
import { STORY_COLUMNS, storyOf } from './stories.ts';
import { type Handler, json, mayPass, refuse, tokenStatement, type Visit } from './visit.ts';

const STORY_TEXTS = ['document_id', 'title', 'slug', 'summary', 'body'];
const ARTICLE_TEXTS = [...STORY_TEXTS, 'format', 'contact'];

const looking = (texts: readonly string[]): string =>
  `(${texts.map((text) => `"${text}" like ?1 escape '\\'`).join(' or ')})`;

const trigramsOf = (text: string): string =>
  Array.from({ length: text.length - 2 }, (_, at) => `"${text.slice(at, at + 3)}"`).join(' AND ');

/** The total is that of the page, unless the page is full. */
async function answerSearch<Row>(
  visit: Visit,
  list: D1PreparedStatement,
  shape: (row: Row) => unknown,
): Promise<Response> {
  const [token, found] = await visit.db.batch([tokenStatement(visit), list]);
  if (!mayPass(visit, token)) return refuse(401, 'Missing or invalid credentials');
  const rows = (found?.results ?? []) as Row[];
  const pageSize = pageSizeOf(visit);
  if (rows.length === pageSize) return refuse(500, 'a full page has to be counted');
  const pagination = { page: 1, pageSize, pageCount: Math.ceil(rows.length / pageSize), total: rows.length };
  return json({ data: rows.map(shape), meta: { pagination } });
}

function searching<Row>(
  table: string,
  columns: string,
  where: string,
  shape: (row: Row) => unknown,
  index: boolean,
): Handler {
  const list = `select ${columns} from "${table}" where ${PUBLISHED} and ${where} order by "id" limit ?2`;
  return (visit) => {
    const { db, url } = visit;
    const text = url.searchParams.get('_q') ?? '';
    const values = [`%${text}%`, pageSizeOf(visit), ...(index ? [trigramsOf(text)] : [])];
    return answerSearch(visit, db.prepare(list).bind(...values), shape);
  };
}

export const searchArticles = searching('articles', COLUMNS, looking(ARTICLE_TEXTS), articleOf, false);

const STORIES = `"id" in (select "rowid" from "stories_search" where "stories_search" match ?3) and ${looking(STORY_TEXTS)}`;
export const searchStories = searching('stories', STORY_COLUMNS, STORIES, storyOf, true);

const WORD_TEXTS = ['title', 'slug', 'summary', 'body'];

const everyWord = (count: number, conditionOf: (parameter: string) => string, operator: string): string =>
  Array.from({ length: count }, (_, index) => `(${conditionOf(`?${index + 2}`)})`).join(` ${operator} `);

const begins = (parameter: string): string =>
  WORD_TEXTS.map((text) => `' ' || "${text}" like '% ' || ${parameter} || '%'`).join(' or ');

export const searchStoriesByWords: Handler = async (visit) => {
  const { db, url } = visit;
  const words = (url.searchParams.get('search') ?? '').split(' ');
  const whole = everyWord(words.length, (word) => `' ' || "title" || ' ' like '% ' || ${word} || ' %'`, '+');
  const where = `${PUBLISHED} and ${everyWord(words.length, begins, 'and')}`;
  const list = `select ${STORY_COLUMNS} from "stories" where ${where} order by ${whole} desc, "id" limit ?1`;
  return answerSearch(visit, db.prepare(list).bind(pageSizeOf(visit), ...words), storyOf);
};
