/**
 * @module The bodies and responses of accounts in the OpenAPI document, by the settings and the attributes of users.
 */
import { describe, expect, it } from 'vitest';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { registryOf, userFile } from '../../support/schema-files.ts';
import { at, type Json } from './reading.ts';

const user = userFile({ nickname: { type: 'string' }, age: { type: 'integer' }, pin: { type: 'password' } });
const registry = registryOf([], [], {}, { user });
const providers = { company: { issuer: 'https://sso.example.com', clientId: 'site', secret: 'COMPANY_SECRET' } };
const access = { team: 'https://example.cloudflareaccess.com', audience: 'a'.repeat(64) };
const REFRESH = { jwtManagement: 'refresh' } as const;

const described = (input: SettingsInput = {}) =>
  describeApi(registry, parseSettings({ server: { url: 'https://api.example.com' }, ...input }));
const SCHEMA = ['content', 'application/json', 'schema'];
const responseOf = (method: string, path: string, users: object = {}, status = '200') =>
  at(described({ users }), 'paths', path, method, 'responses', status, ...SCHEMA) as Json;
const bodyOf = (method: string, path: string, users: object = {}) =>
  at(described({ users }), 'paths', path, method, 'requestBody', ...SCHEMA) as Json;
const keysOf = (value: unknown) => Object.keys((value ?? {}) as object);

describe('a response', () => {
  it.each([
    [{}, ['jwt', 'user']],
    [REFRESH, ['jwt', 'refreshToken', 'user']],
  ])('of a sign-in has the tokens of the settings %j, which may be missing, and a user', (users, names) => {
    for (const path of ['/api/auth/local', '/api/auth/local/register', '/api/auth/{provider}/callback']) {
      const method = path.includes('provider') ? 'get' : 'post';
      const schema = responseOf(method, path, { providers, ...users });
      expect([keysOf(schema.properties), schema.required]).toEqual([names, ['user']]);
    }
  });

  it('of sessions names those of a session that are always there', () => {
    const session = at(
      described({ users: REFRESH }),
      'paths',
      '/api/auth/sessions',
      'get',
      'responses',
      '200',
      ...SCHEMA,
    );
    expect(session).toMatchObject({
      required: ['data'],
      properties: { data: { type: 'array', items: { required: ['id', 'current', 'loginAt', 'lastActiveAt'] } } },
    });
  });

  it.each([
    ['post', '/api/auth/refresh', '200', ['jwt']],
    ['post', '/api/auth/logout', '200', ['ok']],
    ['post', '/api/users/invite', '201', ['user', 'sent']],
    ['get', '/api/users/me/identities', '200', ['data']],
  ])('%s %s always has what it has in each case', (method, path, status, required) => {
    expect(responseOf(method, path, { ...REFRESH, providers }, status).required).toEqual(required);
  });

  it('of a role has its users, and alone its permissions, conditions and inherited rights', () => {
    const listed = responseOf('get', '/api/users-permissions/roles');
    const role = { allOf: [{ $ref: expect.stringContaining('ole') }, { properties: { nb_users: expect.anything() } }] };
    expect(listed).toMatchObject({ required: ['roles'], properties: { roles: { items: role } } });
    expect(responseOf('get', '/api/users-permissions/roles/{id}')).toMatchObject({
      required: ['role'],
      properties: {
        role: {
          allOf: [
            role,
            {
              required: ['permissions'],
              properties: {
                permissions: expect.anything(),
                conditions: { type: 'array' },
                inherited: { type: 'array' },
              },
            },
          ],
        },
      },
    });
  });
});

describe('a body', () => {
  it.each([
    ['/api/auth/local', {}, ['identifier', 'password']],
    ['/api/auth/local', REFRESH, ['identifier', 'password', 'deviceId']],
    ['/api/auth/logout', REFRESH, ['refreshToken', 'scope', 'deviceId']],
    ['/api/auth/local/register', REFRESH, ['email', 'username', 'password']],
    [
      '/api/auth/local/register',
      { register: { allowedFields: ['nickname', 'unknown', 'blocked'] } },
      ['email', 'username', 'password', 'nickname'],
    ],
    ['/api/auth/forgot-password', { register: { allowedFields: ['nickname'] } }, ['email']],
    ['/api/users', {}, ['email', 'username', 'password', 'role', 'confirmed', 'blocked', 'nickname', 'age', 'pin']],
  ])('of %s with the settings %j has %j', (path, users, names) => {
    const { properties, type } = bodyOf('post', path, users);
    expect([keysOf(properties).toSorted(), type]).toEqual([names.toSorted(), 'object']);
  });

  it('is at no route that reads none', () => {
    for (const [method, path] of [
      ['get', '/api/users/me'],
      ['delete', '/api/users/{id}'],
    ] as const)
      expect(at(described(), 'paths', path, method)).not.toHaveProperty('requestBody');
  });
});

