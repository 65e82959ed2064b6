/**
 * @module Tools that write: which requests they send, and what they say of the document.
 */
import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/features/mcp/api.ts';
import type { ToolCall } from '../../../src/features/mcp/call.ts';
import { batch, create, restore, update } from '../../../src/features/mcp/writing.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { failureOf, fakeCall, versions } from './fake-call.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
const result = async (work: Promise<unknown>): Promise<any> => JSON.parse(JSON.stringify(await work));
const summary = ({ method, path }: ApiRequest) => `${method ?? 'GET'} ${path}`;
const article = { type: 'articles', documentId: 'x' };

describe('what a tool says of a document that it has written', () => {
  const written = (published: object | undefined, draft: object, args: object = {}, more: Partial<ToolCall> = {}) => {
    const fake = fakeCall(versions(published, draft), more);
    return { ...fake, result: result(update(fake.call, { ...article, data: {}, revision: 'r', ...args })) };
  };
  const differenceOf = async (published: object | undefined, draft: object) =>
    (await written(published, draft).result).difference;

  it('names what differs, without what each version has of its own', async () => {
    const own = (n: number) => ({ id: n, createdAt: n, updatedAt: n, publishedAt: n, localizations: [n] });
    expect(await differenceOf({ ...own(1), title: 'A', same: 1 }, { ...own(2), title: 'B', same: 1 })).toEqual({
      title: { published: 'A', draft: 'B' },
    });
    expect(await differenceOf({ a: 1 }, { b: 2 })).toEqual({
      ...{ a: { published: 1, draft: null }, b: { published: null, draft: 2 } },
    });
  });

  it('compares components without their numbers, and related documents by their documentId', async () => {
    const parts = (n: number, text: string) => [{ id: n, text, author: { id: n, documentId: 'a', name: `${n}` } }];
    expect(await differenceOf({ parts: parts(1, 'x') }, { parts: parts(2, 'x') })).toEqual({});
    expect(await differenceOf({ parts: parts(1, 'x') }, { parts: parts(1, 'y') })).toEqual({
      parts: { published: [{ text: 'x', author: 'a' }], draft: [{ text: 'y', author: 'a' }] },
    });
  });

  it('shows 300 characters of a value', async () => {
    const text = (length: number) => 'x'.repeat(length - 2);
    expect(await differenceOf({ text: text(300) }, { text: text(301) })).toEqual({
      text: { published: text(300), draft: `"${'x'.repeat(299)}…` },
    });
  });

  it('has no difference without a published version, without the right to read both, or for a type without drafts', async () => {
    expect(await differenceOf(undefined, {})).toBeNull();
    const unread = fakeCall((request) =>
      request.query?.status === 'draft' && !request.method
        ? { status: 403, body: { data: null, error: {} } }
        : versions({}, {})(request),
    );
    expect((await result(update(unread.call, { ...article, data: {}, revision: 'r' }))).difference).toBeNull();
    const { call, requests } = fakeCall(() => ({ body: { data: { documentId: 'x' } }, revision: 'r' }));
    const args = { type: 'authors', documentId: 'x', data: {}, revision: 'r' };
    expect(await result(update(call, args))).toEqual({
      ...{ data: { documentId: 'x' }, revision: 'r', difference: null, isLive: true },
    });
    expect(requests).toEqual([
      {
        ...{ method: 'PUT', path: '/api/authors/x', query: { status: undefined, locale: undefined } },
        ...{ body: { data: {} }, headers: { 'if-match': '"r"' } },
      },
    ]);
  });

  it('is in the locale of the call, or else that of the document', async () => {
    const localesOf = ({ requests }: ReturnType<typeof written>) =>
      requests.slice(1).map(({ query }) => [query?.status, query?.locale]);
    const [given, other] = [written({}, {}, { locale: 'fr' }), written({}, { locale: 'de' })];
    await Promise.all([given.result, other.result]);
    expect(localesOf(given)).toEqual([
      ['published', 'fr'],
      ['draft', 'fr'],
    ]);
    expect(localesOf(other)).toEqual([
      ['published', 'de'],
      ['draft', 'de'],
    ]);
  });

  it('has a preview of a type that has one', async () => {
    const preview = { 'api::article.article': { url: 'https://site.example.com/{documentId}?t={token}' } };
    const settings = parseSettings({ mcp: true, preview } as never);
    const previewOf = async (body: unknown, on = settings) => {
      const { call, requests } = fakeCall(
        (request) => (request.path.endsWith('preview-link') ? { body } : versions({}, {})(request)),
        { settings: on },
      );
      const { preview: shown } = await result(update(call, { ...article, data: {}, locale: 'fr' }));
      const asked = requests.filter(({ path }) => path.endsWith('preview-link')).map(({ query }) => query);
      return [shown, asked];
    };
    expect(await previewOf({ data: { url: 'u' } })).toEqual(['u', [{ locale: 'fr' }]]);
    for (const body of [null, {}]) expect((await previewOf(body))[0]).toBeUndefined();
    expect(await previewOf({ data: { url: 'u' } }, parseSettings({ mcp: true }))).toEqual([undefined, []]);
  });
});

