/**
 * @module Paths and methods.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
import { bearer, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine({ roles: { public: ['api::tag.tag.find'] } });
const LIST = 'HEAD, GET, POST';
const ONE = 'HEAD, GET, PUT, DELETE';
const NOTHING = 'HEAD, GET';

describe('a path that leads nowhere', () => {
  it.each([
    '/api/nope',
    '/api',
    '/api/',
    '/apis/tags',
    '/tags',
    '/api/tag',
    '/api/tags/a/b',
    '/api/tags//',
    '/api/homepages',
    '/api/homepage/abc',
    '/api/users-permissions',
    '/api/api-tokens',
    '/api/strapi_api_tokens',
    '/api/up_users',
    '/api/constructor',
    '/api/__proto__',
    '/api/shared.seo',
    '/robots.txt',
  ])('%s is 404, with and without a token', async (path) => {
    const notFound = { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} };
    expect(await errorOf(send(path))).toEqual(notFound);
    expect(await errorOf(client.get(path))).toEqual(notFound);
  });

  it.each([
    ['/api/tags/%00', 'Malicious Path'],
    ['/api/%00', 'Malicious Path'],
    ['/%00', 'Malicious Path'],
    ['/api/tags/a%00b', 'Malicious Path'],
    ['//api/tags', 'Malicious Path'],
    ['/uploads/%00', 'Malicious Path'],
    ['/api/tags/%', 'failed to decode'],
    ['/api/nope/%zz', 'failed to decode'],
    ['/uploads/%ff', 'failed to decode'],
  ])('%s is refused to reads alone: %s', async (path, message) => {
    expect(await errorOf(send(path))).toEqual({ status: 400, name: 'BadRequestError', message });
    expect((await send(path, { method: 'HEAD' })).status).toBe(400);
    expect((await send(path, { method: 'PATCH' })).status).toBe(405);
    expect((await send(path, { method: 'OPTIONS' })).status).toBe(200);
  });

  it('/api/%74ags is no path of a type: a documentId alone may be encoded', async () => {
    expect((await client.get('/api/%74ags')).status).toBe(404);
    const { headers } = await send('/api/%74ags', { method: 'OPTIONS' });
    expect(headers.get('allow')).toBe(NOTHING);
  });
});

describe('a method that a path does not have', () => {
  it.each([
    ['PUT', '/api/tags', LIST],
    ['DELETE', '/api/tags', LIST],
    ['PATCH', '/api/tags', LIST],
    ['POST', '/api/tags/abc', ONE],
    ['PATCH', '/api/tags/abc', ONE],
    ['POST', '/api/homepage', ONE],
    ['PATCH', '/api/homepage', ONE],
    ['PATCH', '/api/users/me', ONE],
    ['PATCH', '/api/users/count', ONE],
    ['POST', '/api/nope', NOTHING],
    ['PUT', '/api/nope', NOTHING],
    ['DELETE', '/api/homepage/abc', NOTHING],
    ['POST', '/', NOTHING],
  ])('%s %s is 405 and tells %s', async (method, path, allow) => {
    const response = await send(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toBe('Method Not Allowed');
  });

  it.each(['PROPFIND', 'LOCK', 'SEARCH', 'REPORT'])('%s is 501', async (method) => {
    const response = await send('/api/tags', { method });
    expect(response.status).toBe(501);
    expect(response.headers.get('allow')).toBe(LIST);
    expect(await response.text()).toBe('Not Implemented');
  });
});

describe('OPTIONS without an origin', () => {
  it.each([
    ['/api/tags', LIST],
    ['/api/tags/abc', ONE],
    ['/api/homepage', ONE],
    ['/api/nope', NOTHING],
  ])('of %s needs no permission and tells %s', async (path, allow) => {
    const response = await send(path, { method: 'OPTIONS' });
    expect(response.status).toBe(200);
    expect(response.headers.get('allow')).toBe(allow);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toBe('');
  });

  it('needs no credential that is valid', async () => {
    const response = await send('/api/tags', { method: 'OPTIONS', ...bearer('expired.or.forged') });
    expect([response.status, response.headers.get('allow')]).toEqual([200, LIST]);
    expect((await send('/api/tags', { method: 'PATCH', ...bearer('expired.or.forged') })).status).toBe(401);
  });
});

it('/_health is 204 for every method', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS']) {
    const response = await send('/_health', { method });
    expect([method, response.status, await response.text()]).toEqual([method, 204, '']);
  }
});

describe('HEAD', () => {
  it.each(['/api/tags', '/api/tags/nope', '/api/nope', '/api/articles', '/'])(
    'of %s has the status and type of GET, and no body',
    async (path) => {
      const [head, get] = [await send(path, { method: 'HEAD' }), await send(path)];
      expect(head.status).toBe(get.status);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(await head.text()).toBe('');
    },
  );
});

describe('paths', () => {
  it.each(['/api/tags', '/api/Tags', '/API/TAGS', '/api/tags/', '/api/TAGS/'])(
    '%s is the list of tags',
    async (path) => {
      expect((await send(path)).status).toBe(200);
    },
  );

  it('keep the case of a documentId', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'case of ids' }));
    expect((await client.get(`/api/Tags/${documentId}/`)).status).toBe(200);
    expect((await client.get(`/api/tags/${documentId.toUpperCase()}`)).status).toBe(404);
  });

  it.each(["a'b", '%27%20or%201=1--', '%2e%2e', '..%2f..', '%F0%9F%8E%89', '*'])(
    'may hold any documentId: %s',
    async (id) => {
      expect((await client.get(`/api/tags/${id}`)).status).toBe(404);
    },
  );
});

describe('every answer', () => {
  it.each([
    ['/api/tags', 200],
    ['/api/articles', 403],
    ['/api/nope', 404],
  ])('of %s carries a request id of its own', async (path, status) => {
    const answers = [await send(path), await send(path)];
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).not.toBe(ids[0]);
  });

  it('carries the request id of the caller, if it is a decent one', async () => {
    const own = await send('/api/tags', { headers: { 'x-request-id': 'my-request-1' } });
    expect(own.headers.get('x-request-id')).toBe('my-request-1');
    const bad = await send('/api/tags', { headers: { 'x-request-id': '<script>' } });
    expect(bad.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is JSON in UTF-8, whatever the caller accepts', async () => {
    for (const path of ['/api/tags', '/api/nope']) {
      const response = await send(path, { headers: { accept: 'text/html' } });
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });
});

describe('the page at /', () => {
  it('names the content types that everybody may find, and shows no content', async () => {
    await client.create('/api/tags', { name: 'a tag of its own' });
    const open = serve({ roles: { public: ['api::article.article.find', 'api::tag.tag.find'] } });
    const page = await (await open('/', bearer('full'))).text();
    expect(page).toContain('/api/articles');
    expect(page).not.toMatch(/\/api\/(authors|issues)|a tag of its own/);
    expect(await (await send('/')).text()).not.toContain('/api/articles');
  });

  it('leads to Studio, to the description and to documentation', async () => {
    const page = await (await send('/')).text();
    expect(page).toContain('href="/studio/"');
    expect(await (await serve({ studio: false })('/')).text()).not.toContain('/studio/');
    expect(page).toContain('href="/openapi.json"');
    expect(page).toContain('<code>node_modules/edgewise/docs/README.md</code>');
  });

  it('has an icon', async () => {
    const icon = await send('/favicon.ico');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });
});
