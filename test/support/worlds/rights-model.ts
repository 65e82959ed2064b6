/**
 * @module A content model with documents of several people and teams, for conditional grants.
 */
import { component, contentType, registryOf, relation, userFile } from '../schema-files.ts';

const USERS = 'plugin::users-permissions.user';

const note = contentType('note', {
  text: { type: 'string' },
  secret: { type: 'string' },
  key: { type: 'string', private: true },
  number: { type: 'integer' },
  code: { type: 'string', unique: true },
  due: { type: 'datetime' },
  author: { type: 'relation', relation: 'manyToOne', target: USERS },
  editors: { type: 'relation', relation: 'manyToMany', target: USERS },
  team: relation('manyToOne', 'team'),
  folder: relation('manyToOne', 'folder', { inversedBy: 'notes' }),
  cover: { type: 'media', multiple: false },
});

const folder = contentType('folder', {
  name: { type: 'string' },
  notes: relation('oneToMany', 'note', { mappedBy: 'folder' }),
  first: relation('oneToOne', 'note'),
  any: { type: 'relation', relation: 'morphToMany' },
  links: { type: 'component', component: 'part.links', repeatable: true },
});

const story = contentType(
  'story',
  {
    title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
    author: { type: 'relation', relation: 'manyToOne', target: USERS },
  },
  { drafts: true, localized: true, plural: 'stories' },
);

const links = component('part.links', {
  label: { type: 'string' },
  note: relation('oneToOne', 'note'),
});

const user = userFile({
  department: { type: 'string' },
  team: relation('manyToOne', 'team'),
});

export const guardedRegistry = registryOf(
  [contentType('team', { name: { type: 'string' } }), note, folder, story],
  [links],
  {},
  { user, search: ['api::note.note'] },
);

export const id = (name: string, action: string): string => `api::${name}.${name}.${action}`;
