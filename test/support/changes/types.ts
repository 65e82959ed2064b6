/**
 * @module Content types that come, go, are renamed, or become single types.
 */
import { contentType, type TypeOptions } from '../schema-files.ts';
import type { Change } from './change.ts';
import type { AttributeJson } from './content.ts';
import { schedule, scheduled, wait } from './elsewhere.ts';
import { documents, found, foundLinks, links, modelChange, put } from './rows.ts';
import { STRING, toAuthor } from './values.ts';

const ARTICLE = 'api::article.article';
const AUTHOR = contentType('author', { name: STRING });
const article = (attributes: Readonly<Record<string, AttributeJson>> = {}, options: TypeOptions = {}) =>
  contentType('article', { title: STRING, ...attributes }, options);
const TWO = documents('articles', 'title', ['a', 1, 'One'], ['b', 1, 'Two']);
const to = (relation: string, target: string): AttributeJson => toAuthor(relation, target);

const contentTypes: readonly Change[] = [
  modelChange({
    title: 'another order of attributes and types',
    before: [[article({ subtitle: STRING }), AUTHOR]],
    after: [[AUTHOR, contentType('article', { subtitle: STRING, title: STRING })]],
    when: [],
  }),
  modelChange({
    title: 'a new attribute',
    before: [[article()]],
    after: [[article({ views: { type: 'integer' } })]],
    fill: [TWO],
    survives: [found('id, title, published_at, views FROM articles', [1, 'One', 1, null], [2, 'Two', 1, null])],
    what: 'alter_articles',
  }),
  modelChange({
    title: 'an attribute and a type that replace others',
    before: [[article({ old: STRING }), AUTHOR]],
    after: [[article({ fresh: STRING }), contentType('category', {})]],
    fill: [TWO],
    loses: { author: 0, 'article.old': 0 },
    survives: [found('title, fresh FROM articles', ['One', null], ['Two', null])],
  }),
  modelChange({
    title: 'a new content type',
    before: [[article()]],
    after: [[article(), AUTHOR]],
    fill: [TWO],
    survives: [found('title FROM articles', ['One'], ['Two'])],
    what: 'add_authors',
  }),
  modelChange({
    title: 'removal of a content type with links',
    before: [[article({ author: to('manyToOne', 'author') }), AUTHOR]],
    after: [[AUTHOR]],
    fill: [TWO, documents('authors', '', ['x', 1]), links('articles_author', ['a', 'x'])],
    loses: { article: 2 },
    reasons: ['content type removed, with all its documents'],
    when: ['after'],
    survives: [found('type FROM edgewise_counters', ['api::author.author'])],
    what: 'drop_articles',
  }),
  modelChange({
    title: 'removal of a content type, and of the relation to any type that leads to it',
    before: [[article({ any: { type: 'relation', relation: 'morphToMany' } }), AUTHOR]],
    after: [[article()]],
    fill: [
      TWO,
      documents('authors', '', ['x', 1]),
      put('articles_any_mph', 'source_document_id target_document_id target_type status position inverse_position', [
        'a',
        'x',
        'api::author.author',
        'published',
        1,
        1,
      ]),
    ],
    loses: { author: 1, 'article.any': 1 },
    when: ['after'],
  }),
  modelChange({
    title: 'another table of a type without a rename',
    before: [[article()]],
    after: [[article({}, { table: 'posts' })]],
    fill: [TWO],
    loses: { article: 2 },
    survives: [found('title FROM posts'), found('type FROM edgewise_counters')],
  }),
  modelChange({
    title: 'rename of a content type with links, after rows were deleted',
    before: [[article({ author: to('manyToOne', 'author') }), AUTHOR]],
    after: [[contentType('post', { title: STRING, author: to('manyToOne', 'author') }), AUTHOR]],
    renameType: ['articles=posts'],
    fill: [
      TWO,
      documents('articles', '', ['gone', 1]),
      `DELETE FROM articles WHERE document_id = 'gone'`,
      documents('authors', '', ['x', 1]),
      links('articles_author', ['a', 'x']),
    ],
    survives: [
      found('id, title FROM posts', [1, 'One'], [2, 'Two']),
      found(`seq FROM sqlite_sequence WHERE name = 'posts'`, [3]),
      foundLinks('posts_author', ['a', 'x']),
      found(`type, total FROM edgewise_counters WHERE type <> 'api::author.author'`, ['api::post.post', 2]),
    ],
    what: 'alter_posts',
  }),
  modelChange({
    title: 'rename of a content type that loses attributes',
    before: [[article({ lead: STRING, size: STRING, authors: to('oneToMany', 'author') }), AUTHOR]],
    after: [[contentType('post', { title: STRING, extent: { type: 'integer' } }), AUTHOR]],
    renameType: ['articles=posts'],
    rename: ['post.size=extent'],
    fill: [
      documents('articles', 'lead size', ['a', 1, 'x', 'twelve'], ['b', 1, null, '12']),
      documents('authors', '', ['x', 1]),
      links('articles_authors', ['a', 'x']),
    ],
    loses: { 'post.authors': 1, 'post.extent': 2, 'post.lead': 1 },
  }),
];

