/**
 * @module What the responses of accounts have for each caller: sessions, roles, invitations, and the pages of other sites.
 */
import { describe, expect, it, vi } from 'vitest';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { box, claimsOf, join, roles, tokensOf, users } from '../../support/sessions.ts';
import { PASSWORD, post } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const SESSIONS = ['plugin::users-permissions.user.getSessions', 'plugin::users-permissions.user.revokeSession'];
const { send } = openMagazine(
  { roles: { authenticated: [...roles.authenticated, ...SESSIONS] }, users },
  {},
  { emailSender: box },
);

type Shown = Readonly<Record<string, unknown>>;
const json = async <T = Shown>(path: string, token = 'full', by = send): Promise<T> =>
  (await by(path, bearer(token))).json();

describe('a session', () => {
  it('of a client that names neither itself nor a device has no such keys', async () => {
    await join('anna', send);
    const body = { identifier: 'anna', password: PASSWORD };
    const { jwt } = await tokensOf(post(send, '/api/auth/local', body));
    const { data } = await json<{ data: Shown[] }>('/api/auth/sessions', jwt);
    expect(Object.keys(data[0] ?? {})).toEqual(['id', 'current', 'loginAt', 'lastActiveAt']);
    expect(Object.keys(data[1] ?? {})).toEqual(['id', 'deviceId', 'current', 'loginAt', 'lastActiveAt']);
  });

  it('is the current one of a user who manages sessions, and of no other caller', async () => {
    const { jwt, user } = await join('bert', send);
    const { data } = await json<{ data: Shown[] }>(`/api/users/${user.id}/sessions`, jwt);
    expect(data).toMatchObject([{ id: claimsOf(jwt).sessionId, current: true }]);
    const byToken = await json<{ data: Shown[] }>(`/api/users/${user.id}/sessions`);
    expect(byToken.data).toMatchObject([{ current: false }]);
  });
});

describe('roles', () => {
  it('have each action of content, plugins and the settings, and say which are granted', async () => {
    const own = serve({ roles: { reader: ['api::own.own.act', 'api::tag.tag.find'] } });
    const { roles: list } = await json<{ roles: { id: number; type: string }[] }>(
      '/api/users-permissions/roles',
      'full',
      own,
    );
    const id = list.find(({ type }) => type === 'reader')?.id;
    const { role } = await json<{ role: Shown }>(`/api/users-permissions/roles/${id}`, 'full', own);
    const granted = (enabled: boolean) => ({ enabled, policy: '' });
    expect(role.permissions).toMatchObject({
      'api::own': { controllers: { own: { act: granted(true) } } },
      'api::tag': { controllers: { tag: { find: granted(true), create: granted(false) } } },
      'plugin::users-permissions': { controllers: { user: { destroy: granted(false) } } },
    });
    const { permissions } = await json<{ permissions: object }>('/api/users-permissions/permissions', 'full', own);
    expect(permissions).toMatchObject({
      'api::own': { controllers: { own: { act: granted(false) } } },
      'api::tag': { controllers: { tag: { find: granted(false) } } },
    });
  });

  it('are counted with their users, and absent by an unknown number', async () => {
    const counts = async () => {
      const { roles: list } = await json<{ roles: Shown[] }>('/api/users-permissions/roles');
      return Object.fromEntries(list.map(({ type, nb_users }) => [type, nb_users]));
    };
    const before = await counts();
    await join('dora', send);
    expect(await counts()).toEqual({ ...before, authenticated: Number(before.authenticated) + 1 });
    expect(before.public).toBe(0);
    expect((await send('/api/users-permissions/roles/4711', bearer('full'))).status).toBe(404);
  });
});

describe('an invitation', () => {
  it.each(['id', 'documentId', 'type'])('names its role by the %s', async (key) => {
    const own = serve({ roles: { editor: [] } }, {}, box);
    const { roles: list } = await json<{ roles: Shown[] }>('/api/users-permissions/roles', 'full', own);
    const role = list.find(({ type }) => type === 'editor')?.[key];
    const response = await own('/api/users/invite', sendJson('POST', 'full', { email: `${key}@example.com`, role }));
    expect([response.status, await response.json()]).toMatchObject([201, { user: { role: { type: 'editor' } } }]);
  });
});

describe('a password that is chosen by an invitation', () => {
  it.each([
    ['in a message', true, false, true],
    ['in a message', true, true, true],
    ['from its inviter', false, false, true],
    ['from its inviter', false, true, false],
  ])(
    '%s (%s) confirms the address, where addresses are confirmed (%s): %s',
    async (_, sends, confirms, isConfirmed) => {
      const own = serve({ users: { emailConfirmation: confirms } }, {}, sends ? box : undefined);
      const email = `${sends}-${confirms}@example.com`;
      const invited = await own('/api/users/invite', sendJson('POST', 'full', { email }));
      const { link = box.messages.at(-1)?.text ?? '' } = (await invited.json()) as { readonly link?: string };
      const code = /code=([0-9a-f]+)/.exec(link)?.[1];
      const chosen = await post(own, '/api/auth/reset-password', {
        code,
        password: PASSWORD,
        passwordConfirmation: PASSWORD,
      });
      expect(await chosen.json()).toMatchObject({ user: { email, confirmed: isConfirmed } });
    },
  );
});

describe('a page of another site', () => {
  it('may use the routes that set no cookie', async () => {
    const inCookies = serve({ users: { ...users, sessions: { httpOnly: true } } }, {}, box);
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' };
    const from = async (path: string, body: object) =>
      (await inCookies(`https://site.test${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    expect(await from('/api/auth/forgot-password', { email: 'nobody@example.com' })).toBe(200);
    expect(await from('/api/auth/local', { identifier: 'nobody', password: 'x' })).toBe(403);
  });
});

describe('a deployment without a secret', () => {
  const without = serve({}, { JWT_SECRET: undefined } as never);

  it('signs nobody in, and makes nobody whom it would sign in', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const body = { username: 'nobody', email: 'nobody@example.com', password: PASSWORD };
    for (const [path, sent] of [
      ['/api/auth/local/register', body],
      ['/api/auth/forgot-password', { email: body.email }],
    ] as const)
      expect([path, (await post(without, path, sent)).status]).toEqual([path, 503]);
    expect(await json('/api/users?filters[username]=nobody')).toEqual([]);
    vi.restoreAllMocks();
  });

  it('shows users and makes them', async () => {
    const body = { username: 'made', email: 'made@example.com', password: PASSWORD, role: 1 };
    expect((await without('/api/users', sendJson('POST', 'full', body))).status).toBe(201);
    expect(await json('/api/users?filters[username]=made', 'full', without)).toMatchObject([{ username: 'made' }]);
  });
});

it('a user who is made with errors has no list of them with errorDetails: strapi', async () => {
  const strapi = serve({ api: { rest: { errorDetails: 'strapi' } } });
  const body = { username: 'ab', email: 'rita@example.com', password: 'secret1', role: 1 };
  const errorOf = async (by: typeof send) =>
    ((await (await by('/api/users', sendJson('POST', 'full', body))).json()) as { error: object }).error;
  expect(await errorOf(strapi)).toMatchObject({ name: 'ApplicationError', details: {} });
  expect(await errorOf(send)).toMatchObject({
    name: 'ApplicationError',
    details: { errors: [{ path: ['username'] }] },
  });
});