describe('the parameters', () => {
  const namesOf = (path: string, method = 'get') => {
    const list = (at(described({ users: { ...REFRESH, providers } }), 'paths', path, method, 'parameters') ??
      []) as object[];
    return list.map((_, index) => {
      const { name, required } = at(
        described({ users: { ...REFRESH, providers } }),
        'paths',
        path,
        method,
        'parameters',
        index,
      ) as Json;
      return `${name}${required === true ? '!' : ''}`;
    });
  };

  it('of a confirmation are those of its link', () => {
    expect(namesOf('/api/auth/email-confirmation')).toEqual(['confirmation!', 'email']);
  });

  it('of lists, numbers and single users differ, and bodies have none', () => {
    const [list, one, count] = ['/api/users', '/api/users/me', '/api/users/count'].map((path) => namesOf(path));
    expect(list).toEqual(expect.arrayContaining(['start', 'limit', 'sort', 'populate']));
    expect(one).toContain('populate');
    expect(one).not.toContain('limit');
    expect(count?.some((name) => /^filters/.test(name))).toBe(true);
    expect(count).not.toContain('sort');
    expect(namesOf('/api/auth/local', 'post')).toEqual([]);
  });

  it('of the ways by a provider are those that each reads', () => {
    expect(namesOf('/api/connect/{provider}')).toEqual(['callback', 'code_challenge', 'code_challenge_method']);
    expect(namesOf('/api/connect/{provider}/callback')).toEqual(['code', 'state', 'iss', 'error', 'error_description']);
    expect(namesOf('/api/auth/{provider}/callback')).toEqual(['access_token', 'code_verifier']);
    const redirection = at(described({ users: { providers } }), 'paths', '/api/connect/{provider}', 'get', 'responses');
    expect((redirection as Json)['302']).not.toHaveProperty('content');
    const path = ['paths', '/api/connect/{provider}', 'parameters', 0] as const;
    expect(at(described({ users: { providers } }), ...path)).toMatchObject({
      name: 'provider',
      schema: { enum: ['company'] },
    });
  });

  it('of a path are named once, and by their place', () => {
    const pathNames = (path: string) =>
      ((at(described({ users: { ...REFRESH, providers } }), 'paths', path, 'parameters') ?? []) as Json[]).map(
        ({ name }) => name,
      );
    expect(pathNames('/api/auth/sessions/{id}')).toEqual(['id']);
    expect(pathNames('/api/users/{id}/sessions/{session}')).toEqual(['id', 'session']);
    expect(pathNames('/api/users/{id}')).toEqual(['id']);
    expect(pathNames('/api/users')).toEqual([]);
    const id = (path: string) => at(described({ users: REFRESH }), 'paths', path, 'parameters', 0, 'schema');
    expect(id('/api/auth/sessions/{id}')).toEqual({ type: 'string' });
    expect(id('/api/users/{id}')).not.toEqual({ type: 'string' });
  });
});

describe('the statuses', () => {
  const statusesOf = (method: string, path: string, input: SettingsInput = {}) =>
    keysOf(at(described(input), 'paths', path, method, 'responses'));
  const off = { rateLimit: { auth: { enabled: false } } };

  it.each([
    ['put', '/api/users/{id}', ['404', '413'], ['429']],
    ['post', '/api/auth/local', ['413', '429'], ['404']],
    ['get', '/api/users', [], ['404', '413', '429']],
    ['get', '/api/auth/{provider}/callback', ['200', '429'], ['302']],
    ['get', '/api/connect/{provider}', ['302', '429'], ['200']],
    ['post', '/api/auth/access', ['200', '429'], []],
  ])('of %s %s are %j and not %j', (method, path, some, none) => {
    const statuses = statusesOf(method, path, { users: { providers }, access });
    expect(statuses).toEqual(expect.arrayContaining(some));
    expect(statuses.filter((status) => none.includes(status))).toEqual([]);
    expect(statusesOf(method, path, { users: { providers }, access, ...off })).not.toContain('429');
  });
});

it('the routes are those that the settings switch on, each for itself', () => {
  const has = (users: object) => {
    const { paths } = described({ users });
    return ['/api/auth/sessions', '/api/users/me/identities', '/api/users/me'].map((path) => path in paths);
  };
  expect(has({})).toEqual([false, false, true]);
  expect(has(REFRESH)).toEqual([true, false, true]);
  expect(has({ providers })).toEqual([false, true, true]);
  expect(has({ ...REFRESH, providers })).toEqual([true, true, true]);
});

it('a sign-in by Cloudflare Access takes the headers that it sends', () => {
  const operation = at(described({ access }), 'paths', '/api/auth/access', 'post') as Json;
  expect(operation.parameters).toMatchObject([
    { name: 'Cf-Access-Jwt-Assertion', in: 'header', required: true },
    { name: 'Origin', in: 'header', required: true },
  ]);
  expect(operation.tags).toEqual(['users']);
});
