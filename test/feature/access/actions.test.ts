/**
 * @module Each action id lets in to its routes, and to nothing else; what is told of the actions of a role.
 */
import { describe, expect, it } from 'vitest';
import { contentActions, PLUGIN_ACTIONS } from '../../../src/access/actions.ts';
import { bearer, recordedRegistry, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const AUTH = 'plugin::users-permissions.auth.';
const USER = 'plugin::users-permissions.user.';
const ROLE = 'plugin::users-permissions.role.';

const PLUGIN_ROUTES: readonly (readonly [method: string, path: string, action: string])[] = [
  ['POST', '/api/auth/local', `${AUTH}callback`],
  ['POST', '/api/auth/local/register', `${AUTH}register`],
  ['POST', '/api/auth/forgot-password', `${AUTH}forgotPassword`],
  ['POST', '/api/auth/reset-password', `${AUTH}resetPassword`],
  ['POST', '/api/auth/change-password', `${AUTH}changePassword`],
  ['POST', '/api/auth/send-email-confirmation', `${AUTH}sendEmailConfirmation`],
  ['GET', '/api/auth/email-confirmation', `${AUTH}emailConfirmation`],
  ['POST', '/api/auth/refresh', `${AUTH}refresh`],
  ['POST', '/api/auth/logout', `${AUTH}logout`],
  ['GET', '/api/users', `${USER}find`],
  ['GET', '/api/users/count', `${USER}count`],
  ['GET', '/api/users/me', `${USER}me`],
  ['GET', '/api/users/1', `${USER}findOne`],
  ['POST', '/api/users', `${USER}create`],
  ['PUT', '/api/users/1', `${USER}update`],
  ['DELETE', '/api/users/99', `${USER}destroy`],
  ['GET', '/api/users-permissions/roles', `${ROLE}find`],
  ['GET', '/api/users-permissions/roles/1', `${ROLE}findOne`],
  ['POST', '/api/users-permissions/roles', `${ROLE}createRole`],
  ['PUT', '/api/users-permissions/roles/1', `${ROLE}updateRole`],
  ['DELETE', '/api/users-permissions/roles/1', `${ROLE}deleteRole`],
  ['GET', '/api/users-permissions/permissions', 'plugin::users-permissions.permissions.getPermissions'],
  ['GET', '/api/i18n/locales', 'plugin::i18n.locales.listLocales'],
];

const CONTENT_ROUTES = [...recordedRegistry.routes.values()].flatMap(({ uid, kind, singularName, pluralName }) => {
  const one = kind === 'singleType' ? `/api/${singularName}` : `/api/${pluralName}/abc`;
  const many = `/api/${pluralName}`;
  const common = [
    ['PUT', one, `${uid}.update`],
    ['DELETE', one, `${uid}.delete`],
  ] as const;
  if (kind === 'singleType') return [['GET', one, `${uid}.find`] as const, ...common];
  return [
    ['GET', many, `${uid}.find`] as const,
    ['GET', one, `${uid}.findOne`] as const,
    ['POST', many, `${uid}.create`] as const,
    ...common,
  ];
});

const ROUTES = [...PLUGIN_ROUTES, ...CONTENT_ROUTES];
const ALL = [...contentActions(recordedRegistry), ...PLUGIN_ACTIONS];

const ask = (send: ReturnType<typeof serve>, method: string, path: string) =>
  send(path, {
    method,
    ...(method !== 'GET' && method !== 'DELETE' && { body: '{"nope":1}' }),
    headers: { 'content-type': 'application/json' },
  });

openMagazine();

it.each(ROUTES)('%s %s needs %s of a role, and nothing else', async (method, path, action) => {
  const grant = (actions: readonly string[]) =>
    serve({ roles: { public: [...actions] }, users: { defaultGrants: false } });
  expect((await ask(grant(ALL.filter((id) => id !== action)), method, path)).status).toBe(403);
  expect((await ask(grant([action]), method, path)).status).not.toBe(403);
});

describe('the list of permissions', () => {
  const inheritedBy = async (settings: Parameters<typeof serve>[0], name: string) => {
    const send = serve(settings);
    const { roles } = (await (await send('/api/users-permissions/roles', bearer('full'))).json()) as {
      roles: { id: number; type: string }[];
    };
    const id = roles.find(({ type }) => type === name)?.id;
    const response = await send(`/api/users-permissions/roles/${id}`, bearer('full'));
    return ((await response.json()) as { role: { inherited?: readonly string[] } }).role.inherited;
  };

  it('names the drafts that a role reads because everybody does', async () => {
    const article = (...names: readonly string[]) => names.map((name) => `api::article.article.${name}`);
    const roles = { public: article('find', 'readDrafts'), reader: article('find'), editor: article('readDrafts') };
    expect(await inheritedBy({ roles }, 'reader')).toEqual(article('readDrafts'));
    expect(await inheritedBy({ roles }, 'public')).toBeUndefined();
    expect(await inheritedBy({ roles }, 'editor')).toBeUndefined();
    const open = { roles: { reader: article('find') }, api: { rest: { publicDrafts: true } } };
    expect(await inheritedBy(open, 'reader')).toEqual(article('readDrafts'));
  });

  it('has every action, and says of a role which ones it has', async () => {
    const send = serve({ roles: { editor: ['api::tag.tag.find', 'plugin::custom.thing.do'] } });
    const { roles } = (await (await send('/api/users-permissions/roles', bearer('full'))).json()) as {
      roles: { id: number; type: string }[];
    };
    const id = roles.find(({ type }) => type === 'editor')?.id;
    const { role } = (await (await send(`/api/users-permissions/roles/${id}`, bearer('full'))).json()) as {
      role: { permissions: Record<string, { controllers: Record<string, Record<string, { enabled: boolean }>> }> };
    };
    const told = Object.entries(role.permissions).flatMap(([owner, { controllers }]) =>
      Object.entries(controllers).flatMap(([controller, actions]) =>
        Object.entries(actions).map(([action, { enabled }]) => [`${owner}.${controller}.${action}`, enabled] as const),
      ),
    );
    expect(told.map(([action]) => action).toSorted()).toEqual([...ALL, 'plugin::custom.thing.do'].toSorted());
    expect(told.filter(([, enabled]) => enabled).map(([action]) => action)).toEqual([
      'api::tag.tag.find',
      'plugin::custom.thing.do',
    ]);
  });
});
