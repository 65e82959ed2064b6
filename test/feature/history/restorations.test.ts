/**
 * @module Restorations in unusual cases: beside other writers, of what is gone, of what is large, and of what the caller may
 * not see.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createRegistryTables, type Send, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { historyOf } from '../../support/former-versions.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { createToken, sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const localized = { pluginOptions: { i18n: { localized: true } } };
const registry = registryOf([
  contentType('note', { title: { type: 'text' } }),
  contentType('page', { title: { type: 'string', ...localized } }, { drafts: true, localized: true }),
  contentType('homepage', { heading: { type: 'string' } }, { single: true, drafts: true }),
  contentType('setting', { name: { type: 'string' } }, { single: true }),
]);
const settings = {
  history: {
    'api::note.note': { versions: 50 },
    'api::page.page': true,
    'api::homepage.homepage': true,
    'api::setting.setting': true,
  },
} as const;
const { client, send } = openWorld(registry, { ...settings, api: { rest: { limits: { bodyBytes: 2_000_000 } } } });

const restore = (path: string, revision: string | undefined, headers = {}, by: Send = send) => {
  const init = sendJson('POST', 'full', { data: { revision } });
  return by(`${path}/actions/restore`, { ...init, headers: { ...init.headers, ...headers } });
};

describe('beside other writers', () => {
  it('ten updates and restorations at once are all done, each with its version', async () => {
    const { documentId } = await documentOf(client.create('/api/notes', { title: 'first' }));
    const path = `/api/notes/${documentId}`;
    const [{ revision } = {}] = await historyOf(client, path);
    const writes = Array.from({ length: 10 }, (_, index) =>
      index % 3 === 0 ? restore(path, revision) : client.update(path, { title: `write ${index}` }),
    );
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 200));
    const list = await historyOf(client, path);
    const count = (name: string) => list.filter(({ operation }) => operation === name).length;
    expect([count('create'), count('update'), count('restore')]).toEqual([1, 6, 4]);
  });

  it('a deleted document that is restored twice at once is restored, then updated', async () => {
    const { documentId } = await documentOf(client.create('/api/notes', { title: 'gone' }));
    const path = `/api/notes/${documentId}`;
    await client.remove(path);
    const [, created] = await historyOf(client, path);
    const meanwhile = async () => {
      expect((await restore(path, created?.revision)).status).toBe(200);
      await documentOf(client.update(path, { title: 'meanwhile' }));
    };
    const late = serveRegistry(registry, settings, { DB: interleavedDatabase(env.DB, 2, meanwhile) });
    const response = await restore(path, created?.revision, {}, late);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"gone"')]);
    expect((await historyOf(client, path)).map(({ operation }) => operation)).toEqual([
      ...['restore', 'update', 'restore', 'delete', 'create'],
    ]);
  });
});

describe('beside a deletion', () => {
  const model = registryOf([
    contentType('note', { title: { type: 'text' } }),
    contentType('album', {
      title: { type: 'string' },
      notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' },
    }),
  ]);
  const by = serveRegistry(model, { history: true });
  const own = clientOf(by, 'full');

  /** Restores an album while something is deleted before the batch of a number. */
  async function restored(at: number, toDelete: 'album' | 'note') {
    await createRegistryTables(model);
    const titles = ['gone', 'there'];
    const notes = await Promise.all(titles.map((title) => documentOf(own.create('/api/notes', { title }))));
    const sent = { title: 'then', notes: notes.map(({ documentId }) => documentId) };
    const path = `/api/albums/${(await documentOf(own.create('/api/albums', sent))).documentId}`;
    await documentOf(own.update(path, { title: 'now', notes: [] }));
    const data = await historyOf(own, path);
    const target = notes[0]?.documentId;
    const meanwhile = () => own.remove(toDelete === 'album' ? path : `/api/notes/${target}`);
    const late = serveRegistry(model, { history: true }, { DB: interleavedDatabase(env.DB, at, meanwhile) });
    const response = await restore(path, data.at(-1)?.revision, {}, late);
    return { response, target, shown: await documentOf(own.get(`${path}?populate=notes`)) };
  }

  it.each([2, 3])('of the document, it is created again (batch %i)', async (at) => {
    const { response, shown } = await restored(at, 'album');
    expect(response.status, await response.text()).toBe(200);
    expect(shown).toMatchObject({ title: 'then', notes: [{ title: 'gone' }, { title: 'there' }] });
  });

  it.each([2, 3])('of a target, it is restored without it, and the target is missing (batch %i)', async (at) => {
    const { response, target, shown } = await restored(at, 'note');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ meta: { missing: [{ path: 'notes', documentId: target }] } });
    expect(shown).toMatchObject({ title: 'then', notes: [{ title: 'there' }] });
  });
});

