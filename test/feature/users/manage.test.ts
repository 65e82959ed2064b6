/**
 * @module Users as others see and write them, and roles as configuration.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createToken, sendJson, serve } from '../../support/recorded.ts';
import { PASSWORD, post, refusalOf, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
let kept = 0;

beforeAll(async () => {
  await createToken('reads', 'read-only');
  kept = (await register(send, 'yves')).user.id;
});

describe('users', () => {
  it('are read in one round trip and written in two', async () => {
    const { user } = await register(send, 'walt');
    const counted = countedDatabase(env.DB);
    const counting = serve({}, { DB: counted.database });
    await counting('/api/users/me', bearer('full'));
    const asks: readonly (readonly [number, Promise<Response> | (() => Promise<Response>)])[] = [
      [1, () => counting('/api/users?populate=role', bearer('full'))],
      [1, () => counting('/api/users/count', bearer('full'))],
      [1, () => counting(`/api/users/${user.id}`, bearer('full'))],
      [2, () => counting(`/api/users/${user.id}`, sendJson('PUT', 'full', { username: 'walter' }))],
      [2, () => counting(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') })],
    ];
    for (const [most, ask] of asks) {
      const before = counted.answering().length;
      expect((await (ask as () => Promise<Response>)()).status).toBe(200);
      expect(counted.answering().length - before).toBe(most);
    }
  });

  it('leave nothing behind when deleted', async () => {
    const { user } = await register(send, 'xena');
    const before = Number(await (await send('/api/users/count', bearer('full'))).text());
    const owner = await env.DB.prepare('select document_id from up_users where id = ?')
      .bind(user.id)
      .first('document_id');
    await send(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') });
    expect(Number(await (await send('/api/users/count', bearer('full'))).text())).toBe(before - 1);
    const links = await env.DB.prepare('select * from up_users_role_lnk where source_document_id = ?')
      .bind(owner)
      .all();
    expect(links.results).toEqual([]);
  });

  it('are listed whole or not at all: pages are asked for with start and limit', async () => {
    for (const name of ['vera', 'veit']) await register(send, name);
    const count = Number(await (await send('/api/users/count', bearer('full'))).text());
    const capped = (plainList: number) => serve({ api: { rest: { limits: { plainList } } } });
    const list = async (most: number, query = '') => capped(most)(`/api/users${query}`, bearer('full'));
    const usersIn = async (response: Response) => ((await response.json()) as unknown[]).length;
    expect(await usersIn(await list(count))).toBe(count);
    for (const query of ['', '?limit=-1', '?limit=0', `?limit=${count}`, '?limit=1000000', '?populate=role'])
      expect(await refusalOf(await list(count - 1, query))).toBe(
        `400 ValidationError: Too many entries. Expected at most ${count - 1}: use start and limit`,
      );
    expect(await usersIn(await list(count - 1, '?start=1'))).toBe(count - 1);
    expect(await usersIn(await list(2, '?limit=2'))).toBe(2);
    expect(await usersIn(await list(2, '?filters[username]=vera'))).toBe(1);
    const error = (await (await list(1)).json()) as { error: { details: unknown } };
    expect(error.error.details).toEqual({ source: 'query', limit: 'plainList' });
  });

  it('are not read from a start that is no number, one of them or their number neither', async () => {
    for (const path of ['/api/users', '/api/users/count', '/api/users/1', '/api/upload/files'])
      expect(await refusalOf(await send(`${path}?start=x`, bearer('full')))).toContain(
        '400 ValidationError: convertStartQueryParams expected a positive integer got NaN',
      );
  });
});

it('a body is parsed once, however many rules read it', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  const body = { username: 'zoe', email: 'zoe@example.com', password: PASSWORD };
  await post(send, '/api/auth/local/register', body);
  const bodies = parse.mock.calls.filter(([text]) => text === JSON.stringify(body));
  parse.mockRestore();
  expect(bodies).toHaveLength(1);
});

describe('roles', () => {
  it('show their conditions to who may read them, and to nobody else', async () => {
    const grant = { action: ['api::tag.tag.find'], where: { name: 'public' }, fields: ['name'] };
    const served = serve({ roles: { public: [grant], authenticated: [grant, 'api::tag.tag.find'] } });
    const conditionsOf = async (id: number) =>
      (await (await served(`/api/users-permissions/roles/${id}`, bearer('full'))).json<{ role: object }>()).role;
    expect(await conditionsOf(2)).toMatchObject({ conditions: [grant] });
    expect(await conditionsOf(1)).not.toHaveProperty('conditions');
    const listed = await (await served('/api/users-permissions/roles', bearer('full'))).text();
    expect(listed).toContain('"authenticated"');
    expect(listed).not.toContain('conditions');
    expect((await served('/api/users-permissions/roles/2')).status).toBe(403);
  });

  it('have the same times in every answer', async () => {
    const timesOf = ({ createdAt, updatedAt, publishedAt }: Record<string, unknown>) => [
      createdAt,
      updatedAt,
      publishedAt,
    ];
    const json = async (path: string) =>
      (await (await send(path, bearer('full'))).json()) as Record<string, Record<string, unknown>>;
    const all = async (id: unknown, user: unknown) => {
      const { roles } = (await json('/api/users-permissions/roles')) as unknown as {
        readonly roles: readonly Record<string, unknown>[];
      };
      const { role } = await json(`/api/users-permissions/roles/${id}`);
      const populated = (await json(`/api/users/${user}?populate=role`)).role;
      return [roles.find((each) => each.id === id), role, populated].map((shown) => timesOf(shown ?? {}));
    };
    const created = await send(
      '/api/users',
      sendJson('POST', 'full', { username: 'timed', email: 'timed@example.com', password: 'secret12', role: 1 }),
    );
    const { id } = (await created.json()) as { readonly id: number };
    const fresh = Array(3).fill('1970-01-01T00:00:00.000Z');
    expect(await all(1, id)).toEqual([fresh, fresh, fresh]);
    await env.DB.prepare(
      'update up_roles set created_at = 1000, updated_at = 2000, published_at = 3000 where id = 1',
    ).run();
    const imported = [1000, 2000, 3000].map((time) => new Date(time).toISOString());
    expect(await all(1, id)).toEqual([imported, imported, imported]);
  });

  it('are written in the settings alone', async () => {
    const response = await send('/api/users-permissions/roles/1', sendJson('PUT', 'full', {}));
    expect(await refusalOf(response)).toMatch(/^400 ApplicationError: Roles are configuration/);
    expect((await send('/api/users-permissions/roles/1', sendJson('PUT', 'reads', {}))).status).toBe(403);
  });
});

describe('relations of roles', () => {
  it.each(['permissions', 'users', '*'])('are known and left out: %s', async (name) => {
    const path = name === '*' ? 'role' : `role.${name}`;
    for (const search of [
      `populate[role][populate]=${name}`,
      `populate=${path}`,
      'populate[role][populate][0]=users',
    ]) {
      const answer = await send(`/api/users/${kept}?${search}`, bearer('full'));
      const { role } = (await answer.json()) as { role: Record<string, unknown> };
      expect(Object.keys(role).sort()).toEqual(
        ['createdAt', 'description', 'documentId', 'id', 'name', 'publishedAt', 'type', 'updatedAt'].sort(),
      );
    }
  });
});
