/**
 * @module The tests of users to whom a project adds attributes.
 */
import { describe, expect, it } from 'vitest';
import { USER_ATTRIBUTES, USER_UID } from '../src/schema/system-types.ts';
import type { Data } from './documents.ts';
import { gapOfType, inputsOf, type TestModel } from './gaps.ts';
import { leakedIn, type Running, shownOf } from './shown.ts';

/** Registers the tests. @param running is called when they run. */
export function testUsers(model: TestModel, running: () => Running): void {
  const type = model.registry.contentTypes.get(USER_UID);
  if (!type) return;
  const inputs = inputsOf(type.attributes).filter(({ name }) => !USER_ATTRIBUTES.has(name));
  const gap = gapOfType(type, model);
  if (gap !== undefined) {
    it.skip(`${USER_UID} is not tested, for no user can be made: ${gap}`);
    return;
  }

  describe(USER_UID, () => {
    let path = '/api/users/0';
    let body: Data = {};
    const read = async () => (await running().json('GET', path)) as Data;

    it('creates a user', async () => {
      body = await running().bodyOf(USER_UID);
      const { id } = (await running().json('POST', '/api/users', body)) as Data;
      path = `/api/users/${id}`;
    });

    it('shows the attributes that the project adds, and nothing that is private', async () => {
      const user = await read();
      expect(user).toMatchObject(shownOf(body, inputs));
      expect(leakedIn(user, inputs)).toEqual([]);
    });

    it('changes it', async () => {
      const changes = await running().bodyOf(USER_UID, 'values');
      await running().json('PUT', path, changes);
      expect(await read()).toMatchObject(shownOf(changes, inputs));
    });

    it('deletes it, and then it is gone', async () => {
      await running().json('DELETE', path);
      // As in Strapi, a user who is not there is nothing, and no error.
      expect(await read()).toBe(undefined);
    });
  });
}