describe('If-Match', () => {
  it('of a deleted document is a 412', async () => {
    const created = await client.create('/api/notes', { title: 'one' });
    const etag = created.headers.get('etag');
    const { documentId } = await documentOf(Promise.resolve(created));
    const path = `/api/notes/${documentId}`;
    await client.remove(path);
    const revision = (await historyOf(client, path)).at(-1)?.revision;
    for (const tag of [etag, '*']) expect((await restore(path, revision, { 'if-match': tag })).status).toBe(412);
    expect((await client.get(path)).status).toBe(404);
  });
});

describe('what is gone', () => {
  it('a restored locale is shown, also after an update with an unknown parameter', async () => {
    const lax = serveRegistry(registry, { ...settings, api: { rest: { strictParams: false } } });
    const { documentId } = await documentOf(client.create('/api/pages?locale=en', { title: 'English' }));
    const path = `/api/pages/${documentId}`;
    await documentOf(client.update(`${path}?locale=fr`, { title: 'French' }));
    const french = (await historyOf(client, path)).find(({ locale }) => locale === 'fr');
    // The plan of what a response shows is cached from the second use on.
    for (const title of ['one', 'two', 'three'])
      await documentOf(clientOf(lax, 'full').update(`${path}?fields=title&restore=fr`, { title }));
    const init = sendJson('POST', 'full', { data: { revision: french?.revision } });
    const restored = documentOf(lax(`${path}/actions/restore?fields=title`, init));
    expect(await restored).toMatchObject({ title: 'French' });
  });

  it.each([
    ['/api/homepage', 'heading'],
    ['/api/setting', 'name'],
  ])('the single type of %s comes back under its documentId', async (path, attribute) => {
    const { documentId } = await documentOf(client.update(path, { [attribute]: 'then' }));
    await documentOf(client.update(path, { [attribute]: 'later' }));
    const [revision] = (await historyOf(client, path)).filter(({ hasValues }) => hasValues).slice(-1);
    expect((await restore(path, revision?.revision)).status).toBe(200);
    expect(await documentOf(client.get(`${path}?status=draft`))).toMatchObject({ documentId, [attribute]: 'then' });
    await client.remove(path);
    expect((await client.get(`${path}?status=draft`)).status).toBe(404);
    const name = path.slice('/api/'.length);
    // A single type has no `create`: its first write is an update.
    const actions = ['find', 'readDrafts', 'history', 'restore', 'update'].map(
      (each) => `api::${name}.${name}.${each}`,
    );
    await createToken(`writes-${name}`, 'custom', actions);
    const init = sendJson('POST', `writes-${name}`, { data: { revision: revision?.revision } });
    expect((await send(`${path}/actions/restore`, init)).status).toBe(200);
    expect(await documentOf(client.get(`${path}?status=draft`))).toMatchObject({ documentId, [attribute]: 'then' });
  });
});

