/**
 * @module The actions that Strapi lacks, which an export leaves out.
 */
import { expect, it } from 'vitest';
import { isOwnAction } from '../../../src/access/grants.ts';

it.each(['readDrafts', 'readPrivate', 'publish', 'unpublish', 'discardDraft', 'previewLink', 'restore', 'history'])(
  'counts %s of a content type',
  (action) => {
    expect(isOwnAction(`api::article.article.${action}`)).toBe(true);
  },
);

it.each([
  'user.invite',
  'user.updateMe',
  'user.getSessions',
  'user.revokeSession',
  'identity.find',
  'identity.link',
  'identity.unlink',
])('counts %s of accounts', (action) => {
  expect(isOwnAction(`plugin::users-permissions.${action}`)).toBe(true);
});

it.each(['find', 'create', 'update', 'delete'])('counts %s of folders', (action) => {
  expect(isOwnAction(`plugin::upload.folder.${action}`)).toBe(true);
});

it.each(['plugin::users-permissions.user.create', 'api::article.article.find', 'plugin::upload.content-api.publish'])(
  'does not count %s',
  (id) => {
    expect(isOwnAction(id)).toBe(false);
  },
);
