/**
 * @module Restorations write what was stored. The limits and keys of a request's body are not theirs, with a hook or without.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type Send, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { historyOf } from '../../support/former-versions.ts';
import { createToken, sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf(
  [
    contentType('note', { title: { type: 'text' } }),
    contentType('secret', { title: { type: 'text' } }),
    contentType('album', {
      title: { type: 'string' },
      code: { type: 'string', writable: false, default: 'A1' },
      part: { type: 'component', component: 'album.part' },
      zone: { type: 'dynamiczone', components: ['album.part'] },
      notes: relation('manyToMany', 'note'),
      items: { type: 'relation', relation: 'morphToMany' },
      first: { type: 'relation', relation: 'morphToOne' },
      data: { type: 'json' },
    }),
  ],
  [
    component('album.part', {
      name: { type: 'string' },
      code: { type: 'string', writable: false, default: 'B2' },
      secret: relation('oneToOne', 'secret'),
    }),
  ],
);
const hooks = { beforeWrite: { 'api::album.album': (data: object) => ({ ...data }) } };

/** With the limits of a body, and larger ones for what is stored. */
const { send: without } = openWorld(registry, { history: true });
const withHook = serveRegistry(registry, { history: true }, {}, undefined, hooks);
const large = serveRegistry(registry, {
  history: true,
  api: { rest: { limits: { bodyEntries: 20_000, bodyDepth: 200 } } },
});
const client = clientOf(large, 'full');

/** Creates an album, changes it, and restores the first version. */
async function restored(by: Send, then: object, now: object, token = 'full') {
  const { documentId } = await documentOf(client.create('/api/albums', { title: 'then', ...then }));
  const path = `/api/albums/${documentId}`;
  await documentOf(client.update(path, { title: 'now', ...now }));
  const revision = (await historyOf(client, path)).at(-1)?.revision;
  const response = await by(`${path}/actions/restore`, sendJson('POST', token, { data: { revision } }));
  return { response, path };
}

describe.each([
  ['without a hook', without],
  ['with a hook that copies its input', withHook],
])('%s', (_, by) => {
  it('a restored polymorphic relation without targets has none again', async () => {
    const note = await documentOf(client.create('/api/notes', { title: 'later' }));
    const target = { __type: 'api::note.note', documentId: note.documentId };
    const { response, path } = await restored(by, {}, { items: [target], first: target });
    expect(response.status, await response.clone().text()).toBe(200);
    expect(await response.json()).toMatchObject({ meta: { missing: [] } });
    const shown = await documentOf(client.get(`${path}?populate=*`));
    expect(shown).toMatchObject({ title: 'then', items: [], first: null });
  });

  it('5,400 links are restored beside a limit of 5,000 entries', async () => {
    const titles = Array.from({ length: 5_400 }, (_, index) => `note ${index}`);
    await env.DB.prepare('delete from notes').run();
    await env.DB.prepare(
      "insert into notes (document_id, locale, published_at, updated_at, title) select 'note' || key, '', 1, 1, value from json_each(?)",
    )
      .bind(JSON.stringify(titles))
      .run();
    const notes = titles.map((_, index) => `note${index}`);
    const { response, path } = await restored(by, { notes }, { notes: [] });
    expect(response.status, await response.clone().text()).toBe(200);
    const { results } = await env.DB.prepare(
      'select count(*) as "count" from albums_notes_lnk where source_document_id = ?',
    )
      .bind(path.split('/').at(-1))
      .all();
    expect(results).toEqual([{ count: 5_400 }]);
  });

  it('values that were nested deeper than a body may be are restored', async () => {
    const deep = JSON.parse(`${'['.repeat(150)}1${']'.repeat(150)}`) as unknown;
    const { response, path } = await restored(by, { data: deep }, { data: null });
    expect(response.status, await response.clone().text()).toBe(200);
    expect(await documentOf(client.get(path))).toMatchObject({ data: deep });
  });

  it('attributes that no request may write are restored, in components too', async () => {
    const part = { name: 'then' };
    const then = { part, zone: [{ __component: 'album.part', ...part }] };
    const { response, path } = await restored(by, then, { part: null, zone: [] });
    expect(response.status, await response.clone().text()).toBe(200);
    const shown = await documentOf(client.get(`${path}?populate=*`));
    const inner = { name: 'then', code: 'B2' };
    expect(shown).toMatchObject({ title: 'then', code: 'A1', part: inner, zone: [inner] });
  });
});

it('a hook cannot add a key to a restoration that the type does not have', async () => {
  const adding = serveRegistry(registry, { history: true }, {}, undefined, {
    beforeWrite: { 'api::album.album': (data: object) => ({ ...data, other: 1 }) },
  });
  const { response } = await restored(adding, {}, {});
  expect((await errorOf(Promise.resolve(response))).message).toBe('Invalid key other');
});

it('a component is restored without its relation to a type that the caller may not list', async () => {
  const secret = await documentOf(client.create('/api/secrets', { title: 'secret' }));
  const permissions = ['find', 'findOne', 'update', 'history', 'restore'].map((action) => `api::album.album.${action}`);
  await createToken('album', 'custom', [...permissions, 'api::note.note.find']);
  const part = { name: 'then', secret: secret.documentId };
  const { response, path } = await restored(without, { part }, { part: null }, 'album');
  expect(response.status, await response.clone().text()).toBe(200);
  expect(await documentOf(client.get(`${path}?populate[part][populate]=*`))).toMatchObject({
    part: { name: 'then', secret: null },
  });
});

it('a request may write neither', async () => {
  const error = await errorOf(client.create('/api/albums', { code: 'C3' }));
  expect([error.status, error.message]).toEqual([400, 'Invalid key code']);
});
