/**
 * @module The content model of the writes that are read back: types with and without drafts and locales, each with every
 * kind of scalar, component and relation, to each of the others and to itself.
 */
import type { Registry } from '../../src/schema/model.ts';
import { component, contentType, registryOf } from '../support/schema-files.ts';

export const TYPES = ['alpha', 'beta', 'gamma', 'delta'] as const;
export type TypeName = (typeof TYPES)[number];

export const hasDrafts = (type: TypeName): boolean => type === 'alpha' || type === 'beta';
export const hasLocales = (type: TypeName): boolean => type === 'alpha' || type === 'gamma';
export const FILES = ['file1', 'file2', 'file3'] as const;

/** A relation as one of its ends sees it. */
export interface Relation {
  readonly name: string;
  readonly target: TypeName | 'file';
  readonly multiple: boolean;
  /** The relation at the other end; absent: only this end knows the relation. */
  readonly inverse?: string;
  /** Does this end have the links? */
  readonly owner: boolean;
  /** May the other end be linked to one document alone? */
  readonly exclusive: boolean;
  /** Of a file: does each locale have its own? */
  readonly localized: boolean;
}

const title = (name: string): string => name[0]?.toUpperCase() + name.slice(1);

function relationsBetween(type: TypeName, target: TypeName): readonly Relation[] {
  const [to, from] = [title(target), title(type)];
  const all = { target, localized: true } as const;
  return [
    { ...all, name: `some${to}`, multiple: true, owner: true, exclusive: false },
    { ...all, name: `one${to}`, multiple: false, owner: true, exclusive: false },
    { ...all, name: `mate${to}`, multiple: false, owner: true, inverse: `mateOf${from}`, exclusive: true },
    { ...all, name: `mateOf${to}`, multiple: false, owner: false, inverse: `mate${from}`, exclusive: true },
    { ...all, name: `parent${to}`, multiple: false, owner: true, inverse: `kids${from}`, exclusive: false },
    { ...all, name: `kids${to}`, multiple: true, owner: false, inverse: `parent${from}`, exclusive: true },
    { ...all, name: `peers${to}`, multiple: true, owner: true, inverse: `peersOf${from}`, exclusive: false },
    { ...all, name: `peersOf${to}`, multiple: true, owner: false, inverse: `peers${from}`, exclusive: false },
  ];
}

const MEDIA: readonly Relation[] = [
  { name: 'picture', target: 'file', multiple: false, owner: true, exclusive: false, localized: false },
  { name: 'pictures', target: 'file', multiple: true, owner: true, exclusive: false, localized: true },
];

export const RELATIONS = Object.fromEntries(
  TYPES.map((type) => [type, [...TYPES.flatMap((target) => relationsBetween(type, target)), ...MEDIA]]),
) as unknown as Readonly<Record<TypeName, readonly Relation[]>>;

const KINDS = {
  some: 'oneToMany',
  one: 'oneToOne',
  mate: 'oneToOne',
  mateOf: 'oneToOne',
  parent: 'manyToOne',
} as const;
const MORE_KINDS = { kids: 'oneToMany', peers: 'manyToMany', peersOf: 'manyToMany' } as const;
const kindOf = (name: string): string => ({ ...KINDS, ...MORE_KINDS })[name.replace(/[A-Z]\w*$/, '') as 'some'];

function relationJson({ name, target, inverse, owner, multiple, localized }: Relation): unknown {
  if (target === 'file') return { type: 'media', multiple, pluginOptions: { i18n: { localized } } };
  const end = inverse && (owner ? { inversedBy: inverse } : { mappedBy: inverse });
  return { type: 'relation', relation: kindOf(name), target: `api::${target}.${target}`, ...end };
}

