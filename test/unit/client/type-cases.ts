/**
 * @module What the types of the client say, as source for the compilers: a content model with each kind of attribute,
 * results by their queries, and calls that do not compile.
 */
import { describeTypes } from '../../../cli/project/client-types.ts';
import type { Registry } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const scalar = (type: string, more: object = {}) => ({ type, ...more });

const RECIPE = contentType(
  'recipe',
  {
    title: scalar('string', { required: true }),
    intro: scalar('text'),
    story: scalar('richtext'),
    contact: scalar('email'),
    slug: scalar('uid', { targetField: 'title' }),
    level: scalar('enumeration', { enum: ['easy', 'hard'] }),
    portions: scalar('integer'),
    views: scalar('biginteger'),
    price: scalar('decimal'),
    weight: scalar('float'),
    vegan: scalar('boolean'),
    day: scalar('date'),
    opens: scalar('time'),
    starts: scalar('datetime'),
    facts: scalar('json'),
    body: scalar('blocks'),
    code: scalar('password'),
    notes: scalar('text', { private: true }),
    cook: relation('manyToOne', 'cook', { inversedBy: 'recipes' }),
    guests: relation('manyToMany', 'cook'),
    about: { type: 'relation', relation: 'morphToMany' },
    source: { type: 'relation', relation: 'morphToOne' },
    cover: scalar('media'),
    gallery: scalar('media', { multiple: true }),
    seo: scalar('component', { component: 'shared.seo' }),
    links: scalar('component', { component: 'shared.link', repeatable: true }),
    sections: scalar('dynamiczone', { components: ['shared.link', 'shared.seo'] }),
  },
  { drafts: true, localized: true },
);
const COOK = contentType('cook', {
  name: scalar('string', { required: true }),
  recipes: relation('oneToMany', 'recipe', { mappedBy: 'cook' }),
  pages: { type: 'relation', relation: 'morphMany', target: 'api::recipe.recipe', morphBy: 'about' },
});
const KITCHEN = contentType('kitchen', { name: scalar('string', { required: true }) }, { single: true, drafts: true });
const BLOG = contentType('blog-post', { name: scalar('string') });
const THEN = contentType('then', { name: scalar('string') }, { single: true });
const COMPONENTS = [
  component('shared.link', { label: scalar('string', { required: true }), icon: scalar('media') }),
  component('shared.seo', {
    metaTitle: scalar('string', { required: true }),
    alternates: scalar('component', { component: 'shared.link', repeatable: true }),
    cook: relation('oneToOne', 'cook'),
  }),
];
export const SETTINGS = parseSettings({
  populates: {
    'api::recipe.recipe': { card: { fields: ['title'], populate: { cook: { fields: ['name'] }, cover: true } } },
    'api::cook.cook': { brief: { fields: ['name'] } },
  },
});

export const casesRegistry = (): Registry => registryOf([RECIPE, COOK, KITCHEN, BLOG, THEN], COMPONENTS);

/** The generated types of the model. */
export const typesOfCases = (): string => describeTypes(casesRegistry(), SETTINGS);

