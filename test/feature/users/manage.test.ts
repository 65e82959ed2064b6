/**
 * @module Users as others see and write them, and roles as configuration.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createToken, sendJson, serve } from '../../support/recorded.ts';
import { PASSWORD, post, refusalOf, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
let kept = 0;
const CLOSED = '400 ApplicationError: Register action is currently disabled';

/** documentId of the role `public`: it follows from the name. */
const PUBLIC = 'rolepublic1krc8zk0000000';

/** Types of all roles that are linked to a user. */
async function rolesOf(id: number): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    'select r.type from up_users u join up_users_role_lnk l on l.source_document_id = u.document_id join up_roles r on r.document_id = l.target_document_id where u.id = ?',
  )
    .bind(id)
    .all();
  return results.map(({ type }) => type);
}

beforeAll(async () => {
  await createToken('reads', 'read-only');
  kept = (await register(send, 'yves')).user.id;
});

describe('settings of users', () => {
  it.each([
    ['defaultRole', { defaultRole: 'nope' }],
    ['defaultRole', { defaultRole: 'public' }],
    ['jwtExpiresIn', { jwtExpiresIn: 'forever' }],
    ['allowRegistration', { allowRegistration: 'yes' }],
  ])('with a wrong %s are refused by name', (key, users) => {
    expect(() => parseSettings({ users })).toThrow(`users.${key}: `);
  });

  it('may close the registration', async () => {
    const closed = serve({ users: { allowRegistration: false } });
    expect(await refusalOf(await post(closed, '/api/auth/local/register', {}))).toBe(CLOSED);
  });

  it('know no other provider', async () => {
    const { jwt } = await register(send, 'paul');
    for (const path of ['/api/connect/google', '/api/connect/google/callback', '/api/auth/google/callback']) {
      expect(await refusalOf(await send(path))).toBe('400 ApplicationError: This provider is disabled');
      expect((await send(path, bearer(jwt))).status).toBe(403);
      expect((await send(path, { method: 'PATCH' })).headers.get('allow')).toBe('HEAD, GET');
    }
  });

  it('may take away what a fresh server grants', async () => {
    const bare = serve({ users: { defaultGrants: false } });
    expect((await post(bare, '/api/auth/local', {})).status).toBe(403);
  });

  it('may give those who register another role', async () => {
    const roles = { reader: ['plugin::users-permissions.user.me', 'plugin::users-permissions.role.find'] };
    const own = serve({ roles, users: { defaultRole: 'reader' } });
    const { jwt } = await register(own, 'rita');
    const me = await (await own('/api/users/me?populate=role', bearer(jwt))).json();
    expect(me).toMatchObject({ username: 'rita', role: { type: 'reader', name: 'Reader' } });
  });
});

