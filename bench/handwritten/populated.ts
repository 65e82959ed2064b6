/**
 * @module Articles with what they lead to: one more column, a JSON list made by the same statement, and that list → JSON.
 */
import { type ArticleRow, articleOf, COLUMNS } from './article.ts';
import {
  AUTHOR,
  type Author,
  authorOf,
  CATEGORY,
  type Category,
  categoryOf,
  PICTURE,
  type Picture,
  PUBLISHER,
  type Publisher,
  pictureIn,
  pictureOf,
  publisherOf,
  related,
  TAG,
  type Tag,
  tagOf,
} from './related.ts';

export type PopulatedRow = ArticleRow & { readonly populated: string };

const ARTICLE_AUTHOR = (columns: string) => related('articles_author_lnk', 'page', 'authors', 'author', columns);
const TAGS = related('articles_tags_lnk', 'page', 'tags', 'tag', TAG);
const COVER = related('articles_cover_lnk', 'page', 'files', 'cover', PICTURE);

/** Columns of a page, in a query whose page is called `page`: author, tags, cover, and seo with its picture. */
export const POPULATED_COLUMNS = `${COLUMNS}, json_array(${ARTICLE_AUTHOR(AUTHOR)}, ${TAGS}, ${COVER}, "seo", ${pictureIn('"page"."seo"', 'shareImage')}) as "populated"`;

interface Seo {
  readonly id: number;
  readonly metaTitle?: string;
  readonly metaDescription?: string;
}

const seoOf = ({ id, metaTitle, metaDescription }: Seo, shareImage: Picture | null) => ({
  id,
  metaTitle: metaTitle ?? null,
  metaDescription: metaDescription ?? null,
  shareImage: shareImage && pictureOf(shareImage),
});

type Populated = readonly [Author[], Tag[], Picture[], string | null, Picture | null];

export function populatedOf(row: PopulatedRow) {
  const [[author], tags, [cover], seo, shareImage] = JSON.parse(row.populated) as Populated;
  return {
    ...articleOf(row),
    author: author ? authorOf(author) : null,
    tags: tags.map(tagOf),
    cover: cover ? pictureOf(cover) : null,
    seo: seo === null ? null : seoOf(JSON.parse(seo), shareImage),
  };
}

const LOGO = related('publishers_logo_lnk', 'publisher', 'files', 'logo', PICTURE);
const AUTHOR_PUBLISHER = related(
  'authors_publisher_lnk',
  'author',
  'publishers',
  'publisher',
  `json_array(${PUBLISHER}), ${LOGO}`,
);
const TAG_CATEGORY = related('tags_category_lnk', 'beat', 'categories', 'category', CATEGORY);
const BEATS = related('authors_beats_lnk', 'author', 'tags', 'beat', `json_array(${TAG}), ${TAG_CATEGORY}`);

/** Author, the author's publisher with its logo, and the author's beats with their categories. */
export const DEEP_COLUMNS = `${COLUMNS}, ${ARTICLE_AUTHOR(`json_array(${AUTHOR}), ${AUTHOR_PUBLISHER}, ${BEATS}`)} as "populated"`;

type DeepPublisher = readonly [Publisher, Picture[]];
type DeepBeat = readonly [Tag, Category[]];
type DeepAuthor = readonly [Author, DeepPublisher[], DeepBeat[]];

const deepPublisherOf = ([publisher, [logo]]: DeepPublisher) => ({
  ...publisherOf(publisher),
  logo: logo ? pictureOf(logo) : null,
});

const deepBeatOf = ([tag, [category]]: DeepBeat) => ({
  ...tagOf(tag),
  category: category ? categoryOf(category) : null,
});

const deepAuthorOf = ([author, [publisher], beats]: DeepAuthor) => ({
  ...authorOf(author),
  publisher: publisher ? deepPublisherOf(publisher) : null,
  beats: beats.map(deepBeatOf),
});

export function deepOf(row: PopulatedRow) {
  const [author] = JSON.parse(row.populated) as DeepAuthor[];
  return { ...articleOf(row), author: author ? deepAuthorOf(author) : null };
}
