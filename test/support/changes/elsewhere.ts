/**
 * @module Other uids and names of attributes, with what is stored about documents outside of their tables: links, schedules,
 * permissions of tokens, and messages that wait.
 */
import { contentType, type TypeOptions } from '../schema-files.ts';
import type { Change } from './change.ts';
import type { Stored } from './content.ts';
import { documents, found, foundLinks, links, modelChange, put } from './rows.ts';
import { STRING, toAuthor } from './values.ts';

const ARTICLE = 'api::article.article';

/** What is stored about the article `a`, and about a tag, outside of their tables. */
export const schedule = (
  ...rows: readonly (readonly [type: string, documentId: string, locale: string, action?: string])[]
) =>
  put(
    'edgewise_scheduled',
    'id type document_id locale action at created_at',
    ...rows.map(([type, id, locale, action = 'publish'], at) => [`s${at}`, type, id, locale, action, 1, 1]),
  );
export const scheduled = (...rows: readonly (readonly Stored[])[]) =>
  found('type, document_id, locale, action FROM edgewise_scheduled', ...rows);
export const wait = (
  ...rows: readonly (readonly [type: string, documentId: string, locale?: string, due?: number | null])[]
) =>
  put(
    'edgewise_outbox',
    'id endpoint event type document_id locale created_at due_at attempts',
    ...rows.map(([type, id, locale = '', due = 1], at) => [`m${at}`, 'e', 'entry.update', type, id, locale, 1, due, 0]),
  );
export const waiting = (...rows: readonly (readonly Stored[])[]) =>
  found('type, document_id, locale FROM edgewise_outbox', ...rows);
const permit = (...permissions: readonly unknown[]) =>
  put('strapi_api_tokens', 'document_id published_at name type permissions', ['t', 1, 't', 'custom', permissions]);
const permitted = (...permissions: readonly unknown[]) => found('permissions FROM strapi_api_tokens', [permissions]);

const TAG = contentType('tag', {}, { drafts: true });
const TAG_UID = 'api::tag.tag';
const POST = 'api::post.post';
const draft = (options: TypeOptions = {}) => contentType('article', { title: STRING }, { drafts: true, ...options });
const post = contentType('post', { title: STRING }, { drafts: true, table: 'articles' });
const OTHER = { action: ['api::other.other.find', `${ARTICLE}s.find`], where: { title: ARTICLE } };
const grants = (uid: string) => [
  `${uid}.find`,
  'api::*.find',
  { action: `${uid}.update`, where: { title: 'a' } },
  { action: [`${uid}.create`, `${TAG_UID}.create`], status: 'draft' },
  OTHER,
];

const ABOUT_BOTH = [
  schedule([ARTICLE, 'a', ''], [TAG_UID, 'b', '']),
  wait([ARTICLE, 'a'], [TAG_UID, 'b']),
  permit(...grants(ARTICLE), { action: [`${ARTICLE}.create`], status: 'draft' }),
];

const home = (target: string) => contentType('home', { top: toAuthor('oneToMany', target) });
const exchanged = (articles: string, posts: string) => [
  contentType('article', {}, { table: articles }),
  contentType('post', {}, { table: posts }),
];
const renamedIn = (name: string) => [
  { action: `${ARTICLE}.find`, where: { $or: [{ [name]: 'title' }, { $not: { [name]: { $in: ['title'] } } }] } },
  { action: [`${ARTICLE}.create`], set: { [name]: 'a' }, fields: ['id', name], validate: { [name]: 'a' } },
];
const NOT_RENAMED = [
  `${ARTICLE}.find`,
  { action: `${TAG_UID}.find`, where: { title: 'a' } },
  { action: `${ARTICLE}.find`, where: { author: { title: 'a' } } },
];
const titled = (name: string) => [
  contentType('article', { [name]: STRING, author: toAuthor('manyToOne', 'tag') }),
  contentType('tag', { title: STRING }),
];

export const uidChanges: readonly Change[] = [
  modelChange({
    title: 'another uid of a type that keeps its table',
    before: [[draft(), TAG, home('article')]],
    after: [[post, TAG, home('post')]],
    fill: [
      documents('articles', 'title', ['a', 0, 'One'], ['a', 1, 'One']),
      documents('homes', '', ['h', 1]),
      links('homes_top', ['h', 'a'], ['h', 'a', 'draft']),
      ...ABOUT_BOTH,
    ],
    survives: [
      found('title FROM articles', ['One'], ['One']),
      foundLinks('homes_top', ['h', 'a', 'draft'], ['h', 'a']),
      found(`total FROM edgewise_counters WHERE type = '${ARTICLE}'`),
      scheduled([POST, 'a', '', 'publish'], [TAG_UID, 'b', '', 'publish']),
      waiting([POST, 'a', ''], [TAG_UID, 'b', '']),
      permitted(...grants(POST), { action: [`${POST}.create`], status: 'draft' }),
    ],
  }),
  modelChange({
    title: 'removal of a type that schedules, messages and permissions name',
    before: [[draft(), TAG]],
    after: [[TAG]],
    fill: ABOUT_BOTH,
    loses: { article: 0 },
    survives: [
      scheduled([TAG_UID, 'b', '', 'publish']),
      waiting([TAG_UID, 'b', '']),
      permitted('api::*.find', { action: [`${TAG_UID}.create`], status: 'draft' }, OTHER),
    ],
  }),
  modelChange({
    title: 'removal of a type whose uid another one gets',
    before: [[draft(), TAG]],
    after: [[draft({ table: 'others' }), TAG]],
    fill: ABOUT_BOTH,
    loses: { article: 0 },
    survives: [scheduled([TAG_UID, 'b', '', 'publish']), waiting([TAG_UID, 'b', ''])],
  }),
  modelChange({
    title: 'two types that exchange their uids',
    before: [exchanged('xs', 'ys')],
    after: [exchanged('ys', 'xs')],
    fill: [permit(`${ARTICLE}.find`, `${POST}.create`)],
    survives: [permitted(`${POST}.find`, `${ARTICLE}.create`)],
  }),
  modelChange({
    title: 'rename of an attribute that permissions name',
    before: [titled('title')],
    after: [titled('headline')],
    rename: ['article.title=headline'],
    // The statements of the previous version fail, since the column is gone.
    moves: false,
    fill: [documents('articles', 'title', ['a', 1, 'One']), permit(...renamedIn('title'), ...NOT_RENAMED)],
    survives: [permitted(...renamedIn('headline'), ...NOT_RENAMED)],
  }),
];
