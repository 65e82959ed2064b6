/**
 * @module The files of a project as data, and random changes of them: every key of a schema file and of the settings that
 * changes how content is stored.
 */

import type { Sources } from '../../../../cli/project/sources.ts';
import { buildRegistry, type SchemaFiles } from '../../../../src/schema/build.ts';
import { CHECKED } from '../../../../src/schema/schema-json.ts';
import { parseSettings, type Settings } from '../../../../src/schema/settings/config.ts';
import type { Dice } from '../../../support/dice.ts';
import { component, contentType } from '../../../support/schema-files.ts';

export type Definition = Readonly<Record<string, unknown>>;
type Definitions = Readonly<Record<string, Definition>>;

export interface TypeFile {
  readonly name: string;
  readonly table: string;
  readonly drafts: boolean;
  readonly localized: boolean;
  readonly single: boolean;
  readonly attributes: Definitions;
}

export interface Files {
  readonly types: Readonly<Record<string, TypeFile>>;
  readonly components: Readonly<Record<string, Definitions>>;
  readonly search: readonly string[];
  readonly indexed: readonly string[];
  readonly defaultLocale: string;
}

const uidOf = (name: string): string => `api::${name}.${name}`;

const typeFile = (name: string, attributes: Definitions, options: Partial<TypeFile> = {}): TypeFile => ({
  ...{ name, table: `${name}s`, drafts: false, localized: false, single: false, attributes },
  ...options,
});

/** The files of the first commit. */
export const FIRST: Files = {
  types: {
    article: typeFile(
      'article',
      {
        title: { type: 'string' },
        count: { type: 'integer' },
        author: { type: 'relation', relation: 'manyToOne', target: uidOf('author'), inversedBy: 'articles' },
        parts: { type: 'component', component: 'shared.part', repeatable: true },
      },
      { drafts: true, localized: true },
    ),
    author: typeFile('author', {
      title: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: uidOf('article'), mappedBy: 'author' },
    }),
    page: typeFile('page', { title: { type: 'string' }, blocks: { type: 'dynamiczone', components: ['shared.part'] } }),
  },
  components: {
    'shared.part': { label: { type: 'string' }, size: { type: 'integer' } },
    'shared.leaf': { text: { type: 'string' } },
  },
  search: [uidOf('article')],
  indexed: [],
  defaultLocale: 'en',
};

/** @throws SchemaError for files that do not fit together. */
export function sourcesOf(files: Files): Sources {
  const { types, components, search, defaultLocale } = files;
  const schemas: SchemaFiles = {
    contentTypes: Object.values(types).map(({ name, attributes, ...options }) =>
      contentType(name, attributes, options),
    ),
    components: Object.entries(components).map(([uid, attributes]) => component(uid, attributes)),
  };
  const uids = Object.keys(types).map(uidOf);
  const indexes = files.indexed.filter((uid) => uids.includes(uid)).map((uid) => [uid, [['title']]] as const);
  const settings: Settings = parseSettings({
    i18n: { locales: ['en', 'fr'].map((code) => ({ code, name: code, isDefault: code === defaultLocale })) },
    indexes: Object.fromEntries(indexes),
    search: search.filter((uid) => uids.includes(uid)),
  });
  const declared = buildRegistry(schemas, CHECKED);
  buildRegistry({ ...schemas, indexes: settings.indexes, search: settings.search }, CHECKED);
  return { settings, declared, files: schemas };
}

const SCALARS: readonly [Definition, ...Definition[]] = [
  { type: 'string' },
  { type: 'text' },
  { type: 'integer' },
  { type: 'biginteger' },
  { type: 'decimal' },
  { type: 'boolean' },
  { type: 'date' },
  { type: 'datetime' },
  { type: 'json' },
  { type: 'string', unique: true },
  { type: 'enumeration', enum: ['one', 'two'] },
];

const NAMES = ['title', 'count', 'lead', 'body', 'extra', 'other'] as const;
const RELATIONS = ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany'] as const;

function definition(files: Files, dice: Dice): Definition {
  const types = Object.keys(files.types) as [string, ...string[]];
  const components = Object.keys(files.components) as [string, ...string[]];
  switch (dice.below(6)) {
    case 0:
      return { type: 'component', component: dice.pick(components), repeatable: dice.once(2) };
    case 1:
      return { type: 'dynamiczone', components: dice.once(2) ? components : [dice.pick(components)] };
    case 2:
    case 3:
      return { type: 'relation', relation: dice.pick(RELATIONS), target: uidOf(dice.pick(types)) };
    default:
      return dice.pick(SCALARS);
  }
}

const omit = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

type Edit = (files: Files, dice: Dice) => Files;
type EditType = (type: TypeFile, dice: Dice, files: Files) => TypeFile;

const editType =
  (edit: EditType): Edit =>
  (files, dice) => {
    const key = dice.pick(Object.keys(files.types) as [string, ...string[]]);
    const type = files.types[key] as TypeFile;
    return { ...files, types: { ...files.types, [key]: edit(type, dice, files) } };
  };

const attributeOf = ({ attributes }: TypeFile, dice: Dice): string =>
  dice.pick(Object.keys(attributes).length > 0 ? (Object.keys(attributes) as [string]) : ['none']);

