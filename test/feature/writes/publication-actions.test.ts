/**
 * @module `POST …/actions/publish`, `unpublish` and `discard-draft`.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { type ApiDocument, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { TWO_LOCALES } from '../../support/locales.ts';
import { bearer, createToken, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine(TWO_LOCALES);
let number = 0;

beforeAll(async () => {
  await createToken('reader', 'read-only');
  await createToken('publisher', 'custom', ['api::issue.issue.publish']);
  await createToken('writer', 'custom', ['api::issue.issue.update', 'api::issue.issue.create']);
});

beforeEach(() => {
  number += 1;
});

const act = (path: string, token = 'full', init: RequestInit = {}) =>
  send(path, { method: 'POST', ...bearer(token), ...init });
async function issueDraft(): Promise<ApiDocument> {
  const { documentId } = await documentOf(
    client.create('/api/issues?status=draft', { title: `Issue ${number}`, number }),
  );
  return documentOf(client.get(`/api/issues/${documentId}?status=draft`));
}
const actions = ({ documentId }: ApiDocument) => `/api/issues/${documentId}/actions`;
const published = (route: string, { documentId }: ApiDocument, search = '') =>
  client.get(`/api/${route}/${documentId}?${search}`);
const draft = (route: string, document: ApiDocument, search = '') =>
  published(route, document, `status=draft&${search}`);
const article = (data: object, search: string) =>
  documentOf(
    client.create(`/api/articles?${search}`, { title: `Article ${number}`, facts: [{ label: 'one' }], ...data }),
  );
const idsIn = (value: unknown) => (value as readonly ApiDocument[]).map(({ documentId }) => documentId);
const sound = async () => expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);

describe('publish', () => {
  it('copies the draft to the published version, and responds with it', async () => {
    const kept = await issueDraft();
    expect((await published('issues', kept)).status).toBe(404);
    const response = await act(`${actions(kept)}/publish`);
    expect(response.status).toBe(200);
    const body = (await response.json()) as { data: ApiDocument; meta: unknown };
    expect(Object.keys(body)).toEqual(['data', 'meta']);
    expect(body.data).toMatchObject({ documentId: kept.documentId, title: kept.title, updatedAt: kept.updatedAt });
    expect(body.data.publishedAt).toMatch(/Z$/);
    expect(body.data.id).not.toBe(kept.id);
    expect(await documentOf(published('issues', kept))).toEqual(body.data);
    expect(await documentOf(draft('issues', kept))).toEqual(kept);
    await sound();
  });

  it('replaces a published version, its components and its links', async () => {
    const [one, two] = [await article({}, 'fields=title'), await article({}, 'fields=title')];
    const first = await article({ related: [one.documentId], links: [{ label: 'old', href: '/' }] }, '');
    const path = `/api/articles/${first.documentId}`;
    await client.update(`${path}?status=draft`, {
      title: 'Changed',
      related: [two.documentId],
      links: [{ label: 'new', href: '/' }],
      sections: [{ __component: 'blocks.callout', title: 'Callout', articles: [one.documentId] }],
    });
    const populate =
      'populate[related][fields]=title&populate[links][populate]=*&populate[sections][on][blocks.callout][populate]=articles';
    const shown = await documentOf(act(`${path}/actions/publish?${populate}`));
    expect(shown).toMatchObject({ title: 'Changed', links: [{ label: 'new' }] });
    expect(idsIn(shown.related)).toEqual([two.documentId]);
    expect(shown.sections).toMatchObject([{ articles: [{ documentId: one.documentId }] }]);
    await sound();
  });

  it('leaves out links to what is not published, and keeps them in the draft', async () => {
    const [live, hidden] = [await article({}, ''), await article({}, 'status=draft')];
    const kept = await article({ related: [live.documentId, hidden.documentId] }, 'status=draft');
    const shown = await documentOf(act(`/api/articles/${kept.documentId}/actions/publish?populate=related`));
    expect(idsIn(shown.related)).toEqual([live.documentId]);
    expect(idsIn((await documentOf(draft('articles', kept, 'populate=related'))).related)).toHaveLength(2);
    await sound();
  });

  it('publishes one locale: the default one, or that of the query', async () => {
    const kept = await article({}, 'status=draft');
    const path = `/api/articles/${kept.documentId}`;
    await client.update(`${path}?status=draft&locale=fr`, { title: 'Français', facts: [{ label: 'un' }] });
    expect(await documentOf(act(`${path}/actions/publish?locale=fr`))).toMatchObject({
      locale: 'fr',
      title: 'Français',
    });
    expect((await published('articles', kept)).status).toBe(404);
    expect(await documentOf(act(`${path}/actions/publish`))).toMatchObject({ locale: 'en' });
    await sound();
  });

  it('copies non-localized values to the published versions of other locales', async () => {
    const first = await article({ price: 1 }, '');
    const path = `/api/articles/${first.documentId}`;
    await client.update(`${path}?locale=fr`, { title: 'Français', facts: [{ label: 'un' }] });
    await client.update(`${path}?status=draft`, { price: 2 });
    const inFrench = () => documentOf(client.get(`${path}?locale=fr`));
    expect(await inFrench()).toMatchObject({ price: 1 });
    await act(`${path}/actions/publish`);
    expect(await inFrench()).toMatchObject({ price: 2 });
    await sound();
  });

  it('rejects a draft that may not be published, with every issue, and changes nothing', async () => {
    const kept = await documentOf(client.create('/api/issues?status=draft', {}));
    const error = await errorOf(act(`${actions(kept)}/publish`));
    expect(error).toMatchObject({ status: 400, name: 'ValidationError' });
    expect(error.details?.errors).toMatchObject([{ path: ['title'] }, { path: ['number'] }]);
    expect((await published('issues', kept)).status).toBe(404);
  });

  it('rejects a unique value that another document has published', async () => {
    const live = await documentOf(client.create('/api/issues', { title: 'Live', number }));
    const kept = await issueDraft();
    expect(await errorOf(act(`${actions(kept)}/publish`))).toMatchObject({
      status: 400,
      message: 'This attribute must be unique',
    });
    await act(`${actions(live)}/unpublish`);
    expect((await act(`${actions(kept)}/publish`)).status).toBe(200);
  });

  it('rejects a required relation without a published target under strictRelations', async () => {
    const strict = serve({ api: { documents: { strictRelations: true } } });
    const mark = await documentOf(client.create('/api/bookmarks?status=draft', { box: [{}, {}] }));
    const error = await errorOf(
      strict(`/api/bookmarks/${mark.documentId}/actions/publish`, { method: 'POST', ...bearer('full') }),
    );
    expect(JSON.stringify(error.details)).toContain('article must be defined.');
  });

  it('takes two round trips', async () => {
    const kept = await issueDraft();
    const counted = countedDatabase(env.DB);
    const served = serve({}, { DB: counted.database });
    await served(`/api/issues/${kept.documentId}?status=draft`, bearer('full'));
    const before = counted.answering().length;
    for (const action of ['publish', 'discard-draft', 'unpublish']) {
      expect((await served(`${actions(kept)}/${action}`, { method: 'POST', ...bearer('full') })).status).toBe(200);
    }
    expect(counted.answering().length - before).toBe(6);
  });

  it('publishes what a concurrent write made of the draft', async () => {
    const kept = await issueDraft();
    const meanwhile = () => client.update(`/api/issues/${kept.documentId}?status=draft`, { title: 'Meanwhile' });
    const served = serve({}, { DB: interleavedDatabase(env.DB, 1, meanwhile) });
    const response = served(`${actions(kept)}/publish`, { method: 'POST', ...bearer('full') });
    expect(await documentOf(response)).toMatchObject({ title: 'Meanwhile' });
    await sound();
  });
});

describe('unpublish', () => {
  it('removes the published version and its links, and responds with the draft', async () => {
    const one = await article({}, '');
    const live = await article({ related: [one.documentId] }, '');
    const path = `/api/articles/${live.documentId}`;
    const shown = await documentOf(act(`${path}/actions/unpublish?populate=related`));
    expect(shown.publishedAt).toBeNull();
    expect(idsIn(shown.related)).toEqual([one.documentId]);
    expect((await client.get(path)).status).toBe(404);
    expect(idsIn((await documentOf(published('articles', one, 'populate=relatedFrom'))).relatedFrom)).toEqual([]);
    await sound();
    expect((await act(`${path}/actions/publish`)).status).toBe(200);
    expect(idsIn((await documentOf(published('articles', one, 'populate=relatedFrom'))).relatedFrom)).toHaveLength(1);
    await sound();
  });

  it('leaves the other locales published', async () => {
    const live = await article({}, '');
    const path = `/api/articles/${live.documentId}`;
    await client.update(`${path}?locale=fr`, { title: 'Français', facts: [{ label: 'un' }] });
    await act(`${path}/actions/unpublish?locale=fr`);
    expect((await client.get(`${path}?locale=fr`)).status).toBe(404);
    expect((await client.get(path)).status).toBe(200);
    await sound();
  });

  it('of a document that is not published changes nothing', async () => {
    const kept = await issueDraft();
    expect(await documentOf(act(`${actions(kept)}/unpublish`))).toEqual(kept);
  });

  it('rejects status=published, which it cannot show', async () => {
    const live = await documentOf(client.create('/api/issues', { title: 'Live', number }));
    expect(await errorOf(act(`${actions(live)}/unpublish?status=published`))).toMatchObject({
      status: 400,
      details: { param: 'status' },
    });
    expect((await published('issues', live)).status).toBe(200);
  });
});

describe('discard-draft', () => {
  it('makes the draft equal to the published version, links and components included', async () => {
    const [one, two] = [await article({}, ''), await article({}, '')];
    const links = [{ label: 'kept', href: '/' }];
    const live = await article({ related: [one.documentId, two.documentId], links, price: 1 }, '');
    const path = `/api/articles/${live.documentId}`;
    await client.update(`${path}?status=draft`, { title: 'Dropped', related: [], links: [], price: 2 });
    const response = await act(`${path}/actions/discard-draft?populate=related,links`);
    expect(response.status).toBe(200);
    const shown = await documentOf(Promise.resolve(response));
    expect(shown).toMatchObject({ title: live.title, publishedAt: null, price: 1, links: [{ label: 'kept' }] });
    expect(idsIn(shown.related)).toEqual([one.documentId, two.documentId]);
    expect(await documentOf(published('articles', live))).toMatchObject({ title: live.title });
    await sound();
  });

  it('keeps the links of documents that point at it in one direction', async () => {
    const live = await documentOf(client.create('/api/issues', { title: 'Target', number }));
    const story = await article({ coverOf: live.documentId }, '');
    const page = await documentOf(
      client.update('/api/homepage?status=draft', { featuredArticles: [story.documentId] }),
    );
    await act(`/api/articles/${story.documentId}/actions/discard-draft`);
    const home = await documentOf(client.get('/api/homepage?status=draft&populate=featuredArticles'));
    expect(home.documentId).toBe(page.documentId);
    expect(idsIn(home.featuredArticles)).toEqual([story.documentId]);
    await sound();
  });

  it('copies non-localized values to the drafts of other locales', async () => {
    const live = await article({ price: 1 }, '');
    const path = `/api/articles/${live.documentId}`;
    await client.update(`${path}?locale=fr`, { title: 'Français', facts: [{ label: 'un' }] });
    await client.update(`${path}?status=draft`, { price: 2 });
    const inFrench = () => documentOf(client.get(`${path}?locale=fr&status=draft`));
    expect(await inFrench()).toMatchObject({ price: 2 });
    await act(`${path}/actions/discard-draft`);
    expect(await inFrench()).toMatchObject({ price: 1, title: 'Français' });
    await sound();
  });

  it('responds with 404 if there is no published version', async () => {
    const kept = await issueDraft();
    expect(await errorOf(act(`${actions(kept)}/discard-draft`))).toMatchObject({ status: 404, name: 'NotFoundError' });
    expect(await documentOf(draft('issues', kept))).toEqual(kept);
  });

  it('takes a published version that a concurrent write makes', async () => {
    const live = await documentOf(client.create('/api/issues', { title: 'Old', number }));
    await client.update(`/api/issues/${live.documentId}?status=draft`, { title: 'Draft' });
    const meanwhile = () => client.update(`/api/issues/${live.documentId}`, { title: 'New' });
    const served = serve({}, { DB: interleavedDatabase(env.DB, 1, meanwhile) });
    const response = served(`${actions(live)}/discard-draft`, { method: 'POST', ...bearer('full') });
    expect(await documentOf(response)).toMatchObject({ title: 'New' });
    await sound();
  });
});

describe('of a single type', () => {
  it('need no documentId', async () => {
    await client.update('/api/homepage?status=draft', { heading: 'Draft' });
    expect(await documentOf(act('/api/homepage/actions/publish'))).toMatchObject({ heading: 'Draft' });
    await client.update('/api/homepage?status=draft', { heading: 'Dropped' });
    expect(await documentOf(act('/api/homepage/actions/discard-draft'))).toMatchObject({ heading: 'Draft' });
    expect(await documentOf(act('/api/homepage/actions/unpublish'))).toMatchObject({ publishedAt: null });
    expect((await client.get('/api/homepage')).status).toBe(404);
    expect((await act('/api/homepage/actions/publish?locale=fr')).status).toBe(404);
    await sound();
  });
});

describe('an action', () => {
  it('responds in the form of Strapi 4 to its header, with the chosen fields', async () => {
    const kept = await issueDraft();
    const headers = { authorization: 'Bearer full', 'strapi-response-format': 'v4' };
    const response = await act(`${actions(kept)}/publish?fields=title`, 'full', { headers });
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    expect(data).toEqual({ id: expect.any(Number), documentId: kept.documentId, attributes: { title: kept.title } });
  });

  it('requires the ETag of If-Match, and responds with the new one', async () => {
    const kept = await issueDraft();
    const tag = (await draft('issues', kept)).headers.get('etag') ?? '';
    await client.update(`/api/issues/${kept.documentId}?status=draft`, { title: 'Meanwhile' });
    const publish = (match: string) =>
      act(`${actions(kept)}/publish`, 'full', { headers: { authorization: 'Bearer full', 'if-match': match } });
    expect((await publish(tag)).status).toBe(412);
    expect((await published('issues', kept)).status).toBe(404);
    const response = await publish((await draft('issues', kept)).headers.get('etag') ?? '');
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toMatch(/^"\w+"$/);
  });

  it('shows the version that status names', async () => {
    const kept = await issueDraft();
    expect(await documentOf(act(`${actions(kept)}/publish?status=draft`))).toEqual(kept);
    const live = await documentOf(act(`${actions(kept)}/discard-draft?status=published`));
    expect(live.publishedAt).not.toBeNull();
  });

  it.each(['{}', '{"data":{}}', ''])('takes the body %s', async (body) => {
    const headers = { authorization: 'Bearer full', 'content-type': 'application/json' };
    expect((await act(`${actions(await issueDraft())}/publish`, 'full', { headers, body })).status).toBe(200);
  });

  it.each([
    ['{"title":"x"}', 'Invalid key title', 'title'],
    ['{"data":{"title":"x"}}', 'Invalid key data.title', 'data.title'],
    ['{"data":[]}', 'Invalid data. Expected an object', 'data'],
    ['{"data":null}', 'Invalid data. Expected an object', 'data'],
    ['[]', 'Expected a JSON object', undefined],
  ])('rejects the body %s', async (body, message, param) => {
    const kept = await issueDraft();
    const headers = { authorization: 'Bearer full', 'content-type': 'application/json' };
    const error = await errorOf(act(`${actions(kept)}/publish`, 'full', { headers, body }));
    expect(error).toMatchObject({ status: 400, name: 'ValidationError', message });
    expect(error.details?.param).toBe(param);
    expect((await published('issues', kept)).status).toBe(404);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded'])('rejects JSON that is sent as %s', async (type) => {
    const headers = { authorization: 'Bearer full', 'content-type': type };
    const body = '{"data":{"at":"2099-01-01T00:00:00Z"}}';
    expect((await act(`${actions(await issueDraft())}/publish`, 'full', { headers, body })).status).toBe(400);
  });

  it('rejects an unknown parameter and an unknown attribute before it changes anything', async () => {
    const kept = await issueDraft();
    for (const search of ['fields=nonsense', 'populate=nonsense', 'pagination=1&lookup=1'])
      expect((await act(`${actions(kept)}/publish?${search}`)).status, search).toBe(400);
    expect((await published('issues', kept)).status).toBe(404);
    const story = await article({}, 'status=draft');
    expect((await act(`/api/articles/${story.documentId}/actions/publish?locale=*`)).status).toBe(400);
  });

  it('responds with 404 for a missing document, a locale without a draft and a type without drafts', async () => {
    const kept = await article({}, 'status=draft');
    const paths = [
      '/api/issues/nobody/actions/publish',
      '/api/issues/nobody/actions/unpublish',
      '/api/issues/nobody/actions/discard-draft',
      `/api/articles/${kept.documentId}/actions/publish?locale=fr`,
      '/api/tags/nobody/actions/publish',
      '/api/site-setting/actions/publish',
    ];
    for (const path of paths) expect((await act(path)).status, path).toBe(404);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('responds to %s with 405', async (method) => {
    const kept = await issueDraft();
    const init = method === 'GET' ? bearer('full') : sendJson(method, 'full', {});
    const response = await send(`${actions(kept)}/publish`, { ...init, method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('leaves a document with the id "actions", and other paths below a document, as they are', async () => {
    expect((await client.get('/api/issues/actions')).status).toBe(404);
    for (const path of ['/api/issues/x/actions', '/api/issues/x/actions/nonsense', '/api/issues/x/actions/publish/x'])
      expect((await client.get(path)).status, path).toBe(404);
    expect((await act('/api/issues/x/actions/nonsense')).status).toBe(405);
  });

  it('does not exist under compatibility with Strapi, unless a setting names it', async () => {
    const kept = await issueDraft();
    const publish = (settings: SettingsInput) =>
      serve(settings)(`${actions(kept)}/publish`, { method: 'POST', ...bearer('full') });
    const response = await publish({ compatibility: 'strapi' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
    expect((await published('issues', kept)).status).toBe(404);
    expect((await publish({ compatibility: 'strapi', api: { rest: { publication: true } } })).status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE'])('is no %s of a batch', async (method) => {
    const kept = await issueDraft();
    const requests = [{ method, path: `${actions(kept)}/publish`, body: { data: {} } }];
    const response = await send('/api/batch', sendJson('POST', 'full', { requests }));
    expect(response.status).toBe(400);
    expect(await documentOf(draft('issues', kept))).toEqual(kept);
  });

  it('matches its path in any case', async () => {
    const { documentId } = await issueDraft();
    expect((await act(`/API/Issues/${documentId}/Actions/PUBLISH/`)).status).toBe(200);
  });
});

describe('grants', () => {
  it.each([
    ['publisher', 'publish', 200],
    ['publisher', 'unpublish', 403],
    ['publisher', 'discard-draft', 403],
    ['writer', 'publish', 403],
    ['reader', 'publish', 403],
    ['nobody', 'publish', 401],
  ])('of the token %s for %s: %i', async (token, action, status) => {
    expect((await act(`${actions(await issueDraft())}/${action}`, token)).status).toBe(status);
  });

  it('come before the body and the document', async () => {
    const init = sendJson('POST', 'reader', { nonsense: 1 });
    expect((await send('/api/issues/nobody/actions/publish', init)).status).toBe(403);
  });

  it('of a role name each action', async () => {
    const roles = { public: ['api::issue.issue.publish', 'api::issue.issue.unpublish'] };
    const served = serve({ roles });
    const kept = await issueDraft();
    const publicly = (action: string) => served(`${actions(kept)}/${action}`, { method: 'POST' });
    expect((await publicly('publish')).status).toBe(200);
    expect((await publicly('discard-draft')).status).toBe(403);
    expect((await publicly('unpublish')).status).toBe(200);
  });
});