describe('users', () => {
  it('registered twice at the same moment exist once', async () => {
    const body = { username: 'twin', email: 'twin@example.com', password: PASSWORD };
    const answers = await Promise.all([1, 2, 3].map(() => post(send, '/api/auth/local/register', body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });

  it('do not show or filter by what is private', async () => {
    await register(send, 'vera');
    const text = await (await send('/api/users?populate=*', bearer('full'))).text();
    expect(text).toContain('"username"');
    expect(text).not.toMatch(/password|token|scrypt/i);
    for (const name of ['password', 'resetPasswordToken', 'confirmationToken', 'passwordChangedAt'])
      expect((await send(`/api/users?filters[${name}][$notNull]=true`, bearer('full'))).status).toBe(400);
  });

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

  it.each([
    ['start=x', 'ValidationError: convertStartQueryParams expected a positive integer got NaN'],
    ['start=-1', 'ValidationError: convertStartQueryParams expected a positive integer got -1'],
    ['limit=1.5', 'ValidationError: convertLimitQueryParams expected a positive integer got 1.5'],
    ['page=', "PaginationError: Invalid 'page' parameter. Expected an integer > 0, received: "],
    ['pageSize=0', "PaginationError: Invalid 'pageSize' parameter. Expected an integer > 0, received: 0"],
    [
      'page=1&limit=1',
      'PaginationError: Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object',
    ],
    ['publicationFilter=x', "ValidationError: Invalid value for 'publicationFilter'. Expected one of: never-published"],
  ])('are not read by %s, one of them or their number neither', async (query, answer) => {
    for (const path of ['/api/users', '/api/users/count', '/api/users/1', '/api/upload/files'])
      expect(await refusalOf(await send(`${path}?${query}`, bearer('full')))).toContain(`400 ${answer}`);
  });

  it.each([
    [null, 'role', 'role must be a `object` type, but the final value was: `null`.'],
    [-1, 'role', 'role must be a `strapiID` type, but the final value was: `-1`.'],
    [[], 'role', 'role must be a `object` type, but the final value was: `[]`.'],
    [99, 'role', '1 relation(s) of type plugin::users-permissions.role associated with this entity do not exist'],
    ['', 'role', 'Invalid relations'],
    [{ connect: 2 }, 'role.connect', 'role.connect must be a `array` type, but the final value was: `2`.'],
    [{ connect: [2] }, 'role.connect.0', 'role.connect[0] must be a `object` type, but the final value was: `2`.'],
    [{ connect: [{}] }, 'role.connect.0', 'Relation entry must include an id or documentId'],
    [{ disconnect: [{ id: 1 }] }, 'role.disconnect', 'Cannot remove role'],
    [{ disconnect: [{ id: 1 }], connect: [] }, 'role.disconnect', 'Cannot remove role'],
    [{ set: [] }, 'role.set', 'Users must have a role'],
    [{ set: null }, 'role.set', 'Users must have a role'],
    [{ set: [false] }, 'role.set', 'Users must have a role'],
    [{ set: [null], connect: [{ id: 1 }] }, 'role.set', 'Users must have a role'],
    [{ set: null, connect: [{ id: 1 }] }, 'role.set', 'Users must have a role'],
    [
      { set: [2], connect: [{ id: 1 }] },
      'role',
      'role has "set" beside "connect" or "disconnect". Expected "set" alone, or the others',
    ],
  ])('keep their role by %j', async (role, path, message) => {
    const response = await send(`/api/users/${kept}`, sendJson('PUT', 'full', { role }));
    const { error } = (await response.json()) as { error: { details: { errors: unknown[] } } };
    expect(response.status).toBe(400);
    expect(error.details.errors).toMatchObject([{ path: path ? path.split('.') : [], message }]);
    expect(await rolesOf(kept)).toEqual(['authenticated']);
  });

  it.each([
    {},
    { connect: [] },
    { disconnect: [] },
    { connect: [{ id: 1 }], disconnect: [{ id: 1 }] },
    { set: [1] },
    1,
  ])('keep the role that they have by %j', async (role) => {
    const response = await send(`/api/users/${kept}`, sendJson('PUT', 'full', { role }));
    expect(await response.json()).toMatchObject({ role: { type: 'authenticated' } });
    expect(await rolesOf(kept)).toEqual(['authenticated']);
  });

  it.each([
    [{ set: null }, 'authenticated'],
    [{ set: null, connect: [{ id: 2 }] }, 'public'],
    [{ set: [2], connect: [{ id: 1 }] }, 'public'],
  ])('get, or keep, a role by %j as in Strapi with mixedRelations: strapi', async (role, type) => {
    const likeStrapi = serve({ api: { documents: { mixedRelations: 'strapi' } } });
    const user = { username: 'mixed', email: 'mixed@example.com', password: PASSWORD, role: 1 };
    const { id } = (await (await send('/api/users', sendJson('POST', 'full', user))).json()) as { id: number };
    const response = await likeStrapi(`/api/users/${id}`, sendJson('PUT', 'full', { role }));
    expect(await response.json()).toMatchObject({ role: { type } });
    expect(await rolesOf(id)).toEqual([type]);
    await send(`/api/users/${id}`, { method: 'DELETE', ...bearer('full') });
  });

  it.each([
    'public',
    { connect: [{ id: 2 }] },
    { connect: [{ documentId: PUBLIC }] },
    { connect: [{ id: '2', position: { end: true } }], disconnect: [{ id: 1 }] },
    { connect: [{ id: 2 }, { id: 1 }] },
    { set: [2] },
    { id: 2 },
  ])('get the other role, and it alone, by %j', async (role) => {
    const user = { username: 'moved', email: 'moved@example.com', password: PASSWORD };
    const { id } = (await (await send('/api/users', sendJson('POST', 'full', { ...user, role: 1 }))).json()) as {
      id: number;
    };
    const response = await send(`/api/users/${id}`, sendJson('PUT', 'full', { role }));
    expect(await response.json()).toMatchObject({ role: { type: 'public' } });
    expect(await rolesOf(id)).toEqual(['public']);
    await send(`/api/users/${id}`, { method: 'DELETE', ...bearer('full') });
  });

  it('lose what their role allowed with the request that connects another', async () => {
    const { jwt, user } = await register(send, 'demoted');
    expect((await send('/api/users/me', bearer(jwt))).status).toBe(200);
    await send(`/api/users/${user.id}`, sendJson('PUT', 'full', { role: { connect: [{ id: 2 }] } }));
    expect((await send('/api/users/me', bearer(jwt))).status).toBe(403);
  });

  it.each([
    null,
    {},
    [],
    [1],
    -1,
    { connect: [] },
    { connect: [null] },
    { connect: 1 },
    { set: [1] },
    { connect: [{ id: 1 }], set: [] },
    { connect: [{ id: 1 }], set: null },
    { connect: [{ id: 1 }], set: [false] },
    { connect: [{ id: 1 }], set: [2] },
  ])('are not made with the role %j', async (role) => {
    const body = { username: 'norole', email: 'norole@example.com', password: PASSWORD, role };
    expect((await send('/api/users', sendJson('POST', 'full', body))).status).toBe(400);
  });

  it.each(['1.5', '-1', 'abc', '9'.repeat(30), '%00'])('are not found by the id %s', async (id) => {
    expect((await send(`/api/users/${id}`, bearer('full'))).status).toBe(204);
  });
});

describe('a path of users', () => {
  it.each([
    ['OPTIONS', '/api/users', 200, 'HEAD, GET, POST'],
    ['DELETE', '/api/users', 405, 'HEAD, GET, POST'],
    ['POST', '/api/users/1', 405, 'HEAD, GET, PUT, DELETE'],
    ['PUT', '/api/auth/local', 405, 'HEAD, GET, POST'],
    ['GET', '/api/auth/local/register', 404, null],
  ])('tells its methods to %s %s', async (method, path, status, allow) => {
    const response = await send(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
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
  it('are told to whoever may know them', async () => {
    expect((await send('/api/users-permissions/roles')).status).toBe(403);
    const { roles } = (await (await send('/api/users-permissions/roles', bearer('reads'))).json()) as {
      roles: { type: string; id: number }[];
    };
    expect(roles.map(({ type, id }) => [type, id])).toEqual([
      ['authenticated', 1],
      ['public', 2],
    ]);
    const { role } = (await (await send('/api/users-permissions/roles/2', bearer('full'))).json()) as {
      role: { permissions: Record<string, { controllers: Record<string, Record<string, { enabled: boolean }>> }> };
    };
    expect(role.permissions['plugin::users-permissions']?.controllers.auth?.register?.enabled).toBe(true);
    expect(role.permissions['api::tag']?.controllers.tag?.find?.enabled).toBe(false);
  });

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
  it.each(['populate[role][populate]=nope', 'populate=role.nope'])('that are none are refused: %s', async (search) => {
    expect(await refusalOf(await send(`/api/users/${kept}?${search}`, bearer('full')))).toMatch(/Invalid key nope/);
  });

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

  /** Strapi checks documents twice, and users and files once. */
  it.each(['populate[role]=*', 'populate[role][populate][users]=*'])(
    'are left out below a star: %s',
    async (search) => {
      const answer = await send(`/api/users/${kept}?${search}`, bearer('full'));
      const { role } = (await answer.json()) as { role: object };
      expect(role).toHaveProperty('type');
      expect(role).not.toHaveProperty('permissions');
      expect(role).not.toHaveProperty('users');
    },
  );

  it.each([
    ['populate[role][]=*', 'Invalid key * at role'],
    ['populate[role]=true&populate[role]=true', "Invalid nested populate. Expected '*' or an object"],
    ['populate[role]=true&populate[role]=nope', 'Invalid key nope at role'],
    ['populate[role]=name', 'Invalid key name at role.name'],
  ])('are refused in a list, and as a text: %s', async (search, message) => {
    expect(await refusalOf(await send(`/api/users/${kept}?${search}`, bearer('full')))).toBe(
      `400 ValidationError: ${message}`,
    );
  });

  it('show the role of a new user to who may see roles, and to nobody else', async () => {
    const body = (name: string) => ({ username: name, email: `${name}@example.com`, password: PASSWORD });
    const shown = await (await post(send, '/api/auth/local/register', body('roland'), 'full')).json();
    expect(shown).toMatchObject({ user: { role: { type: 'authenticated' } } });
    expect((await register(send, 'ronja')).user).not.toHaveProperty('role');
  });
});
