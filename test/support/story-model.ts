/**
 * @module The content model of golden writes and statements: a type of each kind, with links of each kind between them.
 */
import { component, contentType, registryOf, relation, userFile } from './schema-files.ts';

const STRING = { type: 'string' };
const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

const TYPES = [
  contentType('topic', { name: STRING, stories: relation('manyToMany', 'story', { mappedBy: 'topics' }) }),
  contentType(
    'person',
    { name: STRING, stories: relation('oneToMany', 'story', { mappedBy: 'author' }) },
    { drafts: true, plural: 'people' },
  ),
  contentType(
    'room',
    { name: { ...STRING, ...LOCALIZED }, topic: relation('manyToOne', 'topic') },
    { localized: true },
  ),
  contentType(
    'story',
    {
      title: { ...STRING, ...LOCALIZED },
      code: { ...STRING, unique: true },
      slug: { type: 'uid', ...LOCALIZED },
      year: { type: 'integer' },
      note: { ...STRING, unique: true },
      weight: { type: 'decimal' },
      data: { type: 'json' },
      topics: relation('manyToMany', 'topic', { inversedBy: 'stories' }),
      author: { ...relation('manyToOne', 'person', { inversedBy: 'stories' }), ...LOCALIZED },
      sequel: { ...relation('oneToOne', 'story', { inversedBy: 'prequel' }), ...LOCALIZED },
      prequel: { ...relation('oneToOne', 'story', { mappedBy: 'sequel' }), ...LOCALIZED },
      picks: { ...relation('oneToMany', 'person'), ...LOCALIZED },
      room: { ...relation('oneToOne', 'room'), ...LOCALIZED },
      items: { type: 'relation', relation: 'morphToMany', ...LOCALIZED },
      parts: { type: 'component', component: 'kit.part', repeatable: true },
      zone: { type: 'dynamiczone', components: ['kit.part', 'kit.quote'], ...LOCALIZED },
      cover: { type: 'media', multiple: false },
      gallery: { type: 'media', multiple: true },
    },
    { drafts: true, localized: true, plural: 'stories' },
  ),
  contentType('board', {
    title: STRING,
    items: { type: 'relation', relation: 'morphToMany' },
    parts: { type: 'component', component: 'kit.part', repeatable: true },
  }),
  contentType(
    'plan',
    { name: STRING, items: { type: 'relation', relation: 'morphToMany' }, stories: relation('oneToMany', 'story') },
    { drafts: true },
  ),
  contentType('home', { title: STRING, topics: relation('oneToMany', 'topic') }, { single: true, drafts: true }),
  contentType(
    'front',
    { title: { ...STRING, ...LOCALIZED }, topics: relation('oneToMany', 'topic') },
    { single: true, localized: true },
  ),
];

const COMPONENTS = [
  component('kit.part', {
    key: { ...STRING, unique: true },
    person: relation('oneToOne', 'person'),
    room: relation('oneToOne', 'room'),
    any: { type: 'relation', relation: 'morphToMany' },
    quote: { type: 'component', component: 'kit.quote' },
  }),
  component('kit.quote', { text: { ...STRING, unique: true }, topics: relation('oneToMany', 'topic') }),
];

const OVERFLOW = { 'api::story.story': ['note', 'weight', 'data'] };

export const storyRegistry = registryOf(TYPES, COMPONENTS, OVERFLOW);

/** With indexes of lists and of words. */
export const indexedRegistry = registryOf(TYPES, COMPONENTS, OVERFLOW, {
  indexes: { 'api::story.story': [['year', 'title:desc'], ['title']] },
  search: { 'api::story.story': { title: 3, slug: 1 } },
  user: userFile({ department: STRING, topic: relation('manyToOne', 'topic') }),
});
