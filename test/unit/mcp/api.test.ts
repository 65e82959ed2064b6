/**
 * @module Requests that tools send to the API, confirmations, and what errors of the API become.
 */
import { describe, expect, it } from 'vitest';
import { QUERY_DEPTH } from '../../../src/content/request/query-string.ts';
import { apiOf, searchOf, segmentOf } from '../../../src/features/mcp/api.ts';
import { draftQuery, send, targetOf, typeOf } from '../../../src/features/mcp/call.ts';
import { makeConfirmation, readConfirmation } from '../../../src/features/mcp/confirmation.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { failureOf, fakeCall } from './fake-call.ts';

const [ARTICLE, AUTHOR] = ['article', 'author'].map((name) =>
  fakeCall().call.registry.contentTypes.get(`api::${name}.${name}`),
) as [ContentType, ContentType];

describe('a query string', () => {
  it.each([
    [undefined, ''],
    [{ a: undefined, b: null, c: {}, d: [] }, ''],
    [{ fields: ['a', 'b'] }, '?fields[0]=a&fields[1]=b'],
    [{ sort: 'a', filters: { a: { $eq: false } }, page: 0 }, '?sort=a&filters[a][$eq]=false&page=0'],
    [{ _q: '' }, '?_q='],
  ])('of %j is %j', (query, search) => {
    expect(decodeURIComponent(searchOf(query))).toBe(search);
  });

  it('has as many levels as the API reads', () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    expect(searchOf({ populate: nested(QUERY_DEPTH) })).toMatch(/=1$/);
    expect(() => searchOf({ populate: nested(QUERY_DEPTH + 1) })).toThrow('Invalid populate');
  });

  it.each([null, {}, []])('has no %j below a parameter, which would match everything', (value) => {
    expect(() => searchOf({ filters: { a: value } })).toThrow('Invalid filters[a]. Expected a value');
  });
});

it.each(['', '.', '..', 7, undefined])('%j is no segment of a path', (value) => {
  expect(() => segmentOf(value, 'documentId', 'Missing', 'find')).toThrow('Missing');
  expect(segmentOf('a/b', 'documentId', 'Missing', 'find')).toBe('a%2Fb');
});

describe('a request', () => {
  const sent: Request[] = [];
  const apiWith = (response: () => Response, authorization?: string) =>
    apiOf(
      async (request) => {
        sent.push(request);
        return response();
      },
      ...(['https://api.example.com', authorization] as const),
    );
  const json = () => Response.json({ data: 1 }, { headers: { etag: 'W/"tag.1"' } });

  it('has the credential of the caller, and a content type with a body alone', async () => {
    const api = apiWith(json, 'Bearer x');
    expect(await api({ path: '/api/articles', query: { sort: 'a' } })).toEqual({
      ...{ status: 200, body: { data: 1 }, revision: 'tag.1' },
    });
    const headers = { 'x-d1-bookmark': 'first-primary', authorization: 'Bearer x' };
    expect([sent.at(-1)?.url, Object.fromEntries(sent.at(-1)?.headers ?? [])]).toEqual([
      ...['https://api.example.com/api/articles?sort=a', headers],
    ]);
    await api({ method: 'PUT', path: '/api/articles/x', body: { a: 1 }, headers: { 'if-match': '"y"' } });
    expect(Object.fromEntries(sent.at(-1)?.headers ?? [])).toEqual({
      ...headers,
      ...{ 'content-type': 'application/json', 'if-match': '"y"' },
    });
    expect([sent.at(-1)?.method, await sent.at(-1)?.json()]).toEqual(['PUT', { a: 1 }]);
  });

  it('of the public has no credential, and a form its own content type', async () => {
    const body = new FormData();
    body.append('a', 'b');
    await apiWith(json)({ method: 'POST', path: '/api/upload', body });
    const { headers } = sent.at(-1) as Request;
    expect(headers.has('authorization')).toBe(false);
    expect(headers.get('content-type')).toMatch(/^multipart\/form-data; boundary/);
  });

  it.each([
    ['Not Found', { status: 404, headers: { 'content-type': 'text/plain' } }],
    ['', { status: 200, headers: { 'content-type': 'application/json' } }],
    [null, { status: 204 }],
  ])('whose response is %j has no body', async (text, init) => {
    expect(await apiWith(() => new Response(text, init))({ path: '/x' })).toEqual({
      ...{ status: init.status, body: null, revision: undefined },
    });
  });

  it('whose credential has ended is an error of the client, not of the tool', async () => {
    const failed = await failureOf(apiWith(() => Response.json({}, { status: 401 }))({ path: '/x' }));
    expect(failed).toMatchObject({ problem: { kind: 'unauthorized' } });
  });

  it('that fails names what was meant of the type that it is about', async () => {
    const failing = (status: number, details: object) =>
      fakeCall(() => ({ status, body: { error: { details } } })).call;
    const nearOf = async (status: number, details: object, ...types: ContentType[]) =>
      ((await failureOf(send(failing(status, details), { path: '/x' }, 'nmae', ...types))) as { details: object })
        .details;
    const step = (request: number) => ({ request, path: 'nmae' });
    expect(await nearOf(400, {}, AUTHOR)).toMatchObject({ nearest: 'name' });
    expect(await nearOf(400, step(1), ARTICLE, AUTHOR)).toMatchObject({ nearest: 'name' });
    for (const details of [await nearOf(404, {}, AUTHOR), await nearOf(400, step(0), ARTICLE, AUTHOR)])
      expect(details).toMatchObject({ nearest: undefined });
    expect(await nearOf(400, {})).toMatchObject({ nearest: undefined });
    expect(await send(fakeCall(() => ({ status: 399 })).call, { path: '/x' }, 'x')).toMatchObject({ status: 399 });
  });
});

