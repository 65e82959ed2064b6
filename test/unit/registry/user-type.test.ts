/**
 * @module Strapi's file for users: what it may add, and what it may not touch.
 */
import { describe, expect, it } from 'vitest';
import { buildRegistry, type SchemaFile } from '../../../src/schema/build.ts';
import type { SchemaError } from '../../../src/schema/schema-error.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { USER_UID } from '../../../src/schema/system-types.ts';
import { ownAttributeNames, ownAttributes } from '../../../src/schema/user-type.ts';
import { contentType, registryOf, userFile } from '../../support/schema-files.ts';

const STRING = { type: 'string' };

function problemsOf(user: SchemaFile): readonly string[] {
  try {
    buildRegistry({ contentTypes: [], components: [], user }, CHECKED);
  } catch (error) {
    return (error as SchemaError).problems.map(({ key, expected }) => `${key}: ${expected}`);
  }
  return [];
}

const userOf = (user: SchemaFile, types: readonly SchemaFile[] = []) => {
  const type = registryOf(types, [], {}, { user }).contentTypes.get(USER_UID);
  if (!type) throw new Error('there are no users');
  return type;
};

describe('the file of users is refused', () => {
  it.each([
    ['passwordChangedAt', 'a name that differs from "passwordChangedAt" by more than its case'],
    ['emailProven', 'a name that differs from "emailProven" by more than its case'],
    ['usernameKey', 'a name that differs from "usernameKey" by more than its case'],
    ['emailKey', 'a name that differs from "emailKey" by more than its case'],
    ['username_key', 'a name that differs from "usernameKey" by more than its case'],
    ['documentId', 'another name: this one is reserved'],
    ['publishedAt', 'another name: this one is reserved'],
  ])('for an attribute %s', (name, expected) => {
    expect(problemsOf(userFile({ [name]: STRING }))).toContain(`attributes.${name}: ${expected}`);
  });

  it('for drafts, for locales and as a single type', () => {
    const { path, json } = userFile({}, { drafts: true });
    const odd = { ...(json as object), kind: 'singleType', pluginOptions: { i18n: { localized: true } } };
    expect(problemsOf({ path, json: odd })).toEqual([
      'kind: collectionType',
      'options.draftAndPublish: false: users have no drafts',
      'pluginOptions.i18n.localized: false: users have no locales',
    ]);
  });

  it('for more columns than a table has, and for relations that lead nowhere', () => {
    const friend = { type: 'relation', relation: 'oneToOne', target: USER_UID };
    const many = (length: number) =>
      Object.fromEntries([['friend', friend], ...Array.from({ length }, (_, index) => [`extra${index}`, STRING])]);
    expect(problemsOf(userFile(many(78)))).toEqual([]);
    expect(problemsOf(userFile(many(79)))).toEqual(['attributes: at most 90 with those of every user; there are 91']);
    const lost = { type: 'relation', relation: 'oneToOne', target: 'api::no.no' };
    expect(problemsOf(userFile({ lost }))).toEqual([
      'attributes.lost.target: a content type that exists; "api::no.no" does not',
    ]);
  });
});

describe('users', () => {
  it('have the attributes of the file between their own and those of every type', () => {
    const type = userOf(userFile({ nickname: STRING }));
    expect([...ownAttributes(type).keys()]).toEqual(['nickname']);
    const names = [...type.attributes.keys()];
    expect(names.indexOf('nickname')).toBeGreaterThan(names.indexOf('emailKey'));
    expect(names.indexOf('nickname')).toBeLessThan(names.indexOf('createdAt'));
  });

  it('keep what is theirs whatever the file says of it, but for what becomes private', () => {
    const type = userOf(
      userFile({
        password: { type: 'string' },
        resetPasswordToken: { type: 'string', private: false },
        email: { type: 'string', private: true },
        confirmed: { type: 'integer' },
      }),
    );
    const { password, resetPasswordToken, email, confirmed } = Object.fromEntries(type.attributes);
    expect([password?.private, resetPasswordToken?.private, email?.private, confirmed?.private]).toEqual([
      ...[true, true, true, false],
    ]);
    expect([password, email, confirmed]).toMatchObject([{ type: 'password' }, { type: 'email' }, { type: 'boolean' }]);
  });

  it('have private attributes where a list of the file names them', () => {
    const type = userOf(userFile({ nickname: STRING, motto: STRING }, { privateAttributes: ['nickname', 'email'] }));
    const isPrivate = ['nickname', 'email', 'motto', 'username'].map((name) => type.attributes.get(name)?.private);
    expect(isPrivate).toEqual([true, true, false, false]);
  });

  it('have as custom attributes those of a file that neither every user nor every type has', () => {
    expect(ownAttributeNames({ username: STRING, nickname: STRING, createdAt: STRING })).toEqual(['nickname']);
  });

  it('are related to both ways', () => {
    const likes = { type: 'relation', relation: 'manyToMany', target: 'api::post.post', inversedBy: 'fans' };
    const fans = { type: 'relation', relation: 'manyToMany', target: USER_UID, mappedBy: 'likes' };
    const type = userOf(userFile({ likes }), [contentType('post', { fans })]);
    expect(type.attributes.get('likes')).toMatchObject({ owner: true, inverse: 'fans' });
  });
});