it('a response says what a deep populate has left out, as every other does', async () => {
  const deep = serveRegistry(registry, { ...settings, api: { rest: { deepPopulate: true } } });
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'then' }));
  const path = `/api/notes/${documentId}`;
  const [{ revision } = {}] = await historyOf(client, path);
  const response = await deep(
    `${path}/actions/restore?populate=@deep:1`,
    sendJson('POST', 'full', { data: { revision } }),
  );
  const shown = await clientOf(deep, 'full').get(`${path}/history/${revision}?populate=@deep:1`);
  for (const each of [response, shown])
    expect(await each.json()).toMatchObject({ meta: { populated: { depth: 1 }, missing: [], changed: [] } });
});

describe('a body without a revision', () => {
  it('is a 400 for a caller with the grant alone', async () => {
    const { documentId } = await documentOf(client.create('/api/notes', { title: 'then' }));
    const path = `/api/notes/${documentId}/actions/restore`;
    const sentBy = (token: string) => send(path, sendJson('POST', token, { data: {} }));
    const message = 'Invalid data.revision. Expected the revision of a former version';
    expect(await errorOf(sentBy('full'))).toMatchObject({ status: 400, message });
    expect((await sentBy('unknown')).status).toBe(401);
    expect((await send(path, { method: 'POST' })).status).toBe(403);
  });
});

describe('what is large', () => {
  it('a version of 1.4 MB is restored; one of more than 1.5 MB is written, and has no values', async () => {
    const [large, larger] = ['ä'.repeat(700_000), 'x'.repeat(1_499_950)];
    const { documentId } = await documentOf(client.create('/api/notes', { title: large }));
    const path = `/api/notes/${documentId}`;
    expect((await client.update(path, { title: larger })).status).toBe(200);
    const [none, kept] = await historyOf(client, path);
    expect([none?.hasValues, kept?.hasValues]).toEqual([false, true]);
    expect((await errorOf(restore(path, none?.revision))).status).toBe(404);
    expect((await restore(path, kept?.revision)).status).toBe(200);
    expect((await documentOf(client.get(path))).title).toBe(large);
  });
});

