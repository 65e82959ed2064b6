/**
 * @module Drafts and locales that are turned on or off, with links, schedules and messages; attributes that locales share
 * from now on; attributes without a column.
 */
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { component, contentType, type TypeOptions } from '../schema-files.ts';
import type { Change } from './change.ts';
import type { AttributeJson } from './content.ts';
import { schedule, scheduled, wait, waiting } from './elsewhere.ts';
import { type Declared, documents, found, foundLinks, links, modelChange } from './rows.ts';
import { STRING, toAuthor } from './values.ts';

type Attributes = Readonly<Record<string, AttributeJson>>;

const ARTICLE = 'api::article.article';
const TAG = contentType('tag', {}, { drafts: true });
const AUTHOR = contentType('author', { name: STRING });
const INTEGER = { type: 'integer' };
const own = { pluginOptions: { i18n: { localized: true } } };
const OWN = { ...STRING, ...own };

const article = (options: TypeOptions, attributes: Attributes = { author: toAuthor('manyToOne') }): Declared => [
  [contentType('article', { title: OWN, ...attributes }, options), AUTHOR],
];
const authors = documents('authors', '', ['x', 1]);
const withTag = (options: TypeOptions): Declared => [[contentType('article', { title: STRING }, options), TAG]];
const [DRAFTS, LOCALIZED] = [{ drafts: true }, { localized: true }];
const BOTH = { ...DRAFTS, ...LOCALIZED };

const drafts: readonly Change[] = [
  modelChange({
    title: 'drafts that are turned on: each document gets the one it would have had',
    before: article({}),
    after: article(DRAFTS),
    fill: [
      `INSERT INTO articles (document_id, published_at, created_at, title) VALUES ('a', 3, 1, 'One'), ('b', 3, 2, 'Two')`,
      authors,
      links('articles_author', ['b', 'x'], ['a', 'x']),
    ],
    survives: [
      found(
        'document_id, published_at, created_at, title FROM articles',
        ['a', null, 1, 'One'],
        ['a', 3, 1, 'One'],
        ['b', null, 2, 'Two'],
        ['b', 3, 2, 'Two'],
      ),
      found(
        'source_document_id, status, inverse_position FROM articles_author_lnk',
        ['a', 'draft', 2],
        ['a', 'published', 2],
        ['b', 'draft', 1],
        ['b', 'published', 1],
      ),
    ],
  }),
  modelChange({
    title: 'drafts that are turned off, with their links',
    before: article(DRAFTS),
    after: article({}),
    fill: [
      documents('articles', 'title', ['a', 1, 'One'], ['a', 0, 'One, later'], ['c', 0, 'Never'], ['b', 1, 'Two']),
      authors,
      links('articles_author', ['a', 'x'], ['a', 'x', 'draft'], ['c', 'x', 'draft']),
    ],
    loses: { article: 2 },
    reasons: ['draft & publish turned off: drafts are deleted, with documents that were never published'],
    survives: [found('title FROM articles', ['One'], ['Two']), foundLinks('articles_author', ['a', 'x'])],
  }),
  modelChange({
    title: 'drafts that are turned off, whose locales share values from now on',
    before: article(BOTH, { shared: STRING }),
    after: article(LOCALIZED, { shared: STRING }),
    fill: [
      `INSERT INTO articles (document_id, locale, published_at, shared, title) VALUES ('a', 'fr', 1, 'before', 'un'), ('a', 'en', 2, 'after', 'one')`,
    ],
    loses: { article: 0 },
    survives: [found('locale, shared, title FROM articles', ['en', 'after', 'one'], ['fr', 'after', 'un'])],
  }),
  modelChange({
    title: 'drafts that are turned off, with schedules',
    before: withTag(DRAFTS),
    after: withTag({}),
    fill: [documents('articles', '', ['a', 0]), schedule([ARTICLE, 'a', ''], ['api::tag.tag', 'b', ''])],
    loses: { article: 1 },
    survives: [scheduled(['api::tag.tag', 'b', '', 'publish'])],
  }),
];

