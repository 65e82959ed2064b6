/**
 * @module What the OpenAPI document says of users, compared with the routes that there are.
 */
import { describe, expect, it } from 'vitest';
import { PLUGIN_ACTIONS } from '../../../src/access/actions.ts';
import { ACCOUNT_ROUTES } from '../../../src/schema/account-routes.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { registryOf, userFile } from '../../support/schema-files.ts';
import { at, described, type Json } from './reading.ts';

const providers = { company: { issuer: 'https://sso.example.com', clientId: 'site', secret: 'COMPANY_SECRET' } };
const REFRESH = { users: { jwtManagement: 'refresh', providers } } as const;
/** Routes that a deployment with long-lived tokens, or without providers, does not serve. */
const OPTIONAL = /\/auth\/(refresh|logout)|\/sessions|\/identities/;

const operations = (input = {}) =>
  Object.entries(described(input).paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter(
        (verb) =>
          verb !== 'parameters' &&
          !path.startsWith('/api/auth/{provider}') &&
          /^\/api\/(auth|users|users-permissions)(\/|$)/.test(path),
      )
      .map((verb) => `${verb} ${path}`),
  );

describe('the description of users', () => {
  it('has every route of users, and none that there is not', () => {
    const served = ACCOUNT_ROUTES.map(
      ({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(served.length).toBeGreaterThan(20);
    expect(operations(REFRESH).toSorted()).toEqual(served.toSorted());
    expect(operations().toSorted()).toEqual(served.filter((route) => !OPTIONAL.test(route)).toSorted());
  });

  it('names operations by actions that there are', () => {
    const known = PLUGIN_ACTIONS.filter((action) => action.startsWith('plugin::users-permissions.')).map((action) =>
      action.replace('plugin::users-permissions.', '').replace(/\.(.)/, (_, letter: string) => letter.toUpperCase()),
    );
    for (const operation of operations(REFRESH)) {
      const [verb = '', path = ''] = operation.split(' ');
      expect(known).toContain(at(described(REFRESH), 'paths', path, verb, 'operationId'));
    }
  });

  it('shows no secret of a user, and takes passwords where they are written', () => {
    const answer = ['responses', '200', 'content', 'application/json', 'schema'];
    const shown = at(described(), 'paths', '/api/users/{id}', 'get', ...answer, 'properties') as Json;
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(['id', 'documentId', 'username', 'email', 'blocked']));
    for (const name of ['password', 'resetPasswordToken', 'confirmationToken', 'passwordChangedAt'])
      expect(shown).not.toHaveProperty(name);
    const body = ['requestBody', 'content', 'application/json', 'schema', 'required'];
    expect(at(described(), 'paths', '/api/auth/local', 'post', ...body)).toEqual(['identifier', 'password']);
  });

  it('takes the attributes that the project gives users in bodies: of a registration, those of the settings', () => {
    const files = { user: userFile({ bio: { type: 'text' }, motto: { type: 'string' } }) };
    const input = { users: { register: { allowedFields: ['bio'] } } };
    const document = describeApi(registryOf([], [], {}, files), parseSettings(input));
    const namesOf = (path: string, verb: string) => {
      const body = ['requestBody', 'content', 'application/json', 'schema', 'properties'];
      const names = Object.keys(at(document, 'paths', path, verb, ...body) as Json);
      return ['bio', 'motto'].filter((name) => names.includes(name));
    };
    expect(namesOf('/api/auth/local/register', 'post')).toEqual(['bio']);
    expect(namesOf('/api/users', 'post')).toEqual(['bio', 'motto']);
    expect(namesOf('/api/users/{id}', 'put')).toEqual(['bio', 'motto']);
  });

  it('takes numbers and documentIds of users and files, or numbers alone', () => {
    const parameter = (path: string, input = {}) =>
      at(described({ ...REFRESH, ...input }), 'paths', path, 'parameters', 0);
    const off = { api: { rest: { extensions: false } } };
    for (const path of ['/api/users/{id}', '/api/users/{id}/sessions', '/api/upload/files/{id}']) {
      expect(parameter(path)).toMatchObject({
        name: 'id',
        schema: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      });
      expect(parameter(path, off)).toMatchObject({ name: 'id', schema: { type: 'integer' } });
    }
    const path = '/api/users/{id}/sessions/{session}';
    expect(at(described(REFRESH), 'paths', path, 'parameters', 1, 'name')).toBe('session');
  });

  it('tells which answers have no body, and which bodies may be left out', () => {
    const statuses = (verb: string, path: string) =>
      Object.keys(at(described(REFRESH), 'paths', path, verb, 'responses') as Json);
    expect(statuses('get', '/api/users/{id}')).toEqual(['200', '204', '400', '401', '403', 'default']);
    expect(statuses('delete', '/api/users/{id}')).toContain('204');
    expect(statuses('put', '/api/users/{id}')).not.toContain('204');
    expect(statuses('put', '/api/users-permissions/roles/{id}')).toEqual(['400', '401', '403', 'default']);
    const required = (path: string) => at(described(REFRESH), 'paths', path, 'post', 'requestBody', 'required');
    expect(['local', 'refresh', 'logout'].map((name) => required(`/api/auth/${name}`))).toEqual([true, false, false]);
  });

  it('lets the public in where a fresh Strapi does, unless the settings say otherwise', () => {
    const security = (path: string, verb: string, input = {}) =>
      at(described(input), 'paths', path, verb, 'security') as unknown[];
    expect(security('/api/auth/local', 'post')).toEqual([{ bearer: [] }, {}]);
    expect(security('/api/auth/local', 'post', { users: { defaultGrants: false } })).toEqual([{ bearer: [] }]);
    expect(security('/api/users', 'get')).toEqual([{ bearer: [] }]);
    const roles = { public: ['plugin::users-permissions.user.find'] };
    expect(security('/api/users', 'get', { roles })).toEqual([{ bearer: [] }, {}]);
  });

  it('tells 429 with Retry-After where attempts are counted', () => {
    const statuses = (path: string, verb: string, input = {}) =>
      Object.keys(at(described(input), 'paths', path, verb, 'responses') as Json);
    expect(statuses('/api/auth/local', 'post')).toEqual(['200', '400', '401', '403', '413', '429', 'default']);
    expect(statuses('/api/users', 'get')).not.toContain('429');
    const off = { rateLimit: { auth: { enabled: false } } };
    expect(statuses('/api/auth/local', 'post', off)).not.toContain('429');
    expect(described(off).components.responses).not.toHaveProperty('RateLimited');
    expect(at(described(), 'components', 'responses', 'RateLimited', 'headers')).toHaveProperty(['Retry-After']);
  });
});
