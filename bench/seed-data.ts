/**
 * @module The documents and links of the bench content types, as SQL expressions of their numbers.
 */

/** 2026-01-01, the time from which every stamp is counted. */
export const EPOCH = 1_767_225_600_000;

/** So many dossiers have `MANY_LINKS` tags; the others have three. */
export const LINKED_DOSSIERS = 40;
const MANY_LINKS = 200;

/** Tags that most documents share: the more documents, the more links to each. */
const POPULAR_TAGS = 49;

/** A search index over more takes longer to fill than all the rest. */
const MOST_STORIES = 100_000;

const documentId = (letter: string, number: number): string => letter + String(number).padStart(23, '0');
export const articleDocumentId = (number: number): string => documentId('a', number);
export const authorDocumentId = (number: number): string => documentId('u', number);
export const dossierDocumentId = (number: number): string => documentId('d', number);
export const fileDocumentId = (number: number): string => documentId('f', number);
export const tagDocumentId = (number: number): string => documentId('t', number);

/** The same in SQL, for a number that is an expression. */
export const documentIdSql = (letter: string, number: string): string => `printf('${letter}%023d', ${number})`;

export interface Seed {
  readonly table: string;
  /** First letter of the documentIds. */
  readonly letter: string;
  readonly draftAndPublish: boolean;
  /** How many there are when there are `size` articles. */
  count(size: number): number;
  /** Column → SQL expression of `i`, the number of the document. */
  readonly columns: Readonly<Record<string, string>>;
}

const pick = (words: readonly string[], step = 1): string =>
  `json_extract('${JSON.stringify(words)}', '$[' || ((i / ${step}) % ${words.length}) || ']')`;

const ADJECTIVES = ['quiet', 'late', 'northern', 'patient', 'burning', 'borrowed', 'second'];
const NOUNS = ['harbour', 'archive', 'orchard', 'signal', 'ledger', 'kitchen', 'border', 'winter', 'engine', 'letter'];
const SENTENCE = 'The tide does not wait for the clerk. ';

/** What the media attribute of a component holds. */
const named = (letter: string, number: string): string =>
  `json_array(json_object('documentId', ${documentIdSql(letter, number)}, 'locale', ''))`;

const SECTIONS = `json_array(
  json_object('id', i * 3, 'body', '${SENTENCE}', '__component', 'shared.prose'),
  json_object('id', i * 3 + 1, 'text', 'We were early, for once.', 'source', 'Pilot ' || i, '__component', 'shared.quote'),
  json_object('id', i * 3 + 2, 'caption', 'Picture ' || i, 'image', ${named('f', 'i % 20 + 1')}, '__component', 'shared.picture'))`;

const TEXTS = {
  title: `'The ' || ${pick(ADJECTIVES)} || ' ' || ${pick(NOUNS, 7)} || ' ' || i`,
  slug: `'article-' || i`,
  summary: `'What is known of the ' || ${pick(NOUNS, 7)} || ', and what is only said of it; told in ' || (i % 9 + 2) || ' parts.'`,
  body: `replace(printf('%.' || (8 + i % 12) || 'c', 'x'), 'x', '${SENTENCE}')`,
};

