/**
 * @module Tools that write and decide: which requests they send, what they say of the document, and what is confirmed.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/common/json.ts';
import type { ApiRequest } from '../../../src/features/mcp/api.ts';
import type { ToolCall } from '../../../src/features/mcp/call.ts';
import { changePublication, remove } from '../../../src/features/mcp/deciding.ts';
import { batch, create, restore, update } from '../../../src/features/mcp/writing.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { failureOf, fakeCall } from './fake-call.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
const result = async (work: Promise<unknown>): Promise<any> => JSON.parse(JSON.stringify(await work));
const summary = ({ method = 'GET', path }: ApiRequest) => `${method} ${path}`;
const article = { type: 'articles', documentId: 'x' };

/** An API with one document, in both versions. */
const versions = (published: object | undefined, draft: object) => (request: ApiRequest) => {
  const isPublished = request.query?.status === 'published';
  if (isPublished && !published) return { status: 404, body: { error: {} } };
  const data = { documentId: 'x', title: 'Bread', locale: 'en', ...(isPublished ? published : draft) };
  return { body: { data }, revision: `tag.${isPublished ? 'p' : 'd'}` };
};

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

  it('has no difference without a published version, or for a type without drafts', async () => {
    expect(await differenceOf(undefined, {})).toBeNull();
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

describe('what is to be confirmed', () => {
  const publish = { ...article, action: 'publish' };
  const both = versions({}, {});

  it('says what would happen, to which document, where and when', async () => {
    const wouldOf = async (args: JsonObject, draft: object = {}) =>
      (await result(changePublication(fakeCall(versions({}, draft)).call, { ...publish, ...args }))).would;
    expect(await wouldOf({})).toBe('publish "Bread" of articles in en');
    expect(await wouldOf({ action: 'discardDraft' })).toBe('discard the draft of "Bread" of articles in en');
    expect(await wouldOf({ at: '2027-01-01T09:00:00Z' })).toBe(
      'publish "Bread" of articles in en at 2027-01-01T09:00:00Z',
    );
    expect(await wouldOf({ action: 'unpublish' }, { locale: null, title: 'x'.repeat(99) })).toBe(
      `unpublish "${'x'.repeat(80)}" of articles`,
    );
    expect(await wouldOf({}, { locale: undefined })).toBe('publish "Bread" of articles');
  });

  it('is asked of a person in a form that has yes alone', async () => {
    const { call } = fakeCall(both, { canElicit: true });
    const would = 'publish "Bread" of articles in en';
    expect(await changePublication(call, publish)).toEqual({
      resultType: 'input_required',
      inputRequests: {
        confirm: {
          method: 'elicitation/create',
          params: {
            ...{ mode: 'form', message: `Do you want to ${would}?` },
            requestedSchema: {
              type: 'object',
              properties: { confirm: { type: 'boolean', title: 'Yes', description: would } },
              required: ['confirm'],
            },
          },
        },
      },
      requestState: expect.any(String),
    });
    expect(await changePublication(call, { ...publish, dryRun: true })).toMatchObject({ done: false, would });
  });

  it.each([
    undefined,
    null,
    'accept',
    {},
    { confirm: 'accept' },
    { confirm: { action: 'accept' } },
    { confirm: { action: 'accept', content: {} } },
    { confirm: { action: 'accept', content: { confirm: false } } },
    { confirm: { action: 'accept', content: { confirm: 'true' } } },
    { confirm: { action: 'decline', content: { confirm: true } } },
    { confirm: { action: 'cancel', content: { confirm: true } } },
  ])('is not done with %j', async (inputResponses) => {
    const { requestState } = await result(changePublication(fakeCall(both, { canElicit: true }).call, publish));
    const { call, requests } = fakeCall(both, { canElicit: true, requestState, inputResponses });
    expect(await changePublication(call, publish)).toMatchObject({ done: false, declined: true });
    expect(requests.map(summary).filter((each) => !each.startsWith('GET'))).toEqual([]);
  });

  it('is done for the versions that were there, and returns the document', async () => {
    const { call, requests } = fakeCall((request) =>
      request.method ? { body: { data: 1 }, revision: 'n' } : both(request),
    );
    const { revision, difference } = await result(changePublication(call, { ...publish, locale: 'en' }));
    expect(difference).toEqual({});
    const confirmed = { ...publish, locale: 'en', dryRun: false, revision };
    expect(await changePublication(call, confirmed)).toEqual({ done: true, data: 1, revision: 'n' });
    expect(requests.at(-1)).toEqual({
      ...{ method: 'POST', path: '/api/articles/x/actions/publish', query: { locale: 'en' }, body: {} },
      headers: { 'if-match': '"p&d"' },
    });
    expect(await failureOf(changePublication(call, confirmed))).toMatchObject({
      message: 'Invalid revision: it was used before',
    });
  });

  it('returns nothing of a document that is gone', async () => {
    const { call } = fakeCall((request) => (request.method ? { status: 204, body: null } : both(request)));
    const { revision } = await result(remove(call, article));
    expect(await result(remove(call, { ...article, dryRun: false, revision }))).toEqual({ done: true });
  });

  it('needs the revision of a dry run, and may have been asked for before', async () => {
    const { call } = fakeCall(both);
    expect(await failureOf(remove(call, { ...article, dryRun: false }))).toMatchObject({ message: 'Missing revision' });
    const { revision } = await result(remove(call, article));
    for (const given of [revision, 'd', 'tag.d', 'p&d'])
      expect(await remove(call, { ...article, revision: given })).toMatchObject({ done: false });
    for (const given of ['p', 'x'])
      expect(await failureOf(remove(call, { ...article, revision: given }))).toMatchObject({
        ...{ path: 'revision', details: { status: 412 } },
      });
  });

  it.each([400, 403, 503])('is not decided if the published version cannot be read: %i', async (status) => {
    const { call } = fakeCall((request) => (request.query?.status === 'published' ? { status } : both(request)));
    expect(await failureOf(remove(call, article))).toMatchObject({ path: 'documentId', details: { status } });
  });

  it('is about one version of a type without drafts, of which no other is read', async () => {
    const { call, requests } = fakeCall(both);
    const { would, difference } = await result(remove(call, { type: 'authors', documentId: 'x' }));
    expect([would, difference, requests.length]).toEqual(['delete "x" of authors in en', null, 1]);
  });

  it('reads no more of the published version than its revision', async () => {
    const { call, requests } = fakeCall(versions(undefined, {}));
    await remove(call, article);
    expect(requests[1]?.query).toEqual({ status: 'published', locale: undefined, fields: ['documentId'] });
  });
});
