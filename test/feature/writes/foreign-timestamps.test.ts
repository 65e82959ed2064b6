/**
 * @module Rows whose `updated_at` another program wrote or left out can be changed like others.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { post, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const { client: owner, send } = openMagazine({
  roles: { authenticated: ['plugin::users-permissions.auth.changePassword'] },
});

describe.each([null, 0, -1, 5e-324, 1_700_000_000_123.456])('a row with `updated_at` %s', (time) => {
  const stamp = (table: string, documentId: string) =>
    env.DB.prepare(`update "${table}" set "updated_at" = ? where "document_id" = ?`).bind(time, documentId).run();

  it('of a document is changed, published and deleted', async () => {
    for (const [path, table] of [
      ['/api/tags', 'tags'],
      ['/api/categories', 'categories'],
    ] as const) {
      const { documentId } = await documentOf(owner.create(path, { name: `Of ${time}` }));
      await stamp(table, documentId);
      expect(await documentOf(owner.update(`${path}/${documentId}`, { name: `New ${time}` }))).toMatchObject({
        name: `New ${time}`,
        updatedAt: expect.stringMatching(/^20/),
      });
      expect((await owner.remove(`${path}/${documentId}?filters[name][$startsWith]=New`)).status).toBe(204);
    }
  });

  it('of a user is changed', async () => {
    const { user, jwt } = await register(send, `stamped${String(time)}`);
    await stamp('up_users', user.documentId);
    const body = { currentPassword: 'Passw0rd', password: 'An0therOne', passwordConfirmation: 'An0therOne' };
    expect((await post(send, '/api/auth/change-password', body, jwt)).status).toBe(200);
    await stamp('up_users', user.documentId);
    expect((await owner.get(`/api/users/${user.id}`)).status).toBe(200);
    const renamed = send(`/api/users/${user.id}`, {
      method: 'PUT',
      headers: { authorization: 'Bearer full', 'content-type': 'application/json' },
      body: JSON.stringify({ username: `renamed${String(time)}` }),
    });
    expect((await renamed).status).toBe(200);
  });
});
