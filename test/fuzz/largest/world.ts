/**
 * @module A project of which some axes are at their largest, and the others as those of the demo.
 */
import { overflowOf } from '../../../cli/migrations/layout.ts';
import type { SchemaFile } from '../../../src/schema/build.ts';
import type { Registry } from '../../../src/schema/model.ts';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';

/** What may be large: of a project, of its settings, of a request. */
export const AXES = [
  ...(['types', 'polymorphic', 'scalars', 'relations', 'media', 'components', 'unique', 'zone'] as const),
  ...(['locales', 'webhooks', 'roles', 'body'] as const),
] as const;
export type Axis = (typeof AXES)[number];

/** Axes that share a limit, so that none can be largest beside another: the attributes of a type; the statements of a write. */
const SHARED: readonly (readonly Axis[])[] = [
  ['scalars', 'components', 'unique', 'relations', 'media'],
  ['types', 'polymorphic', 'relations', 'media'],
];

/** Pairs of axes that can be largest together. */
export const PAIRS: readonly (readonly [Axis, Axis])[] = AXES.flatMap((one, index) =>
  AXES.slice(index + 1)
    .filter((other) => !SHARED.some((axes) => axes.includes(one) && axes.includes(other)))
    .map((other) => [one, other] as const),
);

/**
 * Pairs with a request of more than 1,000 statements: a batch of the largest body into a type with the most media takes 1,026,
 * a restoration of polymorphic links by the most conditions 1,063. D1 has never run them: earlier versions rejected the batch
 * by the same limit, and the write of the restoration as too complex.
 */
const PASSING: readonly (readonly Axis[])[] = [
  ['media', 'body'],
  ['polymorphic', 'roles'],
];

export interface World {
  readonly registry: Registry;
  readonly settings: SettingsInput;
  readonly isLarge: (axis: Axis) => boolean;
  /** May one request take more statements than an invocation has? Then it is rejected, and names that limit. */
  readonly passesStatements: boolean;
}

type Attributes = Readonly<Record<string, { readonly type?: string | undefined }>>;

const each = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const named = (count: number, name: string, make: (index: number) => Attributes[string]): Attributes =>
  Object.fromEntries(each(count, (index) => [`${name}${index}`, make(index)]));

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const toOne = (target: string) => ({ type: 'relation', relation: 'manyToOne', target });
const toMany = (target: string) => ({ type: 'relation', relation: 'manyToMany', target });
const media = (multiple: boolean) => ({ type: 'media', multiple, allowedTypes: ['images', 'files'] });
const SCALARS = [
  'string',
  'text',
  'richtext',
  'integer',
  'decimal',
  'boolean',
  'datetime',
  'json',
  'biginteger',
  'email',
];
const TARGETS = ['api::author.author', 'api::tag.tag', 'api::article.article'];
const targetAt = (index: number) => TARGETS[index % TARGETS.length] as string;

/** Relations of a type: each takes four statements of a write that changes it, and an invocation has 1,000. */
const LINKS = 220;
/** Each takes two more, since all locales share its files. */
const MEDIA = 120;

/** Each has a column; with those of the demo they are as many as a type may have. */
const COMPONENTS = MAX_ATTRIBUTE_COLUMNS - 2;

/** The attributes that an axis adds to articles. */
const MORE: Readonly<Partial<Record<Axis, Attributes>>> = {
  scalars: named(400, 'scalar', (index) => ({
    type: SCALARS[index % SCALARS.length],
    ...(index % 2 === 0 && LOCALIZED),
  })),
  relations: named(LINKS, 'relation', (index) => (index % 2 === 0 ? toOne : toMany)(targetAt(index))),
  media: named(MEDIA, 'medium', (index) => media(index % 2 === 0)),
  components: named(COMPONENTS, 'part', (index) => ({
    type: 'component',
    component: 'shared.seo',
    repeatable: index % 2 === 0,
    ...(index % 4 < 2 && LOCALIZED),
  })),
  unique: named(400, 'unique', () => ({ type: 'string', unique: true })),
};

const ZONE = 110;
const TYPES = 300;
/** The first two are those of the demo. */
const LOCALES = 'en fr de es it pt nl sv da fi pl cs hu ro el tr ja ko zh ar'.split(' ');
const WEBHOOKS = 20;
const ROLES = 50;
const CONDITIONS = 20;