export const SEEDS: readonly Seed[] = [
  {
    table: 'files',
    letter: 'f',
    draftAndPublish: false,
    count: (size) => Math.max(20, Math.floor(size / 10)),
    columns: {
      name: `'picture-' || i || '.jpg'`,
      alternative_text: `'Picture ' || i`,
      width: '1600',
      height: '900',
      formats: `json_object('thumbnail', json_object('ext', '.jpg', 'url', '/uploads/thumbnail_' || i || '.jpg', 'width', 245, 'height', 138, 'size', 9.5))`,
      hash: `'picture_' || i`,
      ext: `'.jpg'`,
      mime: `'image/jpeg'`,
      size: '180.25',
      url: `'/uploads/picture_' || i || '.jpg'`,
      provider: `'r2'`,
    },
  },
  {
    table: 'categories',
    letter: 'c',
    draftAndPublish: false,
    count: () => 20,
    columns: { name: `'Category ' || i`, slug: `'category-' || i`, description: `'All about ' || ${pick(NOUNS)}` },
  },
  {
    table: 'tags',
    letter: 't',
    draftAndPublish: false,
    count: () => 250,
    columns: { name: `'Tag ' || i`, slug: `'tag-' || i` },
  },
  {
    table: 'authors',
    letter: 'u',
    draftAndPublish: true,
    count: (size) => Math.max(20, Math.floor(size / 50)),
    columns: {
      name: `'Author ' || i`,
      email: `'author' || i || '@example.com'`,
      bio: `'Writes about ' || ${pick(NOUNS)} || 's.'`,
    },
  },
  {
    table: 'articles',
    letter: 'a',
    draftAndPublish: true,
    count: (size) => size,
    columns: {
      ...TEXTS,
      format: pick(['essay', 'interview', 'report', 'review']),
      publish_date: `date('2020-01-01', '+' || (i * 37 % 2000) || ' days')`,
      air_time: `printf('%02d:%02d:00.000', i % 24, i % 60)`,
      reviewed_at: `${EPOCH} - i * 60000`,
      reading_minutes: 'i % 20 + 1',
      views: '9007199254740993 + i',
      rating: '(i * 7919 % 51) / 10.0',
      score: '(i * 104729 % 1000) / 1000.0',
      featured: 'i % 5 = 0',
      keywords: `json_object('topics', json_array(${pick(NOUNS)}, ${pick(ADJECTIVES)}))`,
      contact: `'desk' || (i % 30) || '@example.com'`,
      seo: `json_object('id', i, 'metaTitle', 'Article ' || i, 'metaDescription', 'Read article ' || i, 'shareImage', ${named('f', 'i % 20 + 1')})`,
    },
  },
  {
    table: 'stories',
    letter: 's',
    draftAndPublish: true,
    count: (size) => Math.min(size, MOST_STORIES),
    columns: TEXTS,
  },
  {
    table: 'publishers',
    letter: 'p',
    draftAndPublish: false,
    count: () => 12,
    columns: { name: `'Publisher ' || i`, country: pick(['Chile', 'Ghana', 'Iceland', 'Vietnam']) },
  },
  {
    table: 'dossiers',
    letter: 'd',
    draftAndPublish: true,
    count: (size) => Math.max(LINKED_DOSSIERS, Math.floor(size / 10)),
    columns: {
      title: `'Dossier ' || i`,
      slug: `'dossier-' || i`,
      intro: `'All that was written of the ' || ${pick(NOUNS)} || '.'`,
      sections: SECTIONS,
    },
  },
];

export interface Link {
  readonly table: string;
  readonly attribute: string;
  /** First letter of the documentIds of the targets. */
  readonly letter: string;
  /** How many targets the document `number` has, and the most that any has. */
  readonly places: string;
  readonly most: number;
  /** Of a polymorphic relation: the type of the targets, and the place before the first. */
  readonly typed?: { readonly uid: string; readonly before: number };
  /** Number of the target at `place`, from 1; the same target twice is one link. */
  target(size: number): string;
}

const countOf = (table: string, size: number): number => SEEDS.find((seed) => seed.table === table)?.count(size) ?? 1;

/** One target for each document, of all those that the table has. */
const one = (table: string, attribute: string, letter: string, targets: string, factor: number): Link => ({
  table,
  attribute,
  letter,
  places: '1',
  most: 1,
  target: (size) => `number * ${factor} % ${countOf(targets, size)} + 1`,
});

const popularTag = `number * (6 * place - 3) % ${POPULAR_TAGS} + 1`;
const tags = { attribute: 'tags', letter: 't', places: '3', most: 3, target: () => popularTag };

export const LINKS: readonly Link[] = [
  one('articles', 'author', 'u', 'authors', 13),
  one('articles', 'category', 'c', 'categories', 7),
  { ...tags, table: 'articles' },
  one('articles', 'cover', 'f', 'files', 1),
  one('authors', 'avatar', 'f', 'files', 3),
  one('authors', 'publisher', 'p', 'publishers', 5),
  { ...tags, table: 'authors', attribute: 'beats' },
  one('tags', 'category', 'c', 'categories', 3),
  one('publishers', 'logo', 'f', 'files', 7),
  one('dossiers', 'editor', 'u', 'authors', 13),
  { ...one('stories', 'about', 'u', 'authors', 13), typed: { uid: 'api::author.author', before: 0 } },
  { ...tags, table: 'stories', attribute: 'about', typed: { uid: 'api::tag.tag', before: 1 } },
  { ...one('stories', 'about', 'p', 'publishers', 5), typed: { uid: 'api::publisher.publisher', before: 4 } },
  {
    ...tags,
    table: 'dossiers',
    places: `iif(number <= ${LINKED_DOSSIERS}, ${MANY_LINKS}, 3)`,
    most: MANY_LINKS,
    target: (size) =>
      `iif(number <= ${LINKED_DOSSIERS}, (number * 7 + place) % ${countOf('tags', size)} + 1, ${popularTag})`,
  },
];
