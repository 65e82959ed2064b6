/**
 * @module Tools that read: which requests they send, and what they leave out of a result that is too long.
 */
import { describe, expect, it } from 'vitest';
import { only } from '../../../src/access/grants.ts';
import {
  describe as describeTypes,
  find,
  get,
  history,
  previewLink,
  search,
} from '../../../src/features/mcp/reading.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { failureOf, fakeCall } from './fake-call.ts';

const MAX = 100_000;
const named = { ...{ name: { type: 'string' } } };
const many = (count: number) =>
  registryOf(Array.from({ length: count }, (_, index) => contentType(`type${index}`, named)));
const namesFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `type${from + index}s`);

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
const result = async (work: Promise<unknown>): Promise<any> => JSON.parse(JSON.stringify(await work));

describe('describe', () => {
  it.each([
    [200, undefined],
    [201, { shown: 200, of: 201, next: { types: namesFrom(200, 201) } }],
  ])('lists 200 of %i types, and names the others', async (count, cut) => {
    const { types, ...more } = await result(describeTypes(fakeCall(undefined, { registry: many(count) }).call, {}));
    expect([types.length, more.cut]).toEqual([200, cut]);
  });

  it('shows a component or a type, if the caller may use it', async () => {
    const { call } = fakeCall(undefined, {}, only(['api::author.author.find']));
    expect((await result(describeTypes(call, { type: 'authors' }))).type).toBe('authors');
    expect(await failureOf(describeTypes(call, { type: 'articles' }))).toMatchObject({
      ...{ path: 'type', message: 'There is no content type "articles"', details: { allowed: ['authors'] } },
    });
    const all = fakeCall().call;
    expect(await result(describeTypes(all, { component: 'shared.link' }))).toEqual({
      component: 'shared.link',
      attributes: { label: 'string; required', weight: 'integer; default 1' },
    });
    expect(await failureOf(describeTypes(all, { component: 'shared.lnik' }))).toMatchObject({
      ...{ path: 'component', details: { nearest: 'shared.link' } },
    });
  });
});

describe('find', () => {
  const found = (data: unknown, meta: object = {}) =>
    find(fakeCall(() => ({ body: { data, meta } })).call, { type: 'articles', sort: 'title' });
  /** A document with so many characters, as it is counted beside `highlight`. */
  const ofLength = (length: number, highlight: unknown = null) => {
    const rest = JSON.stringify([{ text: '' }, highlight]).length;
    return { text: 'x'.repeat(length - rest) };
  };

  it('sends all that it takes to the list of the type', async () => {
    const { call, requests } = fakeCall(() => ({ body: { data: [], meta: {} } }));
    await find(call, { type: 'articles', sort: 'title', search: 'a' });
    expect(requests).toEqual([{ path: '/api/articles', query: { sort: 'title', search: 'a' } }]);
  });

  it.each([
    [null, []],
    [{ a: 1 }, [{ a: 1 }]],
    [[{ a: 1 }], [{ a: 1 }]],
  ])('has a list, also of %j', async (data, list) => {
    expect(await result(found(data))).toEqual({ data: list, meta: {} });
  });

  it('has 100,000 characters of documents and their highlights at most', async () => {
    const [half, more] = [ofLength(MAX / 2), ofLength(MAX / 2 + 1)];
    expect((await result(found([half, half]))).cut).toBeUndefined();
    expect((await result(found([half, more]))).cut).toMatchObject({ shown: 1, of: 2 });
    const highlights = [{ a: 'a' }, { b: 'b' }];
    const two = highlights.map((each) => ofLength(MAX / 2, each));
    expect((await result(found(two, { highlights }))).cut).toBeUndefined();
    const cut = await result(found([...two, { a: 1 }], { highlights: [...highlights, {}], total: 3 }));
    expect(cut).toMatchObject({ cut: { shown: 2, of: 3 }, meta: { highlights, total: 3 } });
  });

  it.each([
    [{ start: 10, limit: 3 }, { pagination: { start: 12 } }],
    [{ page: 3, pageSize: 5 }, { pagination: { start: 12 } }],
    [{ page: 1, pageSize: 5 }, { pagination: { start: 2 } }],
    [undefined, undefined],
    [{ after: 'x' }, undefined],
  ])('that is cut goes on where the page with %j was cut: %j', async (pagination, next) => {
    const list = [MAX / 2, MAX / 2, 100].map((length) => ofLength(length));
    const { data, cut, meta } = await result(found(list, { pagination }));
    expect([data.length, cut.next, 'highlights' in meta]).toEqual([2, next, false]);
  });

  it('whose first document is too long says so', async () => {
    expect(await failureOf(found([ofLength(MAX + 1), { a: 1 }]))).toMatchObject({ path: 'fields' });
  });
});

describe('get', () => {
  it('has 100,000 characters at most, and the revision', async () => {
    const bodyOf = (length: number) => ({ data: 'x'.repeat(length - '{"data":""}'.length) });
    const got = (length: number) =>
      get(fakeCall(() => ({ body: bodyOf(length), revision: 'r' })).call, { type: 'homepage', locale: 'fr' });
    expect(await result(got(MAX))).toEqual({ ...bodyOf(MAX), revision: 'r' });
    expect(await failureOf(got(MAX + 1))).toMatchObject({ path: 'populate' });
  });
});