const locales: readonly Change[] = [
  modelChange({
    title: 'locales that are turned on, with schedules and messages',
    before: withTag(DRAFTS),
    after: withTag(BOTH),
    defaultLocale: 'fr',
    fill: [
      documents('articles', 'title', ['a', 0, 'One'], ['b', 0, 'Two']),
      schedule([ARTICLE, 'a', ''], ['api::tag.tag', 'b', '']),
      wait([ARTICLE, 'a']),
    ],
    survives: [
      found('locale, title FROM articles', ['fr', 'One'], ['fr', 'Two']),
      scheduled([ARTICLE, 'a', 'fr', 'publish'], ['api::tag.tag', 'b', '', 'publish']),
      waiting([ARTICLE, 'a', 'fr']),
    ],
  }),
  modelChange({
    title: 'locales that are turned off, with schedules and messages',
    before: withTag(BOTH),
    after: withTag(DRAFTS),
    fill: [
      documents('articles', 'title', ['a/en', 0, 'One'], ['a/fr', 0, 'Un'], ['a/en', 1, 'One']),
      schedule([ARTICLE, 'a', 'fr', 'unpublish'], [ARTICLE, 'a', 'en']),
      wait([ARTICLE, 'a', 'en']),
    ],
    loses: { article: 1 },
    survives: [
      found('locale, title FROM articles', ['', 'One'], ['', 'One']),
      scheduled([ARTICLE, 'a', '', 'publish']),
      waiting([ARTICLE, 'a', '']),
    ],
  }),
];

const ROWS = [
  ['a/en', 1, 'Draft'],
  ['a/en', 0, 'Draft'],
  ['a/fr', 1, 'Publié'],
  ['a/fr', 0, 'Draft'],
  ['b/it', 1, 'B'],
  ['b/fr', 1, 'A'],
  ['c/fr', 1, 'alone'],
] as const;
const sharing = (on: boolean): Declared => article(BOTH, { lead: on ? OWN : STRING });
const seo = { type: 'component', component: 'shared.seo', repeatable: true };
const instance = (id: number, title: string) => [{ id, title, note: null }];
const parts = [component('shared.seo', { title: STRING, note: STRING })];

const shared: readonly Change[] = [
  ...(
    [
      ['en', ['Draft', 'Draft', 'Draft', 'Draft', 'A', 'A', 'alone']],
      ['fr', ['Publié', 'Draft', 'Publié', 'Draft', 'A', 'A', 'alone']],
    ] as const
  ).map(([defaultLocale, kept]) =>
    modelChange({
      title: `attribute whose locales get the value of ${defaultLocale}, or else of the first`,
      before: sharing(true),
      after: sharing(false),
      defaultLocale,
      fill: [documents('articles', 'lead', ...ROWS)],
      loses: { 'article.lead': 2 },
      survives: [found('id, lead FROM articles', ...kept.map((lead, at) => [at + 1, lead]))],
    }),
  ),
  modelChange({
    title: 'attribute that locales share under another name and type',
    before: article(BOTH, { count: { ...INTEGER, ...own } }),
    after: article(BOTH, { size: STRING }),
    rename: ['article.count=size'],
    fill: [documents('articles', 'count', ['a/en', 1, 1], ['a/fr', 1, 2])],
    loses: { 'article.size': 1 },
    survives: [found('locale, size FROM articles', ['en', '1'], ['fr', '1'])],
  }),
  modelChange({
    title: 'list of files that locales share',
    before: article(BOTH, { cover: { type: 'media', multiple: true, ...own } }),
    after: article(BOTH, { cover: { type: 'media', multiple: true } }),
    fill: [
      documents('articles', '', ['a/en', 1], ['a/fr', 1]),
      documents(
        'files',
        'name hash ext mime size url provider',
        ...['x', 'y'].map((id) => [id, 1, 'a.png', id, '.png', 'image/png', 1, '/a.png', 'local'] as const),
      ),
      links('articles_cover', ['a/en', 'x'], ['a/fr', 'x'], ['a/fr', 'y']),
    ],
    loses: { 'article.cover': 1 },
    survives: [foundLinks('articles_cover', ['a/en', 'x'], ['a/fr', 'x'])],
  }),
  modelChange({
    title: 'list of components that locales share, where they may differ in ids alone',
    before: [article(LOCALIZED, { seo: { ...seo, ...own } })[0], parts],
    after: [article(LOCALIZED, { seo })[0], parts],
    fill: [
      documents(
        'articles',
        'seo',
        ['a/en', 1, instance(1, 'same')],
        ['a/fr', 1, instance(2, 'same')],
        ['b/en', 1, instance(3, 'one')],
        ['b/fr', 1, instance(4, 'un')],
      ),
    ],
    loses: { 'article.seo': 1 },
    survives: [
      found(
        `document_id, locale, iif(document_id = 'a' OR locale = 'en', seo, seo ->> '$[0].title') FROM articles`,
        ['a', 'en', instance(1, 'same')],
        ['a', 'fr', instance(2, 'same')],
        ['b', 'en', instance(3, 'one')],
        ['b', 'fr', 'one'],
      ),
      found(`count(*) FROM articles WHERE locale = 'fr' AND seo ->> '$[0].id' IN (3, 4)`, [0]),
    ],
  }),
];

