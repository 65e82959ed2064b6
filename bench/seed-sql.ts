/**
 * @module Documents in any number, made inside SQLite by arithmetic on their number: the same on every machine.
 */
import { linkTable } from '../src/registry/names.ts';

/** 2026-01-01, the time from which every stamp is counted. */
const EPOCH = 1_767_225_600_000;

/** Every tenth article is a draft that was never published. */
const UNPUBLISHED_EVERY = 10;

const documentId = (letter: string, number: number): string => letter + String(number).padStart(23, '0');
export const articleDocumentId = (number: number): string => documentId('a', number);

/** The same in SQL, for a number that is an expression. */
const documentIdSql = (letter: string, number: string): string => `printf('${letter}%023d', ${number})`;

interface Seed {
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

const SEEDS: readonly Seed[] = [
  {
    table: 'files',
    letter: 'f',
    draftAndPublish: false,
    count: (size) => Math.max(20, size / 10),
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
    count: () => 50,
    columns: { name: `'Tag ' || i`, slug: `'tag-' || i` },
  },
  {
    table: 'authors',
    letter: 'u',
    draftAndPublish: true,
    count: (size) => Math.max(20, size / 50),
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
      title: `'The ' || ${pick(ADJECTIVES)} || ' ' || ${pick(NOUNS, 7)} || ' ' || i`,
      slug: `'article-' || i`,
      summary: `'What is known of the ' || ${pick(NOUNS, 7)} || ', and what is only said of it; told in ' || (i % 9 + 2) || ' parts.'`,
      body: `replace(printf('%.' || (8 + i % 12) || 'c', 'x'), 'x', '${SENTENCE}')`,
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
      seo: `json_object('id', i, 'metaTitle', 'Article ' || i, 'metaDescription', 'Read article ' || i, 'shareImage', json_array(json_object('documentId', ${documentIdSql('f', 'i % 20 + 1')})))`,
    },
  },
];

interface Link {
  readonly table: string;
  readonly attribute: string;
  /** documentIds of the targets of article `number`, as SQL rows of `(position, target)`. */
  targets(size: number): readonly string[];
}

const countOf = (table: string, size: number): number => SEEDS.find((seed) => seed.table === table)?.count(size) ?? 1;
const spread = (letter: string, factor: number, count: number): string =>
  documentIdSql(letter, `number * ${factor} % ${count} + 1`);

const LINKS: readonly Link[] = [
  { table: 'articles', attribute: 'author', targets: (size) => [spread('u', 13, countOf('authors', size))] },
  { table: 'articles', attribute: 'category', targets: () => [spread('c', 7, 20)] },
  { table: 'articles', attribute: 'tags', targets: () => [3, 11, 17].map((factor) => spread('t', factor, 49)) },
  { table: 'articles', attribute: 'cover', targets: (size) => [spread('f', 1, countOf('files', size))] },
  { table: 'authors', attribute: 'avatar', targets: (size) => [spread('f', 3, countOf('files', size))] },
];

/** Numbers `first` to `last` as rows of one column `i`. */
const numbers = (first: number, last: number): string =>
  `with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${last})`;

function insertDocuments(seed: Seed, first: number, last: number): string {
  const { table, letter, draftAndPublish, columns } = seed;
  const stamp = `${EPOCH} + i * 1000`;
  const versions = draftAndPublish ? `(select 0 as live union all select 1)` : `(select 1 as live)`;
  const published = draftAndPublish ? `live = 0 or i % ${UNPUBLISHED_EVERY} <> 0` : '1';
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return `insert into "${table}" ("document_id", "locale", "created_at", "updated_at", "published_at", ${names.join(', ')})
    ${numbers(first, last)} select ${documentIdSql(letter, 'i')}, '', ${stamp}, ${stamp}, iif(live = 1, ${stamp} + 500, null), ${Object.values(columns).join(', ')}
    from n, ${versions} where ${published} order by i, live`;
}

/** Links of every version of the documents whose row ids lie behind `after`. */
function insertLinks({ table, attribute, targets }: Link, size: number): readonly string[] {
  return targets(size).map(
    (
      target,
      index,
    ) => `insert or ignore into "${linkTable(table, attribute)}" ("source_id", "target_document_id", "position", "inverse_position")
    select "id", ${target}, ${index + 1}, number from (select "id", cast(substr("document_id", 2) as integer) as number from "${table}")`,
  );
}

/** One step of the seed: statements that belong together, and what to say meanwhile. */
export interface SeedStep {
  readonly progress: string;
  readonly statements: readonly string[];
}

const CHUNK = 10_000;

function documentSteps(seed: Seed, size: number): readonly SeedStep[] {
  const count = seed.count(size);
  return Array.from({ length: Math.ceil(count / CHUNK) }, (_, index) => {
    const last = Math.min(count, (index + 1) * CHUNK);
    return { progress: `${seed.table} ${last}/${count}`, statements: [insertDocuments(seed, index * CHUNK + 1, last)] };
  });
}

/** Everything that `size` articles need, without the counters and the token. */
export function seedSteps(size: number): readonly SeedStep[] {
  const links = LINKS.map((link) => ({ progress: `links of ${link.attribute}`, statements: insertLinks(link, size) }));
  return [...SEEDS.flatMap((seed) => documentSteps(seed, size)), ...links];
}
