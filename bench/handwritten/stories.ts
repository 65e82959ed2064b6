/**
 * @module Stories, and what they are about: authors, tags and publishers in one list, in the order of their links.
 */
import { type ArticleRow, iso } from './article.ts';
import { answerPage, PUBLISHED, pageSizeOf } from './reads.ts';
import {
  AUTHOR,
  type Author,
  authorOf,
  PUBLISHER,
  type Publisher,
  publisherOf,
  TAG,
  type Tag,
  tagOf,
} from './related.ts';
import type { Handler } from './visit.ts';

type StoryRow = Pick<
  ArticleRow,
  'id' | 'document_id' | 'title' | 'slug' | 'summary' | 'body' | 'created_at' | 'updated_at' | 'published_at'
>;

export const STORY_COLUMNS =
  '"id", "document_id", "title", "slug", "summary", "body", "created_at", "updated_at", "published_at"';

export const storyOf = (row: StoryRow) => ({
  id: row.id,
  documentId: row.document_id,
  title: row.title,
  slug: row.slug,
  summary: row.summary,
  body: row.body,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  publishedAt: iso(row.published_at),
});

/** Published rows of a type that a story is about, each after its place. */
const about = (uid: string, table: string, columns: string): string =>
  `(select json_group_array(json_array("link"."position", ${columns})) from "stories_about_mph" as "link" join "${table}" on "${table}"."document_id" = "link"."target_document_id" and "${table}"."published_at" is not null where "link"."source_document_id" = "page"."document_id" and "link"."source_locale" = '' and "link"."status" = 'published' and "link"."target_type" = '${uid}')`;

const ABOUT = `json_array(${about('api::author.author', 'authors', AUTHOR)}, ${about('api::tag.tag', 'tags', TAG)}, ${about('api::publisher.publisher', 'publishers', PUBLISHER)})`;
const LIST = `select ${STORY_COLUMNS}, ${ABOUT} as "about" from (select * from "stories" where ${PUBLISHED} order by "id" limit ?) as "page" order by "id"`;
const COUNTER = `select "total" from "edgewise_counters" where "type" = 'api::story.story' and "locale" = '' and "status" = 'published'`;

type Placed<T extends readonly unknown[]> = readonly [place: number, ...T];
type About = readonly [Placed<Author>[], Placed<Tag>[], Placed<Publisher>[]];

function withAbout(row: StoryRow & { readonly about: string }) {
  const [authors, tags, publishers] = JSON.parse(row.about) as About;
  const all = [
    ...authors.map(([place, ...author]) => ({ place, target: { ...authorOf(author), __type: 'api::author.author' } })),
    ...tags.map(([place, ...tag]) => ({ place, target: { ...tagOf(tag), __type: 'api::tag.tag' } })),
    ...publishers.map(([place, ...publisher]) => ({
      place,
      target: { ...publisherOf(publisher), __type: 'api::publisher.publisher' },
    })),
  ];
  return { ...storyOf(row), about: all.sort((a, b) => a.place - b.place).map(({ target }) => target) };
}

export const listStories: Handler = (visit) =>
  answerPage(visit, visit.db.prepare(LIST).bind(pageSizeOf(visit)), visit.db.prepare(COUNTER), withAbout);
