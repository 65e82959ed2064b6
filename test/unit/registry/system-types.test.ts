/**
 * @module The content types that Edgewise declares itself.
 */
import { describe, expect, it } from 'vitest';
import {
  FILE_UID,
  FOLDER_UID,
  isPolymorphicTarget,
  ROLE_UID,
  SESSION_UID,
  systemType,
  systemTypes,
  USER_UID,
} from '../../../src/schema/system-types.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([contentType('thing', {})]);
const namesOf = (uid: string) => [...systemType(registry, uid).attributes.keys()];

describe('a system type', () => {
  it.each([
    [FILE_UID, ['hash']],
    [FOLDER_UID, []],
    [USER_UID, ['password', 'usernameKey', 'emailKey']],
    [SESSION_UID, ['userId', 'expiresAt']],
  ])('%s has an index for what its rows are looked up by', (uid, names) => {
    expect([...(systemType(registry, uid).indexed ?? [])]).toEqual(names);
  });

  it('has attributes that no file can declare between its own and those of every type', () => {
    expect(namesOf(FILE_UID).slice(-10, -6)).toEqual(['folderPath', 'folder', 'related', 'createdAt']);
    expect(namesOf(ROLE_UID).slice(2, 6)).toEqual(['type', 'permissions', 'users', 'createdAt']);
  });

  it('of files has placeholders where the settings want them, and no other has', () => {
    const withPlaceholders = (placeholders: boolean) =>
      systemTypes({ placeholders })
        .filter(({ attributes }) => attributes.has('thumbHash') && attributes.has('dominantColor'))
        .map(({ uid }) => uid);
    expect([withPlaceholders(true), withPlaceholders(false)]).toEqual([[FILE_UID], []]);
    expect(systemTypes({ placeholders: true })[0]?.attributes.size).toBe(namesOf(FILE_UID).length + 2);
  });

  it('is a target of polymorphic relations if it is that of files or users', () => {
    const targets = [...registry.contentTypes.values()].filter(isPolymorphicTarget).map(({ uid }) => uid);
    expect(targets).toEqual([FILE_UID, USER_UID, 'api::thing.thing']);
  });

  it('of API tokens has the types of Strapi', () => {
    const type = systemType(registry, 'admin::api-token').attributes.get('type');
    expect(type).toMatchObject({ type: 'enumeration', enum: ['read-only', 'full-access', 'custom'], required: true });
  });

  it('that does not exist is an error', () => {
    expect(() => systemType(registry, 'plugin::no.no')).toThrow('plugin::no.no is no content type');
  });
});
