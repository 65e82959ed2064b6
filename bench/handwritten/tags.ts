/**
 * @module Tags, each with the first of its articles: the link table stops after them.
 */
import { answerPage, PUBLISHED, pageSizeOf } from './reads.ts';
import { TAG, type Tag, tagOf } from './related.ts';
import type { Handler } from './visit.ts';

/** What `populate[articles][limit]` asks for. */
const FIRST = `select "article"."id", "article"."document_id", "article"."title", "article"."slug", "link"."inverse_position" as "place" from "articles_tags_lnk" as "link" join "articles" as "article" on "article"."document_id" = "link"."source_document_id" and "article"."published_at" is not null where "link"."target_document_id" = "page"."document_id" and "link"."target_locale" = '' and "link"."status" = 'published' order by "link"."inverse_position" limit ?`;
const ARTICLES = `(select json_group_array(json_array("id", "document_id", "title", "slug") order by "place") from (${FIRST}))`;
const LIST = `select json_array(${TAG}) as "tag", ${ARTICLES} as "articles" from (select * from "tags" where ${PUBLISHED} order by "id" limit ?) as "page" order by "id"`;
const COUNTER = `select "total" from "edgewise_counters" where "type" = 'api::tag.tag' and "locale" = '' and "status" = 'published'`;

type Brief = readonly [id: number, documentId: string, title: string | null, slug: string | null];

function withArticles({ tag, articles }: { readonly tag: string; readonly articles: string }) {
  const list = JSON.parse(articles) as Brief[];
  return {
    ...tagOf(JSON.parse(tag) as Tag),
    articles: list.map(([id, documentId, title, slug]) => ({ id, documentId, title, slug })),
  };
}

export const listTags: Handler = (visit) => {
  const limit = Number(visit.url.searchParams.get('populate[articles][limit]'));
  return answerPage(
    visit,
    visit.db.prepare(LIST).bind(limit, pageSizeOf(visit)),
    visit.db.prepare(COUNTER),
    withArticles,
  );
};