describe('search', () => {
  it('finds documents of the lists that the caller may read', async () => {
    const grants = only(['article.article', 'homepage.homepage'].map((name) => `api::${name}.find`));
    const data = [
      { documentId: 'a', title: 'A', locale: 'en' },
      { documentId: 'b', locale: null },
    ];
    const { call, requests } = fakeCall(() => ({ body: { data } }), {}, grants);
    expect(await result(search(call, { text: 'a', locale: 'en' }))).toEqual({
      results: [
        { type: 'articles', documentId: 'a', locale: 'en', title: 'A' },
        { type: 'articles', documentId: 'b', title: 'b' },
      ],
    });
    const query = { _q: 'a', status: undefined, locale: 'en', pagination: { limit: 5 } };
    expect(requests).toEqual([{ path: '/api/articles', query }]);
  });

  it('finds a single type that is named, and nothing where nothing is', async () => {
    const bodies = [{ data: { documentId: 'h', heading: 'H' } }, { data: null }];
    const { call } = fakeCall(({ path }) => ({ body: bodies[path === '/api/homepage' ? 0 : 1] }));
    const { results } = await result(search(call, { text: 'a', types: ['homepage', 'authors'] }));
    expect(results).toEqual([{ type: 'homepage', documentId: 'h', title: 'H' }]);
    expect(await result(search(call, { text: 'a', types: [] }))).toEqual({ results: [] });
  });

  it.each([
    [20, undefined],
    [21, { shown: 20, of: 21, next: { types: namesFrom(20, 21) } }],
  ])('searches 20 of %i types, and names the others', async (count, cut) => {
    const { call, requests } = fakeCall(() => ({ body: { data: [] } }), { registry: many(count) });
    const found = await result(search(call, { text: 'a' }));
    expect([requests.length, found]).toEqual([20, { results: [], ...(cut && { cut }) }]);
  });
});

describe('history', () => {
  const type = 'articles';
  const all = '/api/history';
  const one = '/api/articles/x/history';
  it.each<[object, string, object]>([
    [{ limit: 2, after: 'a' }, all, { pagination: { limit: 2, after: 'a' } }],
    [{ operation: 'create' }, all, { operation: 'create', pagination: {} }],
    [{ type, operation: 'create' }, all, { type: 'api::article.article', operation: 'create', pagination: {} }],
    [{ type, documentId: 'x', limit: 2 }, one, { pagination: { limit: 2 } }],
    [{ type: 'homepage', after: 'a' }, '/api/homepage/history', { pagination: { after: 'a' } }],
    [{ type, documentId: 'x', version: 'v' }, `${one}/v`, { populate: '*' }],
    [{ type: 'homepage', version: 'v' }, '/api/homepage/history/v', { populate: '*' }],
  ])('of %j is at %s', async (args, path, query) => {
    const { call, requests } = fakeCall(() => ({ body: { data: [] } }));
    expect(await history(call, args as never)).toEqual({ data: [] });
    expect(await result(Promise.resolve(requests))).toEqual([{ path, query }]);
  });

  it.each<[object, string, string]>([
    [{ type, documentId: 'x', operation: 'create' }, 'operation', 'The list of one document takes no operation'],
    [{ type: 'homepage', operation: 'create' }, 'operation', 'The list of one document takes no operation'],
    [{ type: 'homepage', version: 'v', operation: 'create' }, 'operation', 'One version takes no operation'],
    [{ type: 'homepage', version: 'v', after: 'a' }, 'after', 'One version takes no after'],
    [{ type: 'homepage', version: 'v', limit: 1 }, 'limit', 'One version takes no limit'],
    [{ documentId: 'x' }, 'type', 'Missing type: of which the document is'],
    [{ version: 'v' }, 'type', 'Missing type: of which the document is'],
    [{ type, version: 'v' }, 'documentId', 'Missing documentId: articles has many documents'],
    [{ type: 'homepage', version: '..' }, 'version', 'Invalid version'],
  ])('ignores no argument of %j', async (args, path, message) => {
    const { call, requests } = fakeCall();
    expect(await failureOf(history(call, args as never))).toMatchObject({ path, message });
    expect(requests).toEqual([]);
  });

  it('shows a version of 100,000 characters at most', async () => {
    const shown = (length: number) => {
      const data = 'x'.repeat(length - '{"data":""}'.length);
      return history(fakeCall(() => ({ body: { data } })).call, { type: 'homepage', version: 'v' });
    };
    expect(await shown(MAX)).toHaveProperty('data');
    expect(await failureOf(shown(MAX + 1))).toMatchObject({ path: 'version' });
  });
});

it('preview_link asks for the link of a document in a locale', async () => {
  const { call, requests } = fakeCall(() => ({ body: { data: { url: 'u' } } }));
  expect(await previewLink(call, { type: 'articles', documentId: 'x', locale: 'fr' })).toEqual({ data: { url: 'u' } });
  const path = '/api/articles/x/actions/preview-link';
  expect(requests).toEqual([{ method: 'POST', path, query: { locale: 'fr' }, body: {} }]);
});