describe('create', () => {
  it('makes a draft, with the key of the call', async () => {
    const { call, requests } = fakeCall(versions(undefined, {}));
    await create(call, { type: 'articles', data: { a: 1 }, locale: 'fr', idempotencyKey: 'schlüssel' });
    await create(call, { type: 'articles', data: {} });
    const made = requests.filter(({ method }) => method === 'POST');
    expect(made.map(({ query, headers, body }) => ({ query, headers, body }))).toEqual([
      {
        ...{ query: { status: 'draft', locale: 'fr' }, body: { data: { a: 1 } } },
        headers: { 'idempotency-key': 'schl%C3%BCssel' },
      },
      { query: { status: 'draft', locale: undefined }, body: { data: {} }, headers: {} },
    ]);
  });

  it('makes no single type, which an update writes', async () => {
    expect(await failureOf(create(fakeCall().call, { type: 'homepage', data: {} }))).toMatchObject({
      ...{ path: 'type', details: { next: 'update' } },
    });
    const { call, requests } = fakeCall(() => ({ body: { data: { documentId: 'h' } } }));
    await update(call, { type: 'homepage', data: {} });
    expect(requests.map(summary)).toEqual(['PUT /api/homepage', 'GET /api/homepage']);
    expect(requests[0]?.headers).toEqual({ 'if-none-match': '*' });
  });
});

it('restore writes a version, if the document is as the call says', async () => {
  const meta = { skipped: [] };
  const { call, requests } = fakeCall(() => ({ body: { data: { documentId: 'x' }, meta }, revision: 'n' }));
  const restored = await result(restore(call, { ...article, version: 'v', revision: 'r' }));
  expect(restored).toMatchObject({ data: { documentId: 'x' }, revision: 'n', isLive: false, meta });
  expect(requests[0]).toEqual({
    ...{ method: 'POST', path: '/api/articles/x/actions/restore', body: { data: { revision: 'v' } } },
    headers: { 'if-match': '"r"' },
  });
});

describe('batch', () => {
  const step = (more: object = {}) => ({ action: 'create', type: 'authors', data: {}, ...more });
  const responses = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ body: { data: { documentId: `d${index}`, locale: 'en' } } }));
  const run = (steps: readonly object[]) => {
    const fake = fakeCall(({ path }) => ({
      ...(path === '/api/batch' ? { body: { data: responses(steps.length) } } : { body: {}, revision: 'r' }),
    }));
    return { ...fake, work: batch(fake.call, { requests: steps }) };
  };

  it('sends each step as the request of its tool', async () => {
    const { work, requests } = run([
      step({ revision: 'r' }),
      step({ type: 'articles', action: 'update', documentId: 'x', locale: 'fr', revision: 'r' }),
      step({ type: 'homepage', action: 'update' }),
      step(),
    ]);
    await work;
    const body = { data: {} };
    expect(await result(Promise.resolve(requests[0]?.body))).toEqual({
      requests: [
        { method: 'POST', path: '/api/authors', body, ifMatch: '"r"' },
        { method: 'PUT', path: '/api/articles/x?status=draft&locale=fr', body, ifMatch: '"r"' },
        { method: 'PUT', path: '/api/homepage', body, ifNoneMatch: '*' },
        { method: 'POST', path: '/api/authors', body },
      ],
    });
  });

  it('says of the first ten documents what a single write does, in the locale of their step', async () => {
    const { work, requests } = run([step({ locale: 'fr' }), ...Array.from({ length: 10 }, () => step())]);
    const { data, written } = await result(work);
    expect([data.length, written.length]).toEqual([11, 10]);
    expect(written[0]).toEqual({ documentId: 'd0', revision: 'r', difference: null, isLive: true });
    expect(requests.slice(1, 3).map(({ query }) => query?.locale)).toEqual(['fr', 'en']);
  });

  it.each<[object, string]>([
    [step({ documentId: 'x' }), 'requests.1.action'],
    [step({ type: 'homepage' }), 'requests.1.action'],
    [step({ action: 'update' }), 'requests.1.documentId'],
    [step({ type: 'nothing' }), 'requests.1.type'],
  ])('has no step such as %j', async (wrong, path) => {
    const { work, requests } = run([step(), wrong]);
    expect([await failureOf(work), requests]).toMatchObject([{ path }, []]);
  });
});