function filesOf(isLarge: World['isLarge']): readonly [SchemaFile[], SchemaFile[]] {
  const zone = each(isLarge('zone') ? ZONE : 3, (index) => `blocks.block${index}`);
  const more = Object.assign({}, ...Object.entries(MORE).map(([axis, own]) => (isLarge(axis as Axis) ? own : {})));
  const kinds = each(isLarge('types') ? TYPES - 4 : 0, (index) => `kind${index}`);
  const typed = each(isLarge('polymorphic') ? TYPES - 4 : 0, (index) => `plain${index}`);
  const article: Attributes = {
    title: { type: 'string', required: true, ...LOCALIZED },
    slug: { type: 'uid', targetField: 'title', ...LOCALIZED },
    summary: { type: 'text', ...LOCALIZED },
    rating: { type: 'integer' },
    cover: media(false),
    gallery: { ...media(true), ...LOCALIZED },
    author: { type: 'relation', relation: 'manyToOne', target: TARGETS[0], inversedBy: 'articles' },
    tags: { type: 'relation', relation: 'manyToMany', target: TARGETS[1], inversedBy: 'articles' },
    related: { type: 'relation', relation: 'morphToMany' },
    subject: { type: 'relation', relation: 'morphToOne' },
    seo: { type: 'component', component: 'shared.seo', ...LOCALIZED },
    sections: { type: 'dynamiczone', components: zone, ...LOCALIZED },
    ...more,
  };
  const types = [
    contentType('article', article, { drafts: true, localized: true }),
    contentType('author', {
      name: { type: 'string', required: true },
      picture: media(false),
      articles: { type: 'relation', relation: 'oneToMany', target: TARGETS[2], mappedBy: 'author' },
    }),
    contentType('tag', {
      name: { type: 'string', unique: true },
      articles: { type: 'relation', relation: 'manyToMany', target: TARGETS[2], mappedBy: 'tags' },
    }),
    contentType('home', { title: { type: 'string' }, cover: media(false) }, { drafts: true, single: true }),
    ...kinds.map((name) =>
      contentType(
        name,
        { title: { type: 'string' }, ...named(3, 'file', (index) => media(index > 0)), tag: toOne('api::tag.tag') },
        { drafts: true },
      ),
    ),
    ...typed.map((name) => contentType(name, { title: { type: 'string' } })),
  ];
  const components = [
    component('shared.seo', {
      metaTitle: { type: 'string' },
      image: media(false),
      author: toOne('api::author.author'),
    }),
    component('shared.link', { label: { type: 'string' }, code: { type: 'string', unique: true } }),
    ...zone.map((uid, index) =>
      component(uid, {
        [`text${index}`]: { type: 'text' },
        to: toOne(isLarge('types') ? `api::kind${index}.kind${index}` : targetAt(index)),
        picture: media(false),
        links: { type: 'component', component: 'shared.link', repeatable: true },
      }),
    ),
  ];
  return [types, components];
}

const ACTIONS = [
  ...['find', 'findOne', 'create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft'],
  ...['readDrafts', 'history', 'restore'],
];

/** The grants of roles: of every type, for documents that one of many conditions allows. */
const grantsOf = ({ contentTypes }: Registry, count: number) =>
  [...contentTypes.values()]
    .filter(({ system }) => !system)
    .map(({ uid, attributes }) => {
      const text = ['title', 'name'].find((name) => attributes.has(name)) as string;
      const values = each(count, (index) => ({ [text]: { $ne: `hidden ${index}` } }));
      return {
        action: ACTIONS.map((action) => `${uid}.${action}`),
        where: { $and: attributes.has('author') ? [...values, { author: { name: { $ne: 'nobody' } } }] : values },
      };
    });

export function worldOf(large: readonly Axis[]): World {
  const isLarge = (axis: Axis) => large.includes(axis);
  const files = filesOf(isLarge);
  const registry = registryOf(...files, overflowOf(registryOf(...files), { types: {}, components: {} }));
  const grants = grantsOf(registry, isLarge('roles') ? CONDITIONS : 1);
  const uploads = ['find', 'findOne', 'upload', 'destroy'].map((action) => `plugin::upload.content-api.${action}`);
  const roles = each(isLarge('roles') ? ROLES : 1, (index) => [`role${index}`, grants] as const);
  const codes = LOCALES.slice(0, isLarge('locales') ? LOCALES.length : 2);
  return {
    registry,
    isLarge,
    passesStatements: PASSING.some((axes) => axes.every((axis) => large.includes(axis))),
    settings: {
      i18n: { locales: codes.map((code) => ({ code, name: code, isDefault: code === 'en' })) },
      roles: { ...Object.fromEntries(roles), authenticated: [...grants, ...uploads] },
      webhooks: each(isLarge('webhooks') ? WEBHOOKS : 1, (index) => ({
        url: `https://n${index}.example.com/`,
        events: ['entry.*', 'media.*'],
      })),
      history: true,
      mcp: true,
      upload: { folders: true },
    },
  };
}