/** Queries of `recipes.findOne`, and the type of `data`. */
const RESULTS: readonly (readonly [query: string, type: string])[] = [
  ['{}', 'Scalars'],
  ["{ fields: ['title', 'views'] }", "Pick<C.Recipe, Id | 'title' | 'views'>"],
  ["{ fields: 'title' }", "Pick<C.Recipe, Id | 'title'>"],
  ["{ fields: '*' }", 'Scalars'],
  ["{ fields: ['*', 'title'] }", 'Scalars'],
  ['{ fields: [] }', 'Pick<C.Recipe, Id>'],
  ['{ fields: names }', "Pick<C.Recipe, Id> & Partial<Pick<C.Recipe, 'title' | 'intro'>>"],
  ["{ status: 'draft', fields: ['title'] }", "Pick<C.Recipe<'draft'>, Id | 'title'>"],
  ["{ status: undefined, fields: ['title'] }", "Pick<C.Recipe, Id | 'title'>"],
  [
    "{ status: isDraft ? 'draft' : undefined, fields: ['publishedAt'] }",
    'Pick<C.Recipe, Id> & { publishedAt: string | null }',
  ],
  ["{ populate: 'cook' }", 'Scalars & { cook: Cook | null }'],
  ["{ populate: ['cook', 'gallery'] }", 'Scalars & { cook: Cook | null; gallery: File[] }'],
  ["{ populate: ['cook.recipes'] }", 'Scalars & { cook: (Cook & { recipes?: unknown; pages?: unknown }) | null }'],
  [
    "{ populate: ['cook', 'cook.recipes'] }",
    'Scalars & { cook: (Cook & { recipes?: unknown; pages?: unknown }) | null }',
  ],
  ["{ populate: 'seo.cook' }", 'Scalars & { seo: (Seo & { alternates?: unknown; cook?: unknown }) | null }'],
  ['{ populate: { cook: true, cover: true } }', 'Scalars & { cook: Cook | null; cover: File | null }'],
  ['{ populate: { cook: false } }', 'Scalars'],
  ['{ populate: undefined }', 'Scalars'],
  ['{ fields: [], populate: { cook: isDraft } }', 'Pick<C.Recipe, Id> & { cook: Cook | null | undefined }'],
  [
    "{ fields: [], populate: { cook: { fields: ['name'] } } }",
    "Pick<C.Recipe, Id> & { cook: Pick<C.Cook, Id | 'name'> | null }",
  ],
  [
    "{ fields: [], populate: { cook: { fields: [], populate: { recipes: { fields: ['title'] } } } } }",
    "Pick<C.Recipe, Id> & { cook: (Pick<C.Cook, Id> & { recipes: Pick<C.Recipe, Id | 'title'>[] }) | null }",
  ],
  [
    "{ fields: [], populate: { cook: { populate: '*' } } }",
    'Pick<C.Recipe, Id> & { cook: (Cook & { recipes: Scalars[]; pages: Scalars[] }) | null }',
  ],
  ['{ fields: [], populate: { guests: { count: true } } }', 'Pick<C.Recipe, Id> & { guests: { count: number } }'],
  [
    '{ fields: [], populate: { guests: { limit: 3, withCount: true, fields: [] }, links: true } }',
    'Pick<C.Recipe, Id> & { guests: Pick<C.Cook, Id>[]; links: Link[]; $counts: { guests: number } }',
  ],
  [
    '{ fields: [], populate: { localizations: { fields: ["title"] } } }',
    "Pick<C.Recipe, Id> & { localizations: Pick<C.Recipe, Id | 'title'>[] }",
  ],
  [
    '{ fields: [], populate: { seo: { populate: { alternates: true } } } }',
    'Pick<C.Recipe, Id> & { seo: (Seo & { alternates: Link[] }) | null }',
  ],
  ['{ fields: [], populate: { sections: true } }', 'Pick<C.Recipe, Id> & { sections: (LinkPart | SeoPart)[] }'],
  [
    "{ fields: [], populate: { sections: { on: { 'shared.link': { fields: [], populate: ['icon'] } } } } }",
    "Pick<C.Recipe, Id> & { sections: { id: number; __component: 'shared.link'; icon: File | null }[] }",
  ],
  [
    "{ fields: [], populate: { sections: { on: { 'shared.link': true, 'shared.seo': { fields: ['metaTitle'] } } } } }",
    'Pick<C.Recipe, Id> & { sections: (LinkPart | SeoPart)[] }',
  ],
  [
    "{ fields: [], populate: { sections: { populate: '*' } } }",
    'Pick<C.Recipe, Id> & { sections: ((LinkPart & { icon: File | null }) | (SeoPart & { alternates: Link[]; cook: Cook | null }))[] }',
  ],
  [
    "{ fields: [], populate: { about: { on: { 'api::cook.cook': { fields: ['name'] } } } } }",
    "Pick<C.Recipe, Id> & { about: (Pick<C.Cook, Id | 'name'> & { __type: 'api::cook.cook' })[] }",
  ],
  [
    "{ fields: [], populate: { source: { on: { 'api::cook.cook': true } } } }",
    "Pick<C.Recipe, Id> & { source: (Cook & { __type: 'api::cook.cook' }) | null }",
  ],
  ["{ populate: '@card' }", 'C.Recipe_card'],
  ["{ populate: '@card', status: 'draft' }", "C.Recipe_card<'draft'>"],
  ["{ populate: '@card', fields: ['day'] }", "Pick<C.Recipe, Id | 'day'> & Pick<C.Recipe_card, 'cook' | 'cover'>"],
  ["{ fields: [], populate: { cook: { populate: '@brief' } } }", 'Pick<C.Recipe, Id> & { cook: C.Cook_brief | null }'],
];

