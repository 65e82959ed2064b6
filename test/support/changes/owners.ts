/**
 * @module Attributes that are localized or not from now on, and changes of what has them: content types and components.
 */
import { component } from '../schema-files.ts';
import { type Change, columnChange, NOTHING, RENAME, type Renames } from './change.ts';
import {
  type ArticleOptions,
  type AttributeJson,
  articles,
  CARD,
  type Expected,
  filled,
  LINK,
  linked,
  linksOf,
  NOTE,
  type Stored,
  type Version,
} from './content.ts';
import { CARDS, FILE, json, SINGLE, STORED, STRING, TEXTS, type Values } from './values.ts';

const inLocales = { localized: true, drafts: false } as const;
const LOCALES: readonly Version[] = [
  ['a', 'en', true],
  ['a', 'fr', true],
  ['b', 'fr', true],
];
const localized = (attribute: AttributeJson, on: boolean): AttributeJson => ({
  ...attribute,
  pluginOptions: { i18n: { localized: on } },
});

/** The value of the default locale prevails; where a document has none in it, that of its first locale. */
const shared = ([first, , third]: readonly Stored[]): readonly Stored[] => [
  first ?? null,
  first ?? null,
  third ?? null,
];

/** Every locale has components of its own: what they hold is shared, and no id of them. */
const withoutIds = ({ sql, rows }: Expected): Expected => ({
  sql: sql.replace('"value"', `"value" ->> '$.label'`),
  rows: rows.map(([json]) => [JSON.parse(String(json)).label]),
});

const localeChanges: readonly Change[] = ['string', 'text', 'integer', 'datetime', 'component'].flatMap((what) => {
  const [from, [first, second]] = STORED[what] as readonly [AttributeJson, Values];
  const stored = [first, second, second];
  const common = { options: inLocales, versions: LOCALES };
  const unlocalized = columnChange({
    title: `${what} that is no longer localized`,
    from: localized(from, true),
    stored,
    to: ['value', localized(from, false)],
    kept: shared(stored),
    loses: { 'article.value': 1 },
    reasons: ["no longer localized: all locales of a document get the value of 'en', or else of its first locale"],
    ...common,
  });
  const [titles, values] = unlocalized.survives as [Expected, Expected];
  return [
    { ...unlocalized, survives: [titles, what === 'component' ? withoutIds(values) : values] },
    columnChange({
      title: `${what} that is localized from now on`,
      from: localized(from, false),
      stored: shared(stored),
      to: ['value', localized(from, true)],
      kept: shared(stored),
      when: [],
      ...common,
    }),
  ];
});

/** Files are shared or not; links to documents are always those of a locale. */
const linkLocaleChanges: readonly Change[] = [false, true].map((on) => ({
  title: `single file that is ${on ? 'localized from now on' : 'no longer localized'}`,
  before: articles({ value: localized(FILE, !on) }, inLocales),
  after: articles({ value: localized(FILE, on) }, inLocales),
  loses: on ? {} : { 'article.value': 1 },
  fill: [...filled([], [], LOCALES), linked('value', ['f', on ? 'f' : 'g', 'g'], LOCALES)],
  survives: [
    linksOf('value', [
      ['a', 'en', 'f'],
      ['a', 'fr', 'f'],
      ['b', 'fr', 'g'],
    ]),
  ],
}));

const kept = { from: STRING, stored: TEXTS, to: ['value', STRING] as const, kept: TEXTS };

const typeChanges: readonly Change[] = [
  columnChange({
    ...kept,
    title: 'rename of the table of its type',
    optionsAfter: { table: 'essays' },
    renameType: ['articles=essays'],
  }),
  columnChange({ ...kept, title: 'rename of its type', optionsAfter: { name: 'essay' } }),
  columnChange({
    ...kept,
    title: 'rename of the table and of an attribute',
    to: ['newWorth', STRING],
    optionsAfter: { table: 'essays' },
    renameType: ['articles=essays'],
    ...RENAME,
  }),
];

const published: readonly Version[] = [
  ['a', '', true],
  ['b', '', true],
];

