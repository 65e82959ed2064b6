/**
 * @module Tools that change what the public sees, or delete: what is asked, what a yes is, and what is then sent.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/common/json.ts';
import type { ApiRequest } from '../../../src/features/mcp/api.ts';
import { changePublication, remove } from '../../../src/features/mcp/deciding.ts';
import { failureOf, fakeCall, versions } from './fake-call.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
const result = async (work: Promise<unknown>): Promise<any> => JSON.parse(JSON.stringify(await work));
const summary = ({ method, path }: ApiRequest) => `${method ?? 'GET'} ${path}`;
const article = { type: 'articles', documentId: 'x' };

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
