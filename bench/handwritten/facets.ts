/**
 * @module Articles above a rating, with the numbers of their formats and authors.
 */
import { articleOf, COLUMNS } from './article.ts';
import { PUBLISHED, pageSizeOf } from './reads.ts';
import { type Handler, json, mayPass, refuse, tokenStatement } from './visit.ts';

const WHERE = `${PUBLISHED} and "rating" >= cast(?1 as real)`;
const LIST = `select ${COLUMNS} from "articles" where ${WHERE} order by "id" limit ?2`;
const COUNT = `select count(*) as "total" from "articles" where ${WHERE}`;
const TOP = 'order by "count" desc, 1 limit 10';
const FORMATS = `select "format" as "value", count(*) as "count" from "articles" where ${WHERE} and "format" is not null group by 1 ${TOP}`;
const AUTHORS = `select "author"."document_id" as "documentId", count(*) as "count" from "articles" as "article" join "articles_author_lnk" as "link" on "link"."source_document_id" = "article"."document_id" and "link"."source_locale" = '' and "link"."status" = 'published' join "authors" as "author" on "author"."document_id" = "link"."target_document_id" and "author"."published_at" is not null where "article"."published_at" is not null and "article"."locale" = '' and "article"."rating" >= cast(?1 as real) group by 1 ${TOP}`;

export const listWithFacets: Handler = async (visit) => {
  const { db, url } = visit;
  const rating = url.searchParams.get('filters[rating][$gte]') ?? '';
  const pageSize = pageSizeOf(visit);
  const counted = [COUNT, FORMATS, AUTHORS].map((sql) => db.prepare(sql).bind(rating));
  const [token, rows, count, formats, authors] = await db.batch([
    tokenStatement(visit),
    db.prepare(LIST).bind(rating, pageSize),
    ...counted,
  ]);
  if (!mayPass(visit, token)) return refuse(401, 'Missing or invalid credentials');
  const [{ total } = { total: 0 }] = (count?.results ?? []) as { total: number }[];
  const pagination = { page: 1, pageSize, pageCount: Math.ceil(total / pageSize), total };
  const data = ((rows?.results ?? []) as Parameters<typeof articleOf>[0][]).map(articleOf);
  return json({ data, meta: { pagination, facets: { format: formats?.results, author: authors?.results } } });
};