/** Expressions of which none compiles. */
const REJECTED: readonly string[] = [
  'client.recipes.find({ nope: 1 })',
  "client.recipes.find({ filters: { nope: 'x' } })",
  "client.recipes.find({ filters: { title: { $eq: 'x', $nope: 'x' } } })",
  "client.recipes.find({ filters: { code: 'x' } })",
  "client.recipes.find({ filters: { notes: 'x' } })",
  'client.recipes.find({ filters: { title: 5 } })',
  'client.recipes.find({ filters: { title: { $contains: 5 } } })',
  "client.recipes.find({ filters: { level: 'medium' } })",
  "client.recipes.find({ filters: { portions: { $contains: 'x' } } })",
  "client.recipes.find({ filters: { price: 'x' } })",
  'client.recipes.find({ filters: { vegan: { $gt: true } } })',
  "client.recipes.find({ filters: { day: { $contains: '2026' } } })",
  'client.recipes.find({ filters: { day: 5 } })',
  "client.recipes.find({ filters: { starts: { $startsWith: '2026' } } })",
  'client.recipes.find({ filters: { opens: new Date() } })',
  "client.recipes.find({ filters: { views: { $endsWith: '1' } } })",
  'client.recipes.find({ filters: { portions: { $between: [1] } } })',
  "client.recipes.find({ filters: { title: { $null: 'yes' } } })",
  "client.recipes.find({ filters: { cook: { name: 'x', nope: 1 } } })",
  "client.recipes.find({ filters: { cook: { recipes: { title: 'x', nope: 1 } } } })",
  "client.recipes.find({ filters: { $or: [{ title: 'x' }, { nope: 1, title: 'y' }] } })",
  'client.recipes.find({ filters: { sections: { id: 1 } } })',
  'client.recipes.find({ filters: { about: 1 } })',
  "client.recipes.find({ fields: ['nope'] })",
  "client.recipes.find({ fields: ['cook'] })",
  "client.recipes.find({ fields: ['notes'] })",
  "client.recipes.find({ populate: 'nope' })",
  "client.recipes.find({ populate: 'nope.x' })",
  "client.recipes.find({ populate: ['title'] })",
  "client.recipes.find({ populate: '@brief' })",
  'client.recipes.find({ populate: { nope: true, cook: true } })',
  "client.recipes.find({ populate: { cook: '*' } })",
  "client.recipes.find({ populate: { cook: { nope: 1, fields: ['name'] } } })",
  "client.recipes.find({ populate: { cook: { fields: ['title'] } } })",
  'client.recipes.find({ populate: { cook: { populate: { recipes: { populate: { nope: true, cook: true } } } } } })',
  "client.recipes.find({ populate: { cook: { filters: { nope: 1, name: 'x' } } } })",
  'client.recipes.find({ populate: { cook: { limit: 1 } } })',
  'client.recipes.find({ populate: { links: { limit: 1 } } })',
  'client.recipes.find({ populate: { gallery: { count: true } } })',
  "client.recipes.find({ populate: { cook: { populate: '@card' } } })",
  "client.recipes.find({ populate: { sections: { on: { 'shared.nope': true } } } })",
  "client.recipes.find({ populate: { sections: { on: { 'shared.link': { fields: ['metaTitle'] } } } } })",
  'client.recipes.find({ populate: { sections: { populate: { links: true } } } })',
  "client.recipes.find({ populate: { about: { on: { 'api::nope.nope': true } } } })",
  "client.recipes.find({ sort: 'nope' })",
  "client.recipes.find({ sort: ['title:up'] })",
  'client.recipes.find({ pagination: { page: 1, nope: 1 } })',
  "client.recipes.find({ status: 'hidden' })",
  "client.recipes.find({ publicationFilter: 'never' })",
  "client.recipes.find({ facets: ['nope'] })",
  "client.recipes.find({ facets: ['level'] }).then(({ meta }) => meta.facets.cook)",
  "client.recipes.findOne('a', { sort: 'title' })",
  'client.recipes.findOne(5)',
  "client.recipes.findOne({ title: 'x' })",
  'client.recipes.create({})',
  'client.recipes.create({ title: null })',
  "client.recipes.create({ title: 'x', nope: 1 })",
  "client.recipes.create({ title: 'x' }, { ifMatch: '*' })",
  "client.recipes.update('a', { title: null })",
  "client.recipes.update({ title: 'x' })",
  "client.recipes.update('a', {}, { idempotencyKey: 'x' })",
  "client.recipes.restore('a', {})",
  "drafts.recipes.create({ title: null }, { status: 'published' })",
  "({ fields: ['nope'] }) satisfies Query<C.ContentTypes, 'recipes'>",
  "(recipe: Document<C.ContentTypes, 'recipes', { fields: ['title'] }>) => recipe.intro",
  "client.kitchen.create({ name: 'x' })",
  "client.kitchen.findOne('a')",
  "client.kitchen.update('a', { name: 'x' })",
  "client.kitchen.find({ filters: { name: 'x' } })",
  "client.cooks.publish('a')",
  'client.nope.find()',
  'client.then.find()',
  "client.$type('nope')",
  'client.recipes.each({ pagination: { page: 1 } })',
  'client.recipes.find().then(({ data }) => data[0]?.cook)',
  "client.recipes.findOne('a', { populate: '@deep:2' }).then(({ data }) => data.cook.name)",
  "client.recipes.findOne('a', { populate: '*' }).then(({ meta }) => meta.populated)",
  'client.recipes.find({ pagination: { withCount: false } }).then(({ meta }) => meta.pagination.total)',
  "client.recipes.find({ pagination: { after: '' } }).then(({ meta }) => meta.pagination.page)",
  "client.recipes.create({ title: 'x' }).then(({ data }) => data.id)",
  "client.$batch((batch) => [batch.recipes.create({ title: 'x', nope: 1 })])",
  "client.$batch((batch) => [batch.cooks.delete('a')]).then(([gone]) => gone.id)",
  "client.$batch((batch) => [batch.cooks.create({ name: 'x' })]).then(([, second]) => second)",
  'users.$users.find({ filters: { nope: 1 } })',
  "client.$auth.local({ identifier: 'x' })",
];

