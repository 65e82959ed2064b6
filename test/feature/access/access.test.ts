/**
 * @module Who may do what: nobody anything, unless it was granted.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentType } from '../../../src/schema/model.ts';
import { clientOf, errorOf } from '../../support/client.ts';
import { bearer, createToken, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const FORBIDDEN = { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} };
const UNAUTHORIZED = {
  status: 401,
  name: 'UnauthorizedError',
  message: 'Missing or invalid credentials',
  details: {},
};

const pathOf = ({ kind, singularName, pluralName }: ContentType) =>
  `/api/${kind === 'singleType' ? singularName : pluralName}`;

/** Every route of a type. */
function routesOf(type: ContentType): readonly (readonly [method: string, path: string])[] {
  const path = pathOf(type);
  if (type.kind === 'singleType') return ['GET', 'PUT', 'DELETE'].map((method) => [method, path]);
  const one = ['GET', 'PUT', 'DELETE'].map((method) => [method, `${path}/abc`] as const);
  return [['GET', path], ['POST', path], ...one];
}

const ROUTES = [...recordedRegistry.routes.values()].flatMap(routesOf);
/** Paths that have an answer while nothing is stored. */
const LISTS = [...recordedRegistry.routes.values()].filter(({ kind }) => kind === 'collectionType').map(pathOf);
const bodyFor = (method: string) =>
  method === 'POST' || method === 'PUT'
    ? { body: '{"data":{"nope":1}}', headers: { 'content-type': 'application/json' } }
    : {};

openMagazine();
beforeAll(async () => {
  await createToken('reads', 'read-only');
  await createToken('nothing', 'custom', []);
  await createToken('tags', 'custom', ['api::tag.tag.find', 'api::tag.tag.create']);
});

describe('without any grant', () => {
  it.each(ROUTES)('%s %s is refused to the public', async (method, path) => {
    expect(await errorOf(serve()(path, { method, ...bodyFor(method) }))).toEqual(FORBIDDEN);
  });

  it.each(ROUTES)('%s %s is refused to a token without permissions', async (method, path) => {
    const headers = { ...bodyFor(method).headers, authorization: 'Bearer nothing' };
    expect(await errorOf(serve()(path, { method, ...bodyFor(method), headers }))).toEqual(FORBIDDEN);
  });

  it('a request is refused before its query or body is looked at', async () => {
    const answers = [serve()('/api/tags?nope=1'), serve()('/api/tags', { method: 'POST', body: 'nope' })];
    for (const answer of answers) expect(await errorOf(answer)).toEqual(FORBIDDEN);
  });
});

describe('a bad token', () => {
  it.each(ROUTES)('is told for %s %s, and nothing else is', async (method, path) => {
    const headers = { ...bodyFor(method).headers, authorization: 'Bearer nope' };
    const send = serve({ roles: { public: ['api::tag.tag.find'] } });
    expect(await errorOf(send(`${path}?nope=1`, { method, ...bodyFor(method), headers }))).toEqual(UNAUTHORIZED);
  });

  it('is told on public actions too', async () => {
    const send = serve({ roles: { public: ['api::tag.tag.find'] } });
    expect((await send('/api/tags')).status).toBe(200);
    expect(await errorOf(send('/api/tags', bearer('nope')))).toEqual(UNAUTHORIZED);
  });

  it.each(['nope', 'Basic ZnVsbDpmdWxs', 'Bearer', 'Bearer ', 'Bearer full full', 'full'])(
    'is none at all in the header %j',
    async (authorization) => {
      const send = serve({ roles: { public: ['api::tag.tag.find'] } });
      expect((await send('/api/tags', { headers: { authorization } })).status).toBe(200);
    },
  );

  it('may not be a part of a good one, nor its hash', async () => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('full'));
    const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    for (const token of ['ful', 'fulll', 'FULL', hash])
      expect(await errorOf(serve()('/api/tags', bearer(token)))).toEqual(UNAUTHORIZED);
  });
});

describe('a read-only token', () => {
  it.each(ROUTES)('%s %s: reads and nothing else', async (method, path) => {
    const headers = { ...bodyFor(method).headers, authorization: 'Bearer reads' };
    const { status } = await serve()(path, { method, ...bodyFor(method), headers });
    if (method === 'GET') expect(status).toBe(LISTS.includes(path) ? 200 : 404);
    else expect(status).toBe(403);
  });
});

describe('a custom token', () => {
  const client = clientOf(serve(), 'tags');

  it('does what it was granted and nothing else', async () => {
    expect((await client.get('/api/tags')).status).toBe(200);
    expect((await client.create('/api/tags', { name: 'custom' })).status).toBe(200);
    for (const answer of [
      client.get('/api/tags/abc'),
      client.update('/api/tags/abc', {}),
      client.remove('/api/tags/abc'),
      client.get('/api/articles'),
    ])
      expect(await errorOf(answer)).toEqual(FORBIDDEN);
  });
});

describe('the public role', () => {
  const send = serve({ roles: { public: ['api::tag.tag.find', 'api::tag.tag.create'] } });

  it('does what the settings grant it and nothing else', async () => {
    expect((await send('/api/tags')).status).toBe(200);
    const { headers: _, ...anonymous } = sendJson('POST', '', { data: { name: 'by the public' } });
    const created = await send('/api/tags', { ...anonymous, headers: { 'content-type': 'application/json' } });
    expect(created.status).toBe(200);
    expect(await errorOf(send('/api/tags/abc'))).toEqual(FORBIDDEN);
    expect(await errorOf(send('/api/articles'))).toEqual(FORBIDDEN);
  });

  it('has no grant by the name of a method of objects', async () => {
    expect(await errorOf(serve({ roles: {} })('/api/tags'))).toEqual(FORBIDDEN);
  });
});

describe('a scheme', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])('is written as one likes: %s', async (scheme) => {
    const answer = await serve()('/api/tags', { headers: { authorization: `${scheme}  full` } });
    expect(answer.status).toBe(200);
  });
});
