/**
 * @module Publication at a time to come: the request, the list, the run of the cron trigger.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron, serveWithCron } from '../../support/app.ts';
import { type ApiDocument, clientOf, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { sendJson } from '../../support/recorded.ts';
import { register } from '../../support/users.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

const settings: SettingsInput = {
  roles: {
    authenticated: [
      { action: ['api::page.page.publish', 'api::page.page.findOne'], where: { author: '$user' } },
      'api::page.page.readDrafts',
    ],
  },
};
const { client: full, send } = openKinds(settings);
const post = (path: string, data?: object, token = 'full') => send(path, sendJson('POST', token, data ? { data } : {}));

async function run(database: D1Database = env.DB): Promise<void> {
  await runCron(kindsRegistry, settings, { DB: database });
}

/** Lets all that is scheduled be due. */
const pass = () => env.DB.prepare('update edgewise_scheduled set "at" = 1 where "at" is not null').run();

const draft = (data: object = {}): Promise<ApiDocument> =>
  documentOf(full.create('/api/pages?status=draft', { title: 'A', ...data }));
const listed = async (token = 'full') => documentsOf(clientOf(send, token).get('/api/scheduled'));

beforeEach(async () => {
  await env.DB.prepare('delete from edgewise_scheduled').run();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a schedule', () => {
  it('is carried out once its time has come', async () => {
    const topic = await documentOf(full.create('/api/topics', { name: 'T' }));
    const { documentId } = await draft({ topics: [topic.documentId] });
    const path = `/api/pages/${documentId}`;
    const entry = await documentOf(post(`${path}/actions/publish`, { at: TOMORROW }));
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      type: 'api::page.page',
      documentId,
      locale: 'en',
      action: 'publish',
      at: TOMORROW,
      error: null,
    });
    await run();
    expect((await full.get(path)).status).toBe(404);
    expect(await listed()).toEqual([entry]);
    await pass();
    await run();
    expect(await documentOf(full.get(`${path}?populate=topics`))).toMatchObject({
      title: 'A',
      topics: [{ name: 'T' }],
    });
    expect(await listed()).toEqual([]);
    await documentOf(post(`${path}/actions/unpublish`, { at: TOMORROW }));
    await pass();
    await run();
    expect((await full.get(path)).status).toBe(404);
    expect((await full.get(`${path}?status=draft`)).status).toBe(200);
    expect(await checkInvariants(env.DB, kindsRegistry)).toEqual([]);
  });

  it('is of one locale, and of a single type, too', async () => {
    const { documentId } = await draft();
    await full.update(`/api/pages/${documentId}?status=draft&locale=fr`, { title: 'B' });
    await full.update('/api/home?status=draft', { title: 'H' });
    await documentOf(post(`/api/pages/${documentId}/actions/publish?locale=fr`, { at: TOMORROW }));
    await documentOf(post('/api/home/actions/publish', { at: TOMORROW }));
    await pass();
    await run();
    expect((await full.get(`/api/pages/${documentId}`)).status).toBe(404);
    expect(await documentOf(full.get(`/api/pages/${documentId}?locale=fr`))).toMatchObject({ title: 'B' });
    expect(await documentOf(full.get('/api/home'))).toMatchObject({ title: 'H' });
  });

  it('replaces the one before of the same action', async () => {
    const { documentId } = await draft();
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const first = await documentOf(post(`/api/pages/${documentId}/actions/publish`, { at: TOMORROW }));
    const second = await documentOf(post(`/api/pages/${documentId}/actions/publish`, { at: later }));
    expect(await listed()).toEqual([second]);
    expect(second.id).not.toBe(first.id);
  });

  it('is cancelled', async () => {
    const { documentId } = await draft();
    const { id } = await documentOf(post(`/api/pages/${documentId}/actions/publish`, { at: TOMORROW }));
    expect((await full.remove(`/api/scheduled/${id}`)).status).toBe(204);
    expect((await full.remove(`/api/scheduled/${id}`)).status).toBe(404);
    await pass();
    await run();
    expect((await full.get(`/api/pages/${documentId}`)).status).toBe(404);
  });

  it('that cannot be carried out keeps its error, and holds nothing up', async () => {
    const empty = await documentOf(full.create('/api/pages?status=draft', {}));
    const gone = await draft();
    const good = await draft();
    for (const { documentId } of [empty, gone, good])
      await documentOf(post(`/api/pages/${documentId}/actions/publish`, { at: TOMORROW }));
    await full.remove(`/api/pages/${gone.documentId}`);
    await pass();
    await run();
    expect((await full.get(`/api/pages/${good.documentId}`)).status).toBe(200);
    const entries = new Map((await listed()).map((entry) => [String(entry.documentId), entry]));
    expect(entries.get(empty.documentId)).toMatchObject({ at: null, error: expect.stringContaining('title') });
    expect(entries.get(gone.documentId)).toMatchObject({ at: null, error: 'Not Found' });
    expect(entries.size).toBe(2);
    await documentOf(full.update(`/api/pages/${empty.documentId}?status=draft`, { title: 'Now' }));
    await documentOf(post(`/api/pages/${empty.documentId}/actions/publish`, { at: TOMORROW }));
    await pass();
    await run();
    expect((await full.get(`/api/pages/${empty.documentId}`)).status).toBe(200);
  });

  it.each([
    ['2020-01-01T00:00:00Z', 'Invalid data.at. Expected a time in the future'],
    ['tomorrow', 'Invalid data.at. Expected a time such as 2027-01-01T09:00:00Z'],
    [7, 'Invalid data.at. Expected a time such as 2027-01-01T09:00:00Z'],
  ])('is refused for %j', async (at, message) => {
    const { documentId } = await draft();
    expect(await errorOf(post(`/api/pages/${documentId}/actions/publish`, { at }))).toMatchObject({
      status: 400,
      message,
    });
    expect(await listed()).toEqual([]);
  });

  it('is for a time that is yet to come, to the millisecond', async () => {
    const { documentId } = await draft();
    const now = Date.now();
    vi.useFakeTimers({ now, toFake: ['Date'] });
    const statusFor = async (at: number) =>
      (await post(`/api/pages/${documentId}/actions/publish`, { at: new Date(at).toISOString() })).status;
    expect([await statusFor(now), await statusFor(now + 1)]).toEqual([400, 200]);
  });

  it('is refused for a document that is not there, and for a discarded draft', async () => {
    expect((await post('/api/pages/nowhere/actions/publish', { at: TOMORROW })).status).toBe(404);
    const { documentId } = await draft();
    expect((await post(`/api/pages/${documentId}/actions/publish?locale=fr`, { at: TOMORROW })).status).toBe(404);
    expect((await post(`/api/pages/${documentId}/actions/discard-draft`, { at: TOMORROW })).status).toBe(400);
    expect(await listed()).toEqual([]);
  });

  it.each(['fields', 'populate'])('is rejected for an unknown name in %s, as the action is', async (param) => {
    const { documentId } = await draft();
    const path = `/api/pages/${documentId}/actions/publish?${param}=nothing`;
    const scheduled = await errorOf(post(path, { at: TOMORROW }));
    expect(scheduled).toMatchObject({ status: 400, details: { param } });
    expect(await errorOf(post(path))).toEqual(scheduled);
    expect(await listed()).toEqual([]);
  });

  it('to unpublish is rejected with status=published, as the action is', async () => {
    const { documentId } = await documentOf(full.create('/api/pages', { title: 'A' }));
    const path = `/api/pages/${documentId}/actions/unpublish?status=published`;
    const scheduled = await errorOf(post(path, { at: TOMORROW }));
    expect(scheduled).toMatchObject({ status: 400, details: { param: 'status' } });
    expect(await errorOf(post(path))).toEqual(scheduled);
    expect(await listed()).toEqual([]);
  });
});

