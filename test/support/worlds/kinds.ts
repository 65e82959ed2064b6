/**
 * @module The world of small content types, one of each kind: plain, with drafts, in locales, both, and single.
 */
import { localesOf } from '../locales.ts';
import { contentType, registryOf, relation } from '../schema-files.ts';
import { opener } from '../world.ts';

const STRING = { type: 'string' };
const LOCALIZED = { ...STRING, pluginOptions: { i18n: { localized: true } } };
const PRICE = { type: 'integer' };

export const kindsRegistry = registryOf([
  contentType('topic', { name: STRING, pages: relation('manyToMany', 'page', { mappedBy: 'topics' }) }),
  contentType('note', { title: STRING, text: { type: 'text' } }),
  contentType(
    'story',
    {
      title: { type: 'text' },
      text: { type: 'text' },
      notes: { ...STRING, private: true },
      topics: relation('oneToMany', 'topic'),
      attachment: { type: 'media' },
    },
    { drafts: true, plural: 'stories' },
  ),
  contentType('place', { title: LOCALIZED, price: PRICE }, { localized: true }),
  contentType(
    'page',
    {
      title: { ...LOCALIZED, required: true },
      audience: LOCALIZED,
      slug: { type: 'uid' },
      price: PRICE,
      next: { ...relation('oneToOne', 'page'), pluginOptions: LOCALIZED.pluginOptions },
      topics: relation('manyToMany', 'topic', { inversedBy: 'pages' }),
      author: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
    },
    { drafts: true, localized: true },
  ),
  contentType('home', { title: STRING }, { single: true, drafts: true }),
  contentType('front', { title: LOCALIZED }, { single: true, localized: true }),
]);

export const openKinds = opener(kindsRegistry, { i18n: localesOf('en', 'fr', 'de') });
