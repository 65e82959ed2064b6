/**
 * @module The content model of the non-interference test: types with and without drafts and locales, which relations and
 * components lead through.
 */
import { component, contentType, registryOf, userFile } from '../../support/schema-files.ts';

export const uidOf = (name: string): string => `api::${name}.${name}`;

const localized = { pluginOptions: { i18n: { localized: true } } };
const relation = (kind: string, target: string, end: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: target === 'user' ? 'plugin::users-permissions.user' : uidOf(target),
  ...end,
});
const cards = (repeatable: boolean) => ({ type: 'component', component: 'kit.card', repeatable });

const pin = component('kit.pin', { text: { type: 'string' }, topic: relation('oneToOne', 'topic') });
const card = component('kit.card', {
  label: { type: 'string' },
  code: { type: 'string', unique: true },
  hint: { type: 'string', private: true },
  grade: { type: 'integer' },
  ref: relation('oneToOne', 'story'),
  refs: relation('oneToMany', 'story'),
  remark: relation('oneToOne', 'remark'),
  picture: { type: 'media', multiple: false },
  pin: { type: 'component', component: 'kit.pin', repeatable: false },
});
const quote = component('kit.quote', { text: { type: 'string', required: true }, from: relation('oneToOne', 'team') });
const scene = component('kit.scene', {
  name: { type: 'string' },
  story: relation('oneToOne', 'story', { required: true }),
});
const slot = component('kit.slot', { plan: relation('oneToOne', 'plan') });
const zone = { type: 'dynamiczone', components: ['kit.card', 'kit.quote'] };
const AUDIENCE = { type: 'enumeration', enum: ['public', 'team', 'closed'] };
const FILES = {
  cover: { type: 'media', multiple: false },
  gallery: { type: 'media', multiple: true },
};

/**
 * From every type, queries lead to documents of which some are hidden, and on which no condition of it depends; and in every
 * type there is an attribute that conditional grants do not list.
 */
const LEADS = {
  more: relation('manyToMany', 'story'),
  about: relation('manyToMany', 'remark'),
  aside: { type: 'string' },
};

type Definition = Parameters<typeof contentType>;
const leading = (name: Definition[0], attributes: Definition[1], options?: Definition[2]) =>
  contentType(name, { ...attributes, ...LEADS }, options);

const TYPES = [
  leading('team', {
    name: { type: 'string' },
    open: { type: 'boolean' },
    motto: { type: 'string', private: true },
  }),
  leading('topic', {
    name: { type: 'string', unique: true },
    open: { type: 'boolean' },
    stories: relation('manyToMany', 'story', { mappedBy: 'topics' }),
  }),
  leading(
    'story',
    {
      title: { type: 'string', ...localized },
      slug: { type: 'string', unique: true, ...localized },
      audience: { ...AUDIENCE, ...localized },
      rating: { type: 'integer' },
      body: { type: 'richtext', ...localized },
      opensAt: { type: 'datetime', ...localized },
      note: { type: 'string', ...localized },
      memo: { type: 'string', private: true, ...localized },
      owner: relation('manyToOne', 'user'),
      team: relation('manyToOne', 'team'),
      vault: relation('oneToOne', 'vault'),
      plan: relation('manyToOne', 'plan'),
      remarks: relation('oneToMany', 'remark', { mappedBy: 'story' }),
      chapters: relation('oneToMany', 'chapter', { mappedBy: 'story' }),
      sequel: relation('oneToOne', 'story', { inversedBy: 'prequel' }),
      prequel: relation('oneToOne', 'story', { mappedBy: 'sequel' }),
      topics: relation('manyToMany', 'topic', { inversedBy: 'stories' }),
      card: cards(false),
      parts: { ...zone, ...localized },
      ...FILES,
    },
    { drafts: true, localized: true, plural: 'stories' },
  ),
  leading(
    'chapter',
    {
      title: { type: 'string' },
      audience: AUDIENCE,
      story: relation('manyToOne', 'story', { inversedBy: 'chapters', required: true }),
      children: relation('oneToMany', 'child', { mappedBy: 'chapter' }),
      cards: cards(true),
      scene: { type: 'component', component: 'kit.scene', repeatable: false },
    },
    { drafts: true },
  ),
  leading(
    'child',
    {
      name: { type: 'string' },
      due: { type: 'datetime' },
      story: relation('manyToOne', 'story'),
      chapter: relation('manyToOne', 'chapter', { inversedBy: 'children' }),
      card: cards(false),
    },
    { plural: 'children' },
  ),
  leading('remark', {
    text: { type: 'string' },
    mood: { type: 'enumeration', enum: ['glad', 'calm', 'cross'] },
    secret: { type: 'string' },
    story: relation('manyToOne', 'story', { inversedBy: 'remarks' }),
    author: relation('manyToOne', 'user'),
    picture: { type: 'media', multiple: false },
  }),
  leading('menu', {
    title: { type: 'string' },
    items: { type: 'relation', relation: 'morphToMany' },
    pin: { type: 'relation', relation: 'morphToOne' },
    stories: relation('oneToMany', 'story'),
    topics: relation('manyToMany', 'topic'),
  }),
  leading(
    'board',
    { title: { type: 'string' }, audience: AUDIENCE, items: { type: 'relation', relation: 'morphToMany' } },
    { drafts: true },
  ),
  leading(
    'sheet',
    { title: { type: 'string', ...localized }, audience: { ...AUDIENCE, ...localized }, ...FILES },
    { drafts: true, localized: true },
  ),
  leading('leaflet', { title: { type: 'string' }, audience: AUDIENCE, ...FILES }),
  // No caller finds plans: what conditions see of them is the published version.
  contentType('plan', { name: { type: 'string' }, audience: AUDIENCE }, { drafts: true }),
  leading('poster', {
    title: { type: 'string' },
    plan: relation('manyToOne', 'plan'),
    card: { type: 'component', component: 'kit.slot', repeatable: false },
  }),
  contentType('vault', { title: { type: 'string' }, story: relation('manyToOne', 'story') }),
  contentType(
    'home',
    {
      headline: { type: 'string', ...localized },
      featured: relation('oneToOne', 'story'),
      card: { ...cards(false), ...localized },
    },
    { drafts: true, localized: true, single: true, plural: 'homes' },
  ),
];

const NOTICE = contentType(
  'notice',
  {
    text: { type: 'string', ...localized },
    audience: { ...AUDIENCE, ...localized },
    story: relation('oneToOne', 'story'),
  },
  { drafts: true, localized: true, single: true, plural: 'notices' },
);

export const registry = registryOf(
  [...TYPES, NOTICE],
  [pin, card, quote, scene, slot],
  {},
  {
    user: userFile({
      nickname: { type: 'string' },
      department: { type: 'string' },
      team: relation('manyToOne', 'team'),
      badge: relation('manyToOne', 'topic'),
      favorites: relation('manyToMany', 'story'),
      favorite: relation('manyToOne', 'story'),
    }),
    search: [uidOf('story')],
    indexes: { [uidOf('story')]: [['rating:desc', 'title']], [uidOf('remark')]: [['text']] },
  },
);