const withAttributes = (type: TypeFile, attributes: Definitions): TypeFile => ({ ...type, attributes });

const localizeAttribute: EditType = (type, dice) => {
  const name = attributeOf(type, dice);
  const { pluginOptions, ...rest } = type.attributes[name] ?? { type: 'string' };
  const shared = { ...rest, pluginOptions: { i18n: { localized: false } } };
  return withAttributes(type, { ...type.attributes, [name]: pluginOptions ? rest : shared });
};

/** Both sides of a relation, or none of them. */
const relate: Edit = (files, dice) => {
  const names = Object.keys(files.types) as [string, ...string[]];
  const [source, target] = [dice.pick(names), dice.pick(names)];
  const [one, other] = dice.pick<readonly [string, string]>([
    ['manyToMany', 'manyToMany'],
    ['manyToOne', 'oneToMany'],
    ['oneToOne', 'oneToOne'],
  ]);
  const [near, far] = [files.types[source] as TypeFile, files.types[target] as TypeFile];
  if (source === target) return files;
  const type = 'relation';
  const own = { type, relation: one, target: uidOf(far.name), inversedBy: `of_${near.name}` };
  const back = { type, relation: other, target: uidOf(near.name), mappedBy: `to_${far.name}` };
  const isThere = near.attributes[`to_${far.name}`] !== undefined;
  const put = (attributes: Definitions, name: string, value: Definition): Definitions =>
    isThere ? omit(attributes, name) : { ...attributes, [name]: value };
  return {
    ...files,
    types: {
      ...files.types,
      [source]: withAttributes(near, put(near.attributes, `to_${far.name}`, own)),
      [target]: withAttributes(far, put(far.attributes, `of_${near.name}`, back)),
    },
  };
};

const editComponent: Edit = (files, dice) => {
  const uid = dice.pick(Object.keys(files.components) as [string, ...string[]]);
  const attributes = files.components[uid] ?? {};
  const name = dice.pick(['label', 'size', 'text', 'inner']);
  const isNested = uid === 'shared.part' && name === 'inner';
  const scalar = dice.pick(SCALARS.filter(({ unique }) => !unique) as [Definition]);
  const value = isNested ? { type: 'component', component: 'shared.leaf', repeatable: dice.once(2) } : scalar;
  const changed = attributes[name] && dice.once(2) ? omit(attributes, name) : { ...attributes, [name]: value };
  return { ...files, components: { ...files.components, [uid]: changed } };
};

const toggle = (list: readonly string[], item: string): readonly string[] =>
  list.includes(item) ? list.filter((each) => each !== item) : [...list, item];

const anyUid = (files: Files, dice: Dice): string => uidOf(dice.pick(Object.keys(files.types) as [string]));

const addType: Edit = (files, dice) => {
  const name = dice.pick(['tag', 'note']);
  if (!files.types[name])
    return { ...files, types: { ...files.types, [name]: typeFile(name, FIRST.types.page?.attributes ?? {}) } };
  const relates = ({ target }: Definition) => target === uidOf(name);
  const types = Object.entries(omit(files.types, name)).map(([key, type]) => {
    const attributes = Object.entries(type.attributes).filter(([, value]) => !relates(value));
    return [key, withAttributes(type, Object.fromEntries(attributes))] as const;
  });
  return { ...files, types: Object.fromEntries(types) };
};

const EDITS: readonly [Edit, ...Edit[]] = [
  editType((type, dice, files) =>
    withAttributes(type, { ...type.attributes, [dice.pick(NAMES)]: definition(files, dice) }),
  ),
  editType((type, dice, files) =>
    withAttributes(type, { ...type.attributes, [dice.pick(NAMES)]: definition(files, dice) }),
  ),
  editType((type, dice) => withAttributes(type, omit(type.attributes, attributeOf(type, dice)))),
  editType((type, dice) => {
    const [from, to] = [attributeOf(type, dice), dice.pick(NAMES)];
    return withAttributes(type, { ...omit(type.attributes, from), [to]: type.attributes[from] ?? { type: 'string' } });
  }),
  editType((type, dice) => withAttributes(type, { ...type.attributes, [attributeOf(type, dice)]: dice.pick(SCALARS) })),
  editType(localizeAttribute),
  editType((type) => ({ ...type, drafts: !type.drafts })),
  editType((type) => ({ ...type, localized: !type.localized })),
  editType((type) => ({ ...type, single: !type.single })),
  editType((type) => ({
    ...type,
    table: type.table === `${type.name}s` ? `${type.name}s_b` : `${type.name}s`,
  })),
  relate,
  relate,
  editComponent,
  editComponent,
  addType,
  (files, dice) => ({ ...files, search: toggle(files.search, anyUid(files, dice)) }),
  (files, dice) => ({ ...files, indexed: toggle(files.indexed, anyUid(files, dice)) }),
  (files) => ({ ...files, defaultLocale: files.defaultLocale === 'en' ? 'fr' : 'en' }),
];

/** A random change that the files bear. */
export function edited(files: Files, dice: Dice): Files {
  for (;;) {
    const next = dice.pick(EDITS)(files, dice);
    try {
      sourcesOf(next);
      return next;
    } catch {
      // Another one.
    }
  }
}