const versionChanges: readonly Change[] = (
  [
    ['string', STRING, TEXTS],
    ['component', SINGLE, CARDS],
  ] as const
).flatMap(([what, from, values]) => {
  const common = { from, to: ['value', from] as const };
  const [first, second] = values;
  return [
    columnChange({
      ...common,
      title: `drafts that are turned off around a ${what}`,
      stored: values,
      optionsAfter: { drafts: false },
      titles: ['Title 1'],
      kept: [second],
      loses: { article: 3 },
    }),
    columnChange({
      ...common,
      title: `drafts that are turned on around a ${what}`,
      stored: [first, second],
      versions: published,
      options: { drafts: false },
      optionsAfter: { drafts: true },
      titles: ['Title 0', 'Title 0', 'Title 1', 'Title 1'],
      ...(what === 'string' && { kept: [first, first, second, second] }),
      loses: {},
    }),
    columnChange({
      ...common,
      title: `locales that are turned on around a ${what}`,
      stored: [first, second],
      versions: published,
      options: { drafts: false },
      optionsAfter: inLocales,
      kept: [first, second],
    }),
    columnChange({
      ...common,
      title: `locales that are turned off around a ${what}`,
      stored: [first, first, second],
      versions: LOCALES,
      options: inLocales,
      optionsAfter: { drafts: false },
      titles: ['Title 0'],
      kept: [first],
      loses: { article: 2 },
    }),
  ];
});

const cardOf = (attributes: Readonly<Record<string, AttributeJson>>) => [
  component('shared.card', attributes),
  LINK,
  NOTE,
];
const CARD_ATTRIBUTES = (CARD.json as { readonly attributes: Readonly<Record<string, AttributeJson>> }).attributes;
const {
  label: LABEL,
  size: SIZE,
  link: INNER,
} = CARD_ATTRIBUTES as Readonly<Record<string, AttributeJson>> & {
  readonly [name in 'label' | 'size' | 'link']: AttributeJson;
};

const CARD_OF_ONE = { id: 1, label: '7', size: 1, link: { id: 2, url: '/' } };

function componentChange(
  title: string,
  components: ArticleOptions['components'],
  card: unknown,
  change: Renames & Pick<Change, 'loses'> = {},
) {
  const renamed = change.renameComponent ? { ...SINGLE, component: 'shared.tile' } : SINGLE;
  return columnChange({
    ...change,
    title,
    from: SINGLE,
    stored: [json(CARD_OF_ONE)],
    to: ['value', renamed],
    kept: [json(card)],
    optionsAfter: { components: components ?? [] },
  });
}

const componentChanges: readonly Change[] = [
  componentChange(
    'rename of an attribute of a component',
    cardOf({ name: LABEL, size: SIZE, link: INNER }),
    { id: 1, size: 1, link: { id: 2, url: '/' }, name: '7' },
    { rename: ['shared.card.label=name'] },
  ),
  componentChange(
    'removal of an attribute of a component',
    cardOf({ size: SIZE, link: INNER }),
    { id: 1, size: 1, link: { id: 2, url: '/' } },
    { loses: { 'shared.card.label': 1 } },
  ),
  componentChange(
    'another type of an attribute of a component',
    cardOf({ label: LABEL, size: { type: 'string' }, link: INNER }),
    { id: 1, label: '7', size: '1', link: { id: 2, url: '/' } },
  ),
  componentChange('rename of a component', [component('shared.tile', CARD_ATTRIBUTES), LINK, NOTE], CARD_OF_ONE, {
    renameComponent: ['shared.card=shared.tile'],
  }),
];

/** It is emptied in every locale: no value prevails. */
const localizedKindChange = columnChange({
  title: 'string in locales that becomes a component, which locales share',
  from: localized(STRING, true),
  stored: TEXTS,
  to: ['value', localized(SINGLE, false)],
  kept: NOTHING,
  options: inLocales,
  versions: LOCALES,
});

export const ownerChanges: readonly Change[] = [
  ...localeChanges,
  localizedKindChange,
  ...linkLocaleChanges,
  ...typeChanges,
  ...versionChanges,
  ...componentChanges,
];