describe('a type', () => {
  const { call } = fakeCall();

  it.each(['articles', 'Articles', 'api::article.article'])('is named by its path or uid: %s', async (name) => {
    expect(await typeOf(call, name)).toBe(call.registry.contentTypes.get('api::article.article'));
  });

  it.each(['article', 'plugin::users-permissions.user', 'plugin::upload.file', 7])('is not %j', async (name) => {
    expect(await failureOf(typeOf(call, name, 'types.0'))).toMatchObject({
      ...{ path: 'types.0', message: `There is no content type "${name}"`, details: { next: 'describe' } },
    });
  });

  it('has one document, or many with a documentId', async () => {
    expect((await targetOf(call, { type: 'articles', documentId: 'x' })).path).toBe('/api/articles/x');
    expect((await targetOf(call, { type: 'homepage' })).path).toBe('/api/homepage');
    expect(await failureOf(targetOf(call, { type: 'articles' }))).toMatchObject({ path: 'documentId' });
    expect(await failureOf(targetOf(call, { type: 'homepage', documentId: 'x' }))).toMatchObject({
      ...{ path: 'documentId', message: 'homepage is a single type, which takes no documentId' },
    });
  });

  it('without drafts is written as it is', () => {
    expect([ARTICLE, AUTHOR].map((type) => draftQuery(type, 'fr').status)).toEqual(['draft', undefined]);
  });
});

describe('a confirmation', () => {
  const request = ['POST', '/api/articles/x', null, {}];
  const { call } = fakeCall();
  const text = makeConfirmation(call, request, 'a&b');
  const [nonce, signature] = text.split('.') as [string, string];
  const until = (900_000 + call.now).toString(36);

  it('is of one request and caller, and of the versions at its end', () => {
    expect(nonce.startsWith(`${until}-`)).toBe(true);
    expect(readConfirmation(call, text, request)).toEqual({ id: `${nonce}.${signature}`, versions: 'a&b' });
  });

  it.each<[string, Parameters<typeof readConfirmation>]>([
    ['of another caller', [{ ...call, caller: 'other' }, text, request]],
    ['of another deployment', [{ ...call, secret: 'other' }, text, request]],
    ['of a deployment without a secret', [{ ...call, secret: undefined }, text, request]],
    ['of another request', [call, text, ['POST', '/api/articles/y', null, {}]]],
    ['with other versions', [call, text.replace('a&b', 'a&c'), request]],
    ['with a later end', [{ ...call, now: call.now + 900_000 }, text.replace(until, 'zzzzzzzz'), request]],
    ['that is no text', [call, { toString: () => text }, request]],
    ['that is no confirmation', [call, 'a&b', request]],
    ['at its end', [{ ...call, now: call.now + 900_000 }, text, request]],
  ])('is none %s', (_, given) => {
    expect(readConfirmation(...given)).toBeUndefined();
  });

  it('holds until its end, and without a secret for mistakes of a client', () => {
    expect(readConfirmation({ ...call, now: call.now + 899_999 }, text, request)).toBeDefined();
    for (const secret of [undefined, ''])
      expect(
        readConfirmation({ ...call, secret }, makeConfirmation({ ...call, secret }, request, 'a'), request),
      ).toBeDefined();
  });
});