/** Statements that compile. */
const ACCEPTED: readonly string[] = [
  "client.recipes.find({ filters: { title: { $containsi: 'x', $not: { $in: ['a'] } }, $and: [{ vegan: true }, { $not: { level: ['easy'] } }] } })",
  "client.recipes.find({ filters: { views: { $gte: 9007199254740993n }, day: { $between: ['2026-01-01', new Date()] }, starts: { $lt: 0 }, opens: { $gt: '08:00:00' } } })",
  "client.recipes.find({ filters: { facts: { $notNull: true }, body: { $contains: 'x' }, cook: { $null: true }, guests: 5, cover: { mime: { $startsWith: 'image' } }, links: { label: 'x' }, localizations: { locale: 'de' } } })",
  "client.recipes.find({ sort: ['title', 'day:desc', 'cook.name:asc'], locale: ['en', 'de'], fallback: true, publicationFilter: 'modified', _q: 'x' })",
  "client.recipes.find({ populate: { guests: { filters: { name: { $ne: 'x' } }, sort: 'name:desc', start: 1 }, gallery: { limit: 0, withCount: true } } })",
  "client.recipes.findOne({ slug: 'x' }, { signal: AbortSignal.timeout(10), headers: { a: 'b' }, init: { cache: 'no-store' } })",
  "client.recipes.create({ title: 'x', cook: { connect: 'a' }, sections: [{ __component: 'shared.link', label: 'x' }] }, { idempotencyKey: 'k' })",
  "client.recipes.create({ title: null, seo: {} }, { status: 'draft' })",
  'drafts.recipes.create({ title: null }).then(({ data }) => data.publishedAt satisfies null)',
  "drafts.recipes.update('a', { title: 'x' }, { status: 'published' }).then(({ data }) => data.title satisfies string)",
  "({ fields: ['title'], populate: { cook: { fields: ['name'] } } }) as const satisfies Query<C.ContentTypes, 'recipes'>",
  "(recipe: Document<C.ContentTypes, 'recipes', { populate: { cook: true } }>) => recipe.cook?.name satisfies string | undefined",
  "client.recipes.find({ search: 'x', highlights: true }).then(({ meta }) => meta.highlights[0]?.texts.title?.[0]?.ranges[0]?.[0] satisfies number | undefined)",
  "client.recipes.update('a', { title: 'x' }, { ifMatch: '*', locale: 'de' })",
  "client['blog-posts'].find({ fields: ['name'] }).then(({ data }) => data[0]?.name satisfies string | null | undefined)",
  "client.$type('then').find().then(({ data }) => data.name satisfies string | null)",
  "client.kitchen.publish().then(({ data, etag }) => client.kitchen.update({ name: 'x' }, etag ? { ifMatch: etag } : {}).then(() => data.publishedAt satisfies string))",
  "client.recipes.publish('a', { at: new Date() }).then(({ data }) => data.action satisfies 'publish' | 'unpublish')",
  "client.recipes.unpublish('a').then(({ data }) => data.publishedAt satisfies null)",
  'client.recipes.find({ pagination: { start: 0, limit: 2 } }).then(({ meta }) => meta.pagination.total satisfies number)',
  "client.recipes.find({ pagination: { after: '' } }).then(({ meta }) => meta.pagination.next satisfies string | null)",
  "client.$batch((batch) => { const cook = batch.cooks.create({ name: 'x' }); return [cook, batch.recipes.create({ title: 'x', cook }, { populate: { cook: true } })]; }).then(([cook, recipe]) => [cook.name, recipe.cook?.name] satisfies (string | undefined)[])",
  "client.recipes.findOne('a', { populate: '@deep:2' }).then(({ data }) => [data.cook?.name satisfies string | undefined, data.cook?.recipes satisfies unknown])",
  "client.recipes.find({ populate: '@deep:2' }).then(({ meta }) => [meta.populated.leftOut satisfies string[], meta.pagination.total satisfies number])",
  "client.recipes.findOne('a', { populate: '@deep:2' }).then(({ meta }) => meta.populated.leftOutCount satisfies number)",
  'client.$users.me().then((user) => user.username satisfies string)',
  "client.$upload(new Blob(['x'])).then(([file]) => file?.url satisfies string | undefined)",
  "users.$users.find({ filters: { username: { $contains: 'x' } }, populate: { role: true } }).then(([user]) => user?.role?.name satisfies string | undefined)",
];

