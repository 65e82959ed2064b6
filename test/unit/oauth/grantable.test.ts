/**
 * @module Which levels a user can let a client have, by each of their rights.
 */
import { describe, expect, it } from 'vitest';
import { LEVELS } from '../../../src/access/delegation.ts';
import { DRAFTS_ONLY, type Grants, only } from '../../../src/access/grants.ts';
import { grantableTypes } from '../../../src/features/oauth/grantable.ts';
import { magazine } from '../describe/fixture.ts';

const ARTICLE = 'api::article.article';
const AUTHOR = 'api::author.author';
const HOMEPAGE = 'api::homepage.homepage';

const namesOf = (grants: Grants) =>
  grantableTypes(grants, magazine(), LEVELS).map(({ name, levels }) => [name, ...levels]);

describe('a right', () => {
  it.each([
    [`${ARTICLE}.find`, 'articles', 'read'],
    [`${ARTICLE}.findOne`, 'articles', 'read'],
    [`${HOMEPAGE}.find`, 'homepage', 'read'],
    ...['create', 'update', 'delete', 'discardDraft', 'restore'].map((action) => [
      ...[`${ARTICLE}.${action}`, 'articles', 'drafts', 'write'],
    ]),
    ...['publish', 'unpublish'].map((action) => [`${ARTICLE}.${action}`, 'articles', 'write']),
    ...['create', 'update', 'delete', 'restore'].map((action) => [`${AUTHOR}.${action}`, 'authors', 'write']),
  ])('to %s alone can be granted as %s: %s', (id, ...expected) => {
    expect(namesOf(only([id]))).toEqual([expected]);
  });

  it('to drafts alone is no right to write everything, and none where there are no drafts', () => {
    const grants: Grants = { ...only([`${ARTICLE}.update`, `${AUTHOR}.update`]), rule: () => DRAFTS_ONLY };
    expect(namesOf(grants)).toEqual([['articles', 'drafts']]);
  });

  it('to nothing but history or previews gives a client nothing', () => {
    expect(namesOf(only([`${ARTICLE}.history`, `${ARTICLE}.previewLink`, `${ARTICLE}.readDrafts`]))).toEqual([]);
  });
});