describe('a run', () => {
  it.each([
    ['no', 'api::page.page', ''],
    ['a', 'api::home.home', 'a'.repeat(24)],
  ])(
    'changes no document by a schedule of before, if its type is %s single type now',
    async (article, type, documentId) => {
      await draft();
      await full.update('/api/home?status=draft', { title: 'H' });
      // Each publication makes a row.
      const newest = () =>
        env.DB.prepare('select max(s.id) as story, max(h.id) as home from stories s, homes h').first();
      const before = await newest();
      const locale = type === 'api::home.home' ? '' : 'en';
      await env.DB.prepare(`insert into edgewise_scheduled select 's', ?, ?, ?, 'publish', 1, null, 0, null`)
        .bind(type, documentId, locale)
        .run();
      await run();
      expect(await newest()).toEqual(before);
      expect(await listed()).toMatchObject([{ error: `The content type is ${article} single type now` }]);
    },
  );

  it('reads one row while nothing is due, whatever is scheduled', async () => {
    const rows = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)`;
    await env.DB.prepare(
      `${rows} insert into edgewise_scheduled select 'x' || i, 'api::page.page', 'd' || i, 'en', 'publish', iif(i % 2, 99999999999999, null), null, 0, null from n`,
    ).run();
    const { database, rowsRead } = countedDatabase(env.DB);
    await run(database);
    const ofSchedules = [...rowsRead].filter(([text]) => text.includes('edgewise_scheduled'));
    expect(ofSchedules.reduce((sum, [, each]) => sum + each, 0)).toBe(1);
  });

  it('in another locale leaves the responses to publications as they are, in the same isolate', async () => {
    const isolate = serveWithCron(kindsRegistry, settings);
    const { documentId } = await draft();
    const path = `/api/pages/${documentId}`;
    await documentOf(full.update(`${path}?locale=fr&status=draft`, { title: 'F' }));
    await documentOf(post(`${path}/actions/publish?locale=fr`, { at: TOMORROW }));
    await pass();
    await isolate.runCron();
    const published = await documentOf(isolate.send(`${path}/actions/publish`, sendJson('POST', 'full', undefined)));
    expect(published).toMatchObject({ title: 'A', locale: 'en' });
    expect(await documentOf(full.get(`${path}?locale=fr`))).toMatchObject({ title: 'F' });
  });

  it('beside others carries each out once, and many in several runs', async () => {
    const MANY = 100;
    const documents = await Promise.all(Array.from({ length: MANY }, () => draft()));
    for (const { documentId } of documents)
      await documentOf(post(`/api/pages/${documentId}/actions/publish`, { at: TOMORROW }));
    await pass();
    const id = async () => (await env.DB.prepare('select max(id) as id from pages').first<{ id: number }>())?.id ?? 0;
    const before = await id();
    const log = vi.spyOn(console, 'error');
    for (let runs = 0; runs < 6 && (await listed()).length > 0; runs += 1) await Promise.all([run(), run(), run()]);
    expect(await listed()).toEqual([]);
    // Each publication makes one row.
    expect((await id()) - before).toBe(MANY);
    expect(log).not.toHaveBeenCalled();
    expect(await checkInvariants(env.DB, kindsRegistry)).toEqual([]);
  });
});

describe('the list', () => {
  it('has what is scheduled for the type and the document that are named', async () => {
    const [first, second] = [await draft(), await draft()];
    for (const { documentId } of [first, second])
      await documentOf(post(`/api/pages/${documentId}/actions/publish`, { at: TOMORROW }));
    const idsOf = async (query: string) =>
      (await documentsOf(full.get(`/api/scheduled?${query}`))).map(({ documentId }) => documentId).sort();
    const [one, both] = [[first.documentId], [first.documentId, second.documentId].sort()];
    expect(await idsOf(`type=api::page.page&documentId=${first.documentId}`)).toEqual(one);
    expect(await idsOf(`documentId=${first.documentId}`)).toEqual(one);
    expect(await idsOf('type=api::page.page')).toEqual(both);
    expect(await idsOf('type=&documentId=')).toEqual(both);
    expect(await idsOf('type=api::topic.topic')).toEqual([]);
  });

  it.each(['type', 'documentId'])('takes one %s, and no list or object', async (name) => {
    for (const query of [`${name}[]=a&${name}[]=b`, `${name}[eq]=a`])
      expect(await errorOf(full.get(`/api/scheduled?${query}`))).toMatchObject({
        status: 400,
        message: `Invalid parameter at '${name}'. Expected a string`,
        details: { param: name },
      });
  });
});

describe('grants', () => {
  it('are those of the action, with their conditions', async () => {
    const anna = await register(send, 'anna');
    const own = await draft({ author: anna.user.id });
    const other = await draft();
    const path = (document: ApiDocument, action = 'publish') => `/api/pages/${document.documentId}/actions/${action}`;
    expect((await post(path(own), { at: TOMORROW }, anna.jwt)).status).toBe(200);
    expect((await post(path(other), { at: TOMORROW }, anna.jwt)).status).toBe(404);
    expect((await post(path(own, 'unpublish'), { at: TOMORROW }, anna.jwt)).status).toBe(403);
    const hidden = await documentOf(post(path(other), { at: TOMORROW }));
    expect((await listed(anna.jwt)).map(({ documentId }) => documentId)).toEqual([own.documentId]);
    expect((await clientOf(send, anna.jwt).remove(`/api/scheduled/${hidden.id}`)).status).toBe(404);
    expect((await send('/api/scheduled')).status).toBe(403);
    expect((await send('/api/scheduled', { method: 'POST' })).status).toBe(405);
  });
});
