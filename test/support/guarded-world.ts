/**
 * @module A content model with documents of several people and teams, for conditional grants.
 */
import { component, contentType, registryOf, userFile } from './schema-files.ts';

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
  team: { type: 'relation', relation: 'manyToOne', target: 'api::team.team' },
  folder: { type: 'relation', relation: 'manyToOne', target: 'api::folder.folder', inversedBy: 'notes' },
  cover: { type: 'media', multiple: false },
});

const folder = contentType('folder', {
  name: { type: 'string' },
  notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'folder' },
  first: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
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
  note: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
});

const user = userFile({
  department: { type: 'string' },
  team: { type: 'relation', relation: 'manyToOne', target: 'api::team.team' },
});

export const guardedRegistry = registryOf(
  [contentType('team', { name: { type: 'string' } }), note, folder, story],
  [links],
  {},
  { user },
);

export const id = (name: string, action: string): string => `api::${name}.${name}.${action}`;