const [MAX, LAST] = [MAX_ATTRIBUTE_COLUMNS, `a${MAX_ATTRIBUTE_COLUMNS - 1}`];
const many = (count: number): Attributes =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, STRING]));
/** Articles with as many attributes as have a column, and others. */
const wide = (attributes: Attributes, options: TypeOptions = {}): Declared => [
  [contentType('article', { ...many(MAX), ...attributes }, options)],
];
const overflowing = (...values: readonly (object | null)[]) => [
  documents('articles', 'overflow_attributes', ...values.map((value, at) => [`a${at}`, 1, value] as const)),
];
const overflow = (...values: readonly (object | null)[]) => [
  found('document_id, overflow_attributes FROM articles', ...values.map((value, at) => [`a${at}`, value])),
];
const BIG = { type: 'biginteger' };
const CARD = { type: 'component', component: 'shared.seo' };
const cards = (count: number): Attributes =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, CARD]));
const crowded = (attributes: Attributes): Declared => [
  [contentType('article', { ...many(MAX - 1), big: BIG, ...attributes })],
  parts,
];

const withoutColumn: readonly Change[] = [
  modelChange({
    title: 'rename of an attribute without a column',
    before: wide({ x: STRING, y: STRING }),
    after: wide({ y: STRING, fresh: STRING }),
    rename: ['article.x=fresh'],
    fill: overflowing({ x: 'x', y: 'y' }, { y: 'y' }),
    survives: [
      found(
        `document_id, overflow_attributes ->> '$.fresh', overflow_attributes ->> '$.y' FROM articles`,
        ['a0', 'x', 'y'],
        ['a1', null, 'y'],
      ),
    ],
  }),
  modelChange({
    title: 'removal of an attribute without a column',
    before: wide({ x: STRING, y: STRING }),
    after: wide({ y: STRING }),
    fill: overflowing({ x: 'x', y: 'y' }, { y: 'y' }, null),
    loses: { 'article.x': 1 },
    survives: overflow({ y: 'y' }, { y: 'y' }, null),
  }),
  modelChange({
    title: 'attribute without a column that becomes a component, which takes the column of another one',
    before: wide({ x: STRING, y: STRING }),
    after: [wide({ x: CARD, y: STRING })[0], parts],
    fill: [documents('articles', `a0 ${LAST} overflow_attributes`, ['a0', 1, 'kept', 'moved', { x: 'x', y: 'y' }])],
    loses: { 'article.x': 1 },
    survives: [...overflow({ y: 'y', [LAST]: 'moved' }), found('a0, x FROM articles', ['kept', null])],
  }),
  modelChange({
    title: 'other types of attributes without a column',
    before: wide({ n: INTEGER, size: INTEGER, big: BIG, text: STRING, number: STRING }),
    after: wide({ n: STRING, size: BIG, big: INTEGER, text: { type: 'json' }, number: INTEGER }),
    fill: overflowing({ n: 12, size: 12, big: '12', text: 'abc', number: '12' }),
    loses: { 'article.big': 0, 'article.number': 1 },
    survives: overflow({ n: '12', size: '12', big: 12, text: '"abc"' }),
  }),
  modelChange({
    title: 'column that moves its values where a component needs the room',
    before: crowded({}),
    after: crowded({ seo: CARD }),
    fill: [`INSERT INTO articles (document_id, published_at, a0, big) VALUES ('a0', 1, 'kept', 9007199254740991)`],
    survives: [...overflow({ big: '9007199254740991' }), found('a0, seo FROM articles', ['kept', null])],
  }),
  modelChange({
    title: 'columns that lose or move their values where components need more room than a table has',
    before: wide({}),
    after: [[contentType('article', { ...many(MAX), [LAST]: { type: 'boolean' }, ...cards(15) })], parts],
    fill: [documents('articles', `a0 a89 a80`, ['a0', 1, 'kept', 'lost', 'moved'])],
    loses: { [`article.${LAST}`]: 1 },
    survives: [...overflow({ a80: 'moved' }), found('a0, c14 FROM articles', ['kept', null])],
  }),
  modelChange({
    title: 'attribute without a column that locales share',
    before: wide({ x: OWN, y: OWN }, LOCALIZED),
    after: wide({ x: STRING, y: OWN }, LOCALIZED),
    fill: [
      documents(
        'articles',
        'overflow_attributes',
        ['a/en', 1, { x: 'One' }],
        ['a/fr', 1, { y: 'y', x: 'Un' }],
        ['a/it', 1, null],
      ),
    ],
    loses: { 'article.x': 2 },
    survives: [
      found(
        `locale, overflow_attributes ->> '$.x', overflow_attributes ->> '$.y' FROM articles`,
        ['en', 'One', null],
        ['fr', 'One', 'y'],
        ['it', 'One', null],
      ),
    ],
  }),
];

export const versionChanges: readonly Change[] = [...drafts, ...locales, ...shared, ...withoutColumn];