describe('of what the caller may not see', () => {
  const to = (target: string) => ({ type: 'relation', relation: 'oneToOne', target });
  const hidden = { ...to('api::note.note'), private: true };
  const text = { type: 'string' };
  const model = registryOf(
    [
      contentType('note', { title: { type: 'text' } }),
      contentType('case', {
        title: { type: 'string' },
        open: to('api::note.note'),
        secret: hidden,
        box: { type: 'component', component: 'kit.box' },
      }),
    ],
    [component('kit.box', { open: to('api::note.note'), secret: hidden })],
  );
  const kept = serveRegistry(model, { history: true });
  const own = clientOf(kept, 'full');

  /** A document whose former version links to deleted notes, with a path to it. */
  async function created() {
    await createRegistryTables(model);
    const [open, secret] = await Promise.all(
      ['open', 'secret'].map(async (title) => (await documentOf(own.create('/api/notes', { title }))).documentId),
    );
    const values = { title: 'then', open, secret, box: { open, secret } };
    const path = `/api/cases/${(await documentOf(own.create('/api/cases', values))).documentId}`;
    await documentOf(own.update(path, { title: 'closed', open: null, secret: null, box: null }));
    for (const documentId of [open, secret]) await own.remove(`/api/notes/${documentId}`);
    const list = await historyOf(own, path);
    return { path, open, revisions: list.map(({ revision }) => revision) };
  }

  const missingOf = async (response: Promise<Response> | Response) =>
    ((await (await response).json()) as { meta: { missing: readonly object[] } }).meta.missing;

  it('no deleted target of a private attribute is named, also of a component', async () => {
    const { path, open, revisions } = await created();
    const shown = own.get(`${path}/history/${revisions.at(-1)}?populate[open]=true&populate[box][populate]=*`);
    const named = ['open', 'box.open'].map((name) => ({ path: name, documentId: open }));
    const byPath = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort();
    expect(byPath(await missingOf(shown))).toEqual(byPath(named));
    expect(byPath(await missingOf(restore(path, revisions.at(-1), {}, kept)))).toEqual(byPath(named));
  });

  it('a restoration names none beyond the attributes of a grant', async () => {
    const { path, revisions } = await created();
    await createToken('titles-of-cases', 'custom', [
      { action: ['find', 'findOne'].map((name) => `api::case.case.${name}`), fields: ['title'] },
      ...['history', 'restore', 'update'].map((name) => `api::case.case.${name}`),
      ...['find', 'findOne'].map((name) => `api::note.note.${name}`),
    ]);
    const init = sendJson('POST', 'titles-of-cases', { data: { revision: revisions.at(-1) } });
    expect(await missingOf(kept(`${path}/actions/restore`, init))).toEqual([]);
  });

  it('a restoration names no attribute that has changed beyond those of a grant', async () => {
    const { path, revisions } = await created();
    const bare = registryOf([contentType('note', { title: { type: 'text' } }), contentType('case', { title: text })]);
    await createToken('titles-alone', 'custom', [
      { action: ['find', 'findOne'].map((name) => `api::case.case.${name}`), fields: ['title'] },
      ...['history', 'restore', 'update'].map((name) => `api::case.case.${name}`),
    ]);
    const changedFor = async (token: string) => {
      const init = sendJson('POST', token, { data: { revision: revisions.at(-1) } });
      const response = await serveRegistry(bare, { history: true })(`${path}/actions/restore`, init);
      return ((await response.json()) as { meta: { changed: readonly string[] } }).meta.changed;
    };
    expect(await changedFor('full')).toContain('open');
    expect(await changedFor('titles-alone')).toEqual([]);
  });

  it('a deleted document comes back without what the caller may not write of a new one', async () => {
    const { path, revisions } = await created();
    await own.remove(path);
    const names = ['find', 'findOne', 'history', 'restore', 'update'];
    await createToken('creates-titles', 'custom', [
      { action: 'api::case.case.create', fields: ['title'] },
      ...names.map((name) => `api::case.case.${name}`),
    ]);
    const init = sendJson('POST', 'creates-titles', { data: { revision: revisions.at(-1) } });
    expect((await kept(`${path}/actions/restore`, init)).status).toBe(200);
    expect(await documentOf(own.get(`${path}?populate=box`))).toMatchObject({ title: 'then', box: null });
  });

  it('a version outside of the conditions is not found, whatever the query is', async () => {
    const { path, revisions } = await created();
    await documentOf(own.update(path, { title: 'then' }));
    await createToken('thens', 'custom', [
      {
        action: ['find', 'findOne', 'history'].map((name) => `api::case.case.${name}`),
        where: { title: 'then' },
      },
    ]);
    const statusOf = async (revision = '', query = '?populate=none') =>
      (await kept(`${path}/history/${revision}${query}`, { headers: { authorization: 'Bearer thens' } })).status;
    expect(await statusOf(revisions.at(-1))).toBe(400);
    for (const revision of [revisions[0], `rev_${'0'.repeat(24)}`]) expect(await statusOf(revision)).toBe(404);
  });
});

it('If-Match of a single type is compared with the document of today, which has another documentId than a deleted one', async () => {
  for (const path of ['/api/setting', '/api/homepage']) {
    const named = path === '/api/setting' ? 'name' : 'heading';
    await client.remove(path);
    await documentOf(client.update(path, { [named]: 'first' }));
    const [{ revision } = {}] = await historyOf(client, path);
    await client.remove(path);
    await documentOf(client.update(path, { [named]: 'second' }));
    expect((await restore(path, revision, { 'if-match': '"other"' })).status).toBe(412);
    const tag = (await client.get(`${path}?status=draft`)).headers.get('etag');
    expect((await restore(path, revision, { 'if-match': String(tag) })).status).toBe(200);
    expect(await documentOf(client.get(`${path}?status=draft`))).toMatchObject({ [named]: 'first' });
  }
});