const LATEST = 8_640_000_000_000_000;
const TAG_UID = 'api::tag.tag';
const TAG = contentType('tag', {}, { drafts: true });
const draft = (options: TypeOptions = {}) => article({}, { drafts: true, ...options });
const relation = to('manyToMany', 'tag');
const single = (options: TypeOptions = {}) => [
  contentType('home', { title: STRING, tags: relation }, options),
  contentType('tag', { homes: to('manyToMany', 'home') }),
];
const wide = { drafts: true, localized: true };

const singleTypes: readonly Change[] = [
  modelChange({
    title: 'a collection type that becomes a single type: the first document that is published stays',
    before: [single(wide)],
    after: [single({ ...wide, single: true })],
    fill: [
      documents(
        'homes',
        'title',
        ['a/en', 0, 'draft'],
        ['b/fr', 1, 'autre'],
        ['c/en', 1, 'kept'],
        ['c/en', 0, 'kept draft'],
        ['c/fr', 1, 'gardé'],
      ),
      documents('tags', '', ['x', 1]),
      links('homes_tags', ['b/fr', 'x'], ['c/en', 'x']),
      links('tags_homes', ['x', 'b/fr'], ['x', 'c/fr']),
    ],
    loses: { home: 2 },
    reasons: ['collection type becomes single type: only the first document is kept'],
    survives: [
      found('title FROM homes', ['gardé'], ['kept'], ['kept draft']),
      foundLinks('homes_tags', ['c/en', 'x']),
      foundLinks('tags_homes', ['x', 'c/fr']),
    ],
  }),
  modelChange({
    title: 'a collection type that becomes a single type with drafts, and targets that get locales',
    before: [single()],
    after: [
      [
        ...single({ single: true, drafts: true }).slice(0, 1),
        contentType('tag', { homes: to('manyToMany', 'home') }, { localized: true }),
      ],
    ],
    fill: [
      documents('homes', 'title', ['a', 1, 'kept'], ['b', 1, 'gone']),
      documents('tags', '', ['x', 1]),
      links('homes_tags', ['a', 'x'], ['b', 'x']),
    ],
    loses: { home: 1 },
    survives: [
      found('title FROM homes', ['kept'], ['kept']),
      foundLinks('homes_tags', ['a', 'x/en', 'draft'], ['a', 'x/en']),
    ],
  }),
  modelChange({
    title: 'a collection type of one document that becomes a single type',
    before: [single()],
    after: [single({ single: true })],
    fill: [documents('homes', 'title', ['a', 1, 'kept'])],
    loses: { home: 0 },
    survives: [found('title FROM homes', ['kept'])],
  }),
  modelChange({
    title: 'a single type that becomes a collection type',
    before: [[draft({ single: true })]],
    after: [[draft()]],
    fill: [documents('articles', 'title', ['a', 0, 'kept']), schedule([ARTICLE, '', ''])],
    survives: [found('title FROM articles', ['kept']), scheduled([ARTICLE, 'a', '', 'publish'])],
  }),
  modelChange({
    title: 'a collection type with schedules and messages that becomes a single type',
    before: [[draft(), TAG]],
    after: [[draft({ single: true }), TAG]],
    fill: [
      documents('articles', '', ['a', 0], ['b', 0]),
      schedule([ARTICLE, 'a', ''], [ARTICLE, 'b', '']),
      // `gone` was deleted before: its message has the values.
      wait(
        [ARTICLE, 'a'],
        [ARTICLE, 'b'],
        [ARTICLE, 'b', '', LATEST],
        [ARTICLE, 'b', '', null],
        [ARTICLE, 'gone'],
        [TAG_UID, 'b'],
      ),
    ],
    loses: { article: 1 },
    survives: [
      scheduled([ARTICLE, '', '', 'publish']),
      found(
        'type, document_id, due_at FROM edgewise_outbox',
        [ARTICLE, 'a', 1],
        [ARTICLE, 'b', null],
        [ARTICLE, 'gone', 1],
        [TAG_UID, 'b', 1],
      ),
    ],
  }),
];

export const typeChanges: readonly Change[] = [...contentTypes, ...singleTypes];
