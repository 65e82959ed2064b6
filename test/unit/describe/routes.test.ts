/**
 * @module The routes of the router and the operations of the description are the same.
 */

import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { allowedMethods } from '../../../src/http/endpoint.ts';
import { namedDocument } from '../../../src/schema/document-ref.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { PUBLICATION_ACTIONS, pathOfAction } from '../../../src/schema/publication.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { magazine, settings } from './fixture.ts';

const registry = magazine();

/** What is for people and for tools, and no part of the API. */
const NOT_DESCRIBED = [
  'GET /',
  'GET /favicon.ico',
  'GET /openapi.json',
  'GET /_health',
  // Where nobody can sign in.
  'GET /api/connect/{provider}',
  'GET /api/connect/{provider}/callback',
  'GET /api/auth/{provider}/callback',
  'GET /api/users/me/identities',
  'POST /api/users/me/identities',
  'DELETE /api/users/me/identities/{provider}',
];
/** Answers that are refused to everybody where users have no sessions. */
const OF_SESSIONS = /\/api\/(auth\/(refresh|logout)|.*\/sessions)/;

const templated = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** The methods of a path that is answered by the content types, as its `Allow` header has them. */
const methodsOf = (kind: 'list' | 'one', type: ContentType): readonly string[] =>
  allowedMethods(kind === 'list' ? { kind, type } : { kind, type, document: namedDocument('d') }).filter(
    (method) => method !== 'HEAD',
  );

function contentRoutes(): readonly string[] {
  return [...registry.routes].flatMap(([segment, type]) => {
    const one = type.kind === 'singleType' ? `/api/${segment}` : `/api/${segment}/{documentId}`;
    const lists = type.kind === 'singleType' ? [] : methodsOf('list', type).map((name) => `${name} /api/${segment}`);
    const actions = type.draftAndPublish ? PUBLICATION_ACTIONS.map(pathOfAction) : [];
    return [
      ...lists,
      ...methodsOf('one', type).map((method) => `${method} ${one}`),
      ...actions.map((action) => `POST ${one}/actions/${action}`),
    ];
  });
}

/** `GET /api/users/{id}`, once for all its middleware; a path that answers all methods by itself is read. */
function routesOf(input: SettingsInput): readonly string[] {
  const { routes } = createApp(createDeployment({ registry, settings: settings(input) }));
  const own = routes.filter(({ path }) => !path.includes('*'));
  const named = own.filter(({ method }) => method !== 'ALL');
  const paths = new Set(named.map(({ path }) => path));
  const bare = own.filter(({ method, path }) => method === 'ALL' && !paths.has(path));
  return [
    ...new Set(named.map(({ method, path }) => `${method} ${templated(path)}`)),
    ...bare.map(({ path }) => `GET ${templated(path)}`),
    ...contentRoutes(),
  ];
}

const operationsOf = (input: SettingsInput): readonly string[] =>
  Object.entries(describeApi(registry, settings(input)).paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((verb) => (verb === 'parameters' ? [] : [`${verb.toUpperCase()} ${path}`])),
  );

describe('every route', () => {
  it('about the clients that users have connected is described, for signed-in users alone', () => {
    const input: SettingsInput = { server: { url: 'https://api.example.com' }, mcp: true, oauth: true };
    const ofClients = (each: string) => each.includes(' /api/auth/oauth/grants');
    const described = operationsOf(input).filter(ofClients);
    expect(described).toHaveLength(2);
    expect(described.toSorted()).toEqual(routesOf(input).filter(ofClients).toSorted());
    const { paths } = describeApi(registry, settings(input));
    const { get } = paths['/api/auth/oauth/grants'] as Record<string, unknown>;
    const one = paths['/api/auth/oauth/grants/{id}'] as Record<string, unknown>;
    const summary = (words: RegExp) => ({ security: [{ bearer: [] }], summary: expect.stringMatching(words) });
    expect(get).toMatchObject(summary(/^List the clients/));
    expect(one.delete).toMatchObject(summary(/^Disconnect/));
    const schemaOf = (operation: unknown) => {
      const { responses } = operation as { responses: Record<string, { content: Record<string, { schema: object }> }> };
      return responses['200']?.content['application/json']?.schema;
    };
    const time = { type: 'string', format: 'date-time' };
    const names = ['clientId', 'createdAt', 'host', 'id', 'lastUsedAt', 'level', 'name', 'types'];
    expect(schemaOf(get)).toMatchObject({ required: ['data'], properties: { data: { type: 'array' } } });
    const { properties } = (schemaOf(get) as { properties: { data: { items: { properties: object } } } }).properties
      .data.items;
    expect(Object.keys(properties).toSorted()).toEqual(names);
    expect(properties).toMatchObject({
      ...{ id: { type: 'string' }, level: { enum: ['read', 'drafts', 'write'] }, createdAt: time },
      ...{ types: { anyOf: [{ type: 'array' }, { type: 'null' }] }, lastUsedAt: { anyOf: [time, { type: 'null' }] } },
    });
    expect(schemaOf(one.delete)).toMatchObject({ required: ['data'] });
    expect([one.parameters, JSON.stringify(one)]).toEqual([
      [expect.objectContaining({ name: 'id', in: 'path' })],
      expect.stringContaining('NotFound'),
    ]);
  });

  it('is described, and nothing that is no route', () => {
    const input: SettingsInput = { users: { jwtManagement: 'refresh' } };
    const routes = routesOf(input).filter((route) => !NOT_DESCRIBED.includes(route));
    expect(routes.length).toBeGreaterThan(40);
    expect(operationsOf(input).toSorted()).toEqual(routes.toSorted());
  });

  it('of sessions is described only where there are any', () => {
    const routes = routesOf({}).filter((route) => !NOT_DESCRIBED.includes(route) && !OF_SESSIONS.test(route));
    expect(operationsOf({}).toSorted()).toEqual(routes.toSorted());
  });
});
