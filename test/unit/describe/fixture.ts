/**
 * @module A small content model that has one of everything the descriptions tell apart.
 */

import { buildRegistry, type SchemaFile } from '../../../src/schema/build.ts';
import type { Registry } from '../../../src/schema/model.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { parseSettings, type Settings, type SettingsInput } from '../../../src/schema/settings/config.ts';

type Attributes = Readonly<Record<string, object>>;

interface TypeOptions {
  readonly plural?: string;
  readonly single?: boolean;
  readonly drafts?: boolean;
  readonly localized?: boolean;
  readonly description?: string;
}

const localized = { i18n: { localized: true } };

/** The schema file of a content type. */
export const contentType = (name: string, attributes: Attributes, options: TypeOptions = {}): SchemaFile => ({
  path: `content-types/${name}/schema.json`,
  json: {
    kind: options.single ? 'singleType' : 'collectionType',
    info: {
      singularName: name,
      pluralName: options.plural ?? `${name}s`,
      displayName: name,
      description: options.description,
    },
    options: { draftAndPublish: options.drafts === true },
    ...(options.localized && { pluginOptions: localized }),
    attributes,
  },
});

/** The schema file of a component, by `<category>.<name>`. */
export const component = (uid: string, attributes: Attributes): SchemaFile => ({
  path: `content-types/components/${uid.replace('.', '/')}.json`,
  json: { info: { displayName: uid }, attributes },
});

const ARTICLE = contentType(
  'article',
  {
    title: { type: 'string', required: true, minLength: 3, maxLength: 80 },
    summary: { type: 'text' },
    body: { type: 'blocks' },
    tone: { type: 'enumeration', enum: ["it's", 'in-depth'], required: true, default: 'in-depth' },
    views: { type: 'biginteger', min: 0 },
    rating: { type: 'float', min: 0, max: 5 },
    airTime: { type: 'time' },
    sku: { type: 'string', regex: '^[A-Z]{2}-\\d{4}$' },
    legacy: { type: 'string', regex: '^\\_x$' },
    extra: { type: 'json' },
    'odd-name': { type: 'string' },
    accessCode: { type: 'password', minLength: 6 },
    notes: { type: 'text', private: true },
    cover: { type: 'media' },
    gallery: { type: 'media', multiple: true },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    seo: { type: 'component', component: 'shared.seo' },
    links: { type: 'component', component: 'shared.link', repeatable: true, min: 1, max: 3 },
    sections: { type: 'dynamiczone', components: ['blocks.quote', 'shared.link'], max: 5 },
  },
  { drafts: true, localized: true, description: 'What we write */ export type Broken = never; /*' },
);

const AUTHOR = contentType('author', {
  name: { type: 'string', required: true },
  born: { type: 'date' },
  active: { type: 'boolean', required: true, default: true },
  articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  account: { type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.user' },
});

const HOMEPAGE = contentType(
  'homepage',
  { heading: { type: 'string', required: true }, main: { type: 'dynamiczone', components: [] } },
  { single: true },
);

const COMPONENTS = [
  component('shared.seo', {
    metaTitle: { type: 'string', required: true },
    image: { type: 'media' },
    alternates: { type: 'component', component: 'shared.link', repeatable: true },
  }),
  component('shared.link', { label: { type: 'string', required: true }, weight: { type: 'integer', default: 1 } }),
  component('blocks.quote', {
    text: { type: 'text' },
    speaker: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
  }),
];

/** The registry of these files. */
export const registryOf = (contentTypes: readonly SchemaFile[], components: readonly SchemaFile[] = []): Registry =>
  buildRegistry({ contentTypes, components }, CHECKED);

/** The model that most tests describe. */
export const magazine = (): Registry => registryOf([ARTICLE, AUTHOR, HOMEPAGE], COMPONENTS);

/** The same model, its files read in another order. */
export const reversedMagazine = (): Registry =>
  registryOf([ARTICLE, AUTHOR, HOMEPAGE].toReversed(), COMPONENTS.toReversed());

/** Settings with defaults filled in. */
export const settings = (input: SettingsInput = {}): Settings => parseSettings(input);