/** Scalars by name; those that end in `Here` are localized. */
export const SCALARS = {
  name: { type: 'string' },
  text: { type: 'text', default: 'a text' },
  rich: { type: 'richtext' },
  count: { type: 'integer', default: 7 },
  big: { type: 'biginteger' },
  price: { type: 'decimal' },
  ratio: { type: 'float' },
  flag: { type: 'boolean', default: true },
  day: { type: 'date' },
  at: { type: 'datetime' },
  hour: { type: 'time' },
  mail: { type: 'email' },
  kind: { type: 'enumeration', enum: ['a', 'b', 'c d'] },
  data: { type: 'json' },
  body: { type: 'blocks' },
} as const;
export type ScalarType = (typeof SCALARS)[keyof typeof SCALARS]['type'];

export const COMPONENTS = {
  'kit.pin': { scalars: { text: SCALARS.text, at: SCALARS.at }, inner: {}, links: [] },
  'kit.box': {
    scalars: { count: SCALARS.count, flag: SCALARS.flag, data: SCALARS.data, big: SCALARS.big },
    inner: { pin: ['kit.pin', false], pins: ['kit.pin', true] },
    links: [
      { ...MEDIA[0], name: 'picture' },
      { name: 'friend', target: 'delta', multiple: false, owner: true, exclusive: false, localized: true },
      { name: 'friends', target: 'beta', multiple: true, owner: true, exclusive: false, localized: true },
    ],
  },
} as const satisfies Readonly<Record<string, ComponentModel>>;

export interface ComponentModel {
  readonly scalars: Readonly<Record<string, { readonly type: ScalarType; readonly default?: unknown }>>;
  readonly inner: Readonly<Record<string, readonly [uid: ComponentName, list: boolean]>>;
  readonly links: readonly Partial<Relation>[];
}
export type ComponentName = 'kit.pin' | 'kit.box';

export interface Place {
  readonly name: string;
  /** Absent: a dynamic zone. */
  readonly component?: ComponentName;
  readonly list: boolean;
  readonly localized: boolean;
}

export const PLACES: readonly Place[] = [
  { name: 'box', component: 'kit.box', list: false, localized: true },
  { name: 'boxes', component: 'kit.box', list: true, localized: false },
  { name: 'zone', list: true, localized: false },
];

/** Is a scalar shared by all locales of a document? */
export const isShared = (name: string): boolean => ['text', 'count', 'flag', 'data', 'day'].includes(name);

const i18n = (localized: boolean) => ({ pluginOptions: { i18n: { localized } } });

function placeJson({ component: uid, list, localized }: Place): unknown {
  if (!uid) return { type: 'dynamiczone', components: Object.keys(COMPONENTS), ...i18n(localized) };
  return { type: 'component', component: uid, repeatable: list, ...i18n(localized) };
}

const named = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries);

function componentJson({ scalars, inner, links }: ComponentModel): Record<string, unknown> {
  const components = Object.entries(inner).map(
    ([name, [uid, list]]) => [name, { type: 'component', component: uid, repeatable: list }] as const,
  );
  const relations = (links as readonly Relation[]).map((link) => {
    const json = { type: 'relation', relation: link.multiple ? 'oneToMany' : 'oneToOne' };
    return [
      link.name,
      link.target === 'file' ? relationJson(link) : { ...json, target: `api::${link.target}.${link.target}` },
    ] as const;
  });
  return { ...scalars, ...named(components), ...named(relations) };
}

export const writtenRegistry: Registry = registryOf(
  TYPES.map((type) =>
    contentType(
      type,
      {
        ...named(Object.entries(SCALARS).map(([name, json]) => [name, { ...json, ...i18n(!isShared(name)) }])),
        ...named(PLACES.map((place) => [place.name, placeJson(place)])),
        ...named(RELATIONS[type].map((relation) => [relation.name, relationJson(relation)])),
      },
      { drafts: hasDrafts(type), localized: hasLocales(type) },
    ),
  ),
  Object.entries(COMPONENTS).map(([uid, model]) => component(uid, componentJson(model))),
);
