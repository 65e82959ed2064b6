/**
 * @module A small content model that has one of everything the descriptions tell apart.
 */

import type { Registry } from '../../../src/schema/model.ts';
import { parseSettings, type Settings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';

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

/** The model that most tests describe. */
export const magazine = (): Registry => registryOf([ARTICLE, AUTHOR, HOMEPAGE], COMPONENTS);

/** The same model, its files read in another order. */
export const reversedMagazine = (): Registry =>
  registryOf([ARTICLE, AUTHOR, HOMEPAGE].toReversed(), COMPONENTS.toReversed());

/** Settings with defaults filled in. */
export const settings = (input: SettingsInput = {}): Settings => parseSettings(input);
