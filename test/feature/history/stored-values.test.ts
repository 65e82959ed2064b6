/**
 * @module A former version that is unlike what a request may have, or its caller see: limits of a body, private attributes
 * that have changed, types that are not listed; and how the nested form of Strapi 4 names what a version lacks.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { type Send, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { historyOf } from '../../support/former-versions.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const TEXT = { type: 'string' };
const registry = registryOf(
  [
    contentType('note', { title: TEXT }),
    contentType('secret', { title: TEXT }),
    contentType('album', {
      ...{ title: TEXT, hidden: { ...TEXT, private: true }, data: { type: 'json' } },
      ...{ notes: relation('oneToMany', 'note'), part: { type: 'component', component: 'album.part' } },
    }),
  ],
  [component('album.part', { name: TEXT, secret: relation('oneToOne', 'secret') })],
);
const { client, send } = openWorld(registry, { history: true });

async function revisionOf(path: string): Promise<string> {
  return (await historyOf(client, path)).at(-1)?.revision ?? '';
}

async function restore(by: Send, path: string, token = 'full'): Promise<Response> {
  const sent = sendJson('POST', token, { data: { revision: await revisionOf(path) } });
  return by(`${path}/actions/restore`, sent);
}

it('the nested form of Strapi 4 names the same missing targets and changed attributes', async () => {
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'gone' }));
  const created = await documentOf(client.create('/api/albums', { title: 'then', notes: [documentId] }));
  const path = `/api/albums/${created.documentId}`;
  await client.remove(`/api/notes/${documentId}`);
  const revision = await revisionOf(path);
  await env.DB.prepare(`update edgewise_history set entry = json_set(entry, '$.types.title', 'integer')`).run();
  const metaOf = async (format: string, search: string) => {
    const headers = { ...bearer('full').headers, 'strapi-response-format': format };
    const response = await send(`${path}/history/${revision}${search}`, { headers });
    const { meta } = (await response.json()) as { meta: { missing: readonly object[]; changed: readonly string[] } };
    return { missing: meta.missing, changed: meta.changed };
  };
  const all = { missing: [{ path: 'notes', documentId }], changed: ['title'] };
  for (const format of ['v4', 'v5']) {
    expect(await metaOf(format, '?populate=*')).toEqual(all);
    expect(await metaOf(format, '?fields=updatedAt')).toEqual({ missing: [], changed: [] });
  }
});

it('a restoration does not name a private attribute that has changed', async () => {
  const created = await documentOf(client.create('/api/albums', { title: 'then', hidden: 'hidden' }));
  const path = `/api/albums/${created.documentId}`;
  const types = `'$.types.title', 'integer', '$.types.hidden', 'integer'`;
  await env.DB.prepare(`update edgewise_history set entry = json_set(entry, ${types})`).run();
  expect(await (await restore(send, path)).json()).toMatchObject({ meta: { changed: ['title'] } });
});

const copying = serveRegistry(registry, { history: true }, {}, undefined, {
  beforeWrite: { 'api::album.album': (data: object) => ({ ...data }) },
});
it.each([
  ['without a hook', send],
  ['with a hook that copies its input', copying],
])('values that were nested deeper than a body may be are restored %s', async (_, by) => {
  const data = JSON.parse(`${'['.repeat(150)}1${']'.repeat(150)}`) as unknown;
  const large = clientOf(
    serveRegistry(registry, { history: true, api: { rest: { limits: { bodyDepth: 200 } } } }),
    'full',
  );
  const path = `/api/albums/${(await documentOf(large.create('/api/albums', { title: 'then', data }))).documentId}`;
  await documentOf(large.update(path, { title: 'now', data: null }));
  const response = await restore(by, path);
  expect(response.status, await response.clone().text()).toBe(200);
  expect(await documentOf(large.get(path))).toMatchObject({ data });
});

it('a component is restored without its relation to a type that the caller may not list', async () => {
  const secret = await documentOf(client.create('/api/secrets', { title: 'secret' }));
  const permissions = ['find', 'findOne', 'update', 'history', 'restore'].map((action) => `api::album.album.${action}`);
  await createToken('album', 'custom', [...permissions, 'api::note.note.find']);
  const part = { name: 'then', secret: secret.documentId };
  const path = `/api/albums/${(await documentOf(client.create('/api/albums', { title: 'then', part }))).documentId}`;
  await documentOf(client.update(path, { title: 'now', part: null }));
  const response = await restore(send, path, 'album');
  expect(response.status, await response.clone().text()).toBe(200);
  expect(await documentOf(client.get(`${path}?populate[part][populate]=*`))).toMatchObject({
    part: { name: 'then', secret: null },
  });
});
