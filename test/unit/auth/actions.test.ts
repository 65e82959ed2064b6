/**
 * @module The action ids that there are, and those that a pattern stands for.
 */
import { describe, expect, it } from 'vitest';
import { contentActions, matchingActions, withNames } from '../../../src/access/actions.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const attributes = { text: { type: 'string' } };
const registry = registryOf([
  contentType('note', attributes),
  contentType('story', attributes, { drafts: true, plural: 'stories' }),
  contentType('home', attributes, { single: true }),
]);

const SINGLE = ['delete', 'find', 'history', 'previewLink', 'readPrivate', 'restore', 'update'];
const COLLECTION = [...SINGLE, 'create', 'findOne'];
const DRAFTS = ['discardDraft', 'publish', 'readDrafts', 'unpublish'];

describe('the actions of a content type', () => {
  it.each([
    ['note', COLLECTION],
    ['story', [...COLLECTION, ...DRAFTS]],
    ['home', SINGLE],
  ])('are those of its kind: %s', (name, actions) => {
    const ids = contentActions(registry).filter((id) => id.startsWith(`api::${name}.${name}.`));
    expect(ids.toSorted()).toEqual(actions.map((action) => `api::${name}.${name}.${action}`).toSorted());
  });
});

describe('a pattern', () => {
  it('stands for no right to private attributes, but for those of accounts and files', () => {
    expect(matchingActions(registry, 'api::home.*').map((id) => id.split('.').at(-1))).toEqual([
      'find',
      'update',
      'delete',
      'previewLink',
      'history',
      'restore',
    ]);
    expect(matchingActions(registry, '*.me')).toEqual(['plugin::users-permissions.user.me']);
    expect(matchingActions(registry, '*.upload')).toEqual(['plugin::upload.content-api.upload']);
  });

  it('is replaced, and every other id stays, also one that no type has', () => {
    const ids = ['api::note.note.readPrivate', 'plugin::custom.thing.do'];
    expect(withNames(['api::note.note.find*', ...ids], registry)).toEqual([
      'api::note.note.find',
      'api::note.note.findOne',
      ...ids,
    ]);
  });
});
