/**
 * @module A content model whose documents lead to others that a caller may not see: drafts, other teams' documents, other
 * locales.
 */
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { localesOf } from './locales.ts';
import { component, contentType, registryOf, userFile } from './schema-files.ts';

const USERS = 'plugin::users-permissions.user';
const STORY = 'api::story.story';
const to = (target: string, relation = 'manyToOne') => ({ type: 'relation', relation, target });
const audience = { type: 'enumeration', enum: ['public', 'team'] };
const shared = { pluginOptions: { i18n: { localized: false } } };
const localized = { pluginOptions: { i18n: { localized: true } } };

export const hiddenRegistry = registryOf(
  [
    contentType(
      'story',
      { title: { type: 'string' }, audience, owner: to(USERS), cover: { type: 'media' }, sequel: to(STORY) },
      { drafts: true, plural: 'stories' },
    ),
    contentType('remark', {
      text: { type: 'string' },
      story: to(STORY),
      links: { type: 'component', component: 'part.link' },
    }),
    contentType('reply', { text: { type: 'string' }, remark: to('api::remark.remark') }, { plural: 'replies' }),
    contentType('child', { name: { type: 'string' }, story: to(STORY) }, { plural: 'children' }),
    contentType('person', { name: { type: 'string' }, audience }, { drafts: true, plural: 'people' }),
    contentType(
      'shelf',
      { name: { type: 'string' }, items: { type: 'relation', relation: 'morphToMany' } },
      { plural: 'shelves' },
    ),
    contentType(
      'page',
      {
        title: { type: 'string', ...localized },
        audience: { ...audience, ...localized },
        author: { ...to('api::person.person'), required: true },
        links: { type: 'component', component: 'part.place', repeatable: true, ...shared },
        pick: { type: 'component', component: 'part.pick', ...localized },
      },
      { drafts: true, localized: true },
    ),
    contentType(
      'place',
      { name: { type: 'string', ...localized }, audience: { ...audience, ...localized } },
      { localized: true },
    ),
    contentType('secret', { name: { type: 'string' } }),
  ],
  [
    component('part.link', { story: to(STORY, 'oneToOne') }),
    component('part.pick', { person: { ...to('api::person.person', 'oneToOne'), required: true } }),
    component('part.place', { place: to('api::place.place', 'oneToOne') }),
  ],
);

export const id = (name: string, ...actions: string[]): string[] =>
  actions.map((action) => `api::${name}.${name}.${action}`);

const OPEN = { audience: 'public' };

export const hiddenSettings: SettingsInput = {
  i18n: localesOf('en', 'fr', 'de'),
  roles: {
    public: [
      { action: id('remark', 'find', 'findOne'), where: { $or: [{ story: OPEN }, { links: { story: OPEN } }] } },
      { action: id('reply', 'find'), where: { remark: { story: OPEN } } },
      { action: id('child', 'delete'), where: { story: { audience: 'public' } } },
    ],
    authenticated: [
      { action: id('story', 'find', 'findOne', 'publish', 'unpublish'), where: { $or: [OPEN, { owner: '$user' }] } },
      ...id('story', 'create', 'update'),
      { action: id('child', 'find', 'delete'), where: { story: { owner: '$user' } } },
      { action: id('child', 'create'), validate: { story: { owner: '$user' } } },
      { action: id('person', 'find'), where: OPEN },
      { action: id('place', 'find'), where: OPEN },
      { action: id('page', 'find', 'findOne', 'update', 'publish', 'unpublish'), where: OPEN },
      ...id('page', 'create', 'readDrafts'),
      ...id('shelf', 'find', 'findOne', 'update', 'create'),
      'plugin::upload.content-api.upload',
    ],
    editor: [...id('story', 'find', 'readDrafts'), { action: id('remark', 'find'), where: { story: OPEN } }],
  },
};

/** Users with a relation that they may set when they register. */
export const registrationRegistry = registryOf(
  [contentType('story', { title: { type: 'string' }, audience }, { drafts: true, plural: 'stories' })],
  [],
  {},
  { user: userFile({ favorite: to(STORY) }) },
);