const PRELUDE = `
import { createClient, type Document, type Query } from 'edgewise-client';
import type * as C from './content.d.ts';
declare const client: ReturnType<typeof createClient<C.ContentTypes>>;
type DraftsFirst = { recipes: C.ContentTypes['recipes'] & { defaultStatus: 'draft' } };
declare const drafts: ReturnType<typeof createClient<DraftsFirst>>;
declare const users: ReturnType<typeof createClient<C.ContentTypes, C.UsersPermissionsUserModel>>;
`;

const HELPERS = `
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = T extends (infer I)[] ? Flat<I>[] : T extends string | number | boolean | null | undefined ? T
  : T extends C.BlockNode ? T : { [K in keyof T]: Flat<T[K]> };
const same = <A, B>(_: Equal<Flat<A>, Flat<B>>): void => undefined;
type Id = 'id' | 'documentId';
type Relation = 'cook' | 'guests' | 'about' | 'source' | 'cover' | 'gallery' | 'seo' | 'links' | 'sections' | 'localizations';
type Scalars = Omit<C.Recipe, Relation | '$counts'>;
type Cook = Omit<C.Cook, 'recipes' | 'pages' | '$counts'>;
type Link = Omit<C.SharedLink, 'icon'>;
type Seo = Omit<C.SharedSeo, 'alternates' | 'cook'>;
type LinkPart = Link & { __component: 'shared.link' };
type SeoPart = Seo & { __component: 'shared.seo' };
type File = Omit<C.UploadFile, 'related'>;
declare const names: ('title' | 'intro')[];
declare const isDraft: boolean;
`;

/** Each case is a line of its file, after `before` lines. */
export interface CaseFile {
  readonly name: string;
  readonly text: string;
  readonly before: number;
  readonly cases: readonly string[];
}

function fileOf(name: string, head: string, cases: readonly string[], lines: readonly string[]): CaseFile {
  const before = (PRELUDE + head).split('\n').length - 1;
  const text = `${PRELUDE}${head}${lines.map((line, index) => `export const c${index} = () => ${line};`).join('\n')}\n`;
  return { name, text, before, cases };
}

const isEqual = ([query, type]: readonly [string, string]) =>
  `client.recipes.findOne('a', ${query}).then(({ data }) => same<typeof data, ${type}>(true))`;

/** What a compiler judges: no line of the first two files is an error, every line of the last one is. */
export const caseFiles = {
  results: fileOf(
    'results.ts',
    HELPERS,
    RESULTS.map(([query]) => query),
    RESULTS.map(isEqual),
  ),
  accepted: fileOf('accepted.ts', '', ACCEPTED, ACCEPTED),
  rejected: fileOf('rejected.ts', '', REJECTED, REJECTED),
};
