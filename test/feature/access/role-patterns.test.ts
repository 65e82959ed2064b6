/**
 * @module Patterns in `roles` of the settings.
 */
import { describe, expect, it } from 'vitest';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine({ roles: { public: ['api::*.find', 'api::tag.*'], editor: ['api::*.findOne'] } });

describe('a pattern in a role', () => {
  it('grants the actions that it matches, of each type', async () => {
    for (const path of ['/api/tags', '/api/articles', '/api/authors']) expect((await send(path)).status).toBe(200);
    const created = await send('/api/tags', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"data":{"name":"by the public"}}',
    });
    expect(created.status).toBe(200);
  });

  it('grants nothing else', async () => {
    const body = '{"data":{}}';
    const headers = { 'content-type': 'application/json' };
    expect((await send('/api/articles', { method: 'POST', headers, body })).status).toBe(403);
    expect((await send('/api/articles/abc')).status).toBe(403);
    expect((await send('/api/articles?status=draft')).status).toBe(403);
    expect((await send('/api/users')).status).toBe(403);
  });

  it('is shown as the actions that it matches', async () => {
    const permissions = async (type: string): Promise<object> => {
      const { roles } = (await (await client.get('/api/users-permissions/roles')).json()) as {
        readonly roles: readonly { readonly id: number; readonly type: string }[];
      };
      const id = roles.find((role) => role.type === type)?.id;
      const { role } = (await (await client.get(`/api/users-permissions/roles/${id}`)).json()) as {
        readonly role: { readonly permissions: Readonly<Record<string, unknown>> };
      };
      return role.permissions;
    };
    expect(await permissions('editor')).toMatchObject({
      'api::article': { controllers: { article: { find: { enabled: false }, findOne: { enabled: true } } } },
    });
  });
});
