/**
 * @module Users and files as targets of polymorphic relations.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, sendJson } from '../../support/recorded.ts';
import { openShop, shopRegistry, target } from '../../support/worlds/shop.ts';

const { client, send } = openShop();

interface System {
  readonly id: number;
  readonly documentId: string;
}

async function user(name: string): Promise<System> {
  const body = { username: name, email: `${name}@example.com`, password: 'secret-pass-1', role: 1 };
  const response = await send('/api/users', sendJson('POST', 'full', body));
  if (response.status === 201) return (await response.json()) as System;
  throw new Error(await response.text());
}

async function file(): Promise<System> {
  const form = new FormData();
  form.append('files', new Blob(['text'], { type: 'text/plain' }), 'note.txt');
  const response = await send('/api/upload', { method: 'POST', body: form, ...bearer('full') });
  if (response.status === 201) return ((await response.json()) as [System])[0];
  throw new Error(await response.text());
}

const links = async () =>
  (await env.DB.prepare('select * from menus_items_mph union all select * from comments_subject_mph').all()).results;

it('loses its links with them', async () => {
  const [ann, note] = [await user('ann'), await file()];
  const items = [
    { __type: 'plugin::users-permissions.user', documentId: ann.documentId },
    { __type: 'plugin::upload.file', documentId: note.documentId },
  ];
  const menu = await target(client, 'menu', { items });
  await target(client, 'comment', { subject: items[0] });
  const path = `/api/menus/${menu.documentId}?populate=items`;
  expect((await documentOf(client.get(path))).items).toMatchObject([{ username: 'ann' }, { name: 'note.txt' }]);

  await documentOf(client.get(path));
  await send(`/api/users/${ann.id}`, sendJson('PUT', 'full', { username: 'anna' }));
  expect((await documentOf(client.get(path))).items).toMatchObject([{ username: 'anna' }, {}]);

  expect((await client.remove(`/api/users/${ann.id}`)).status).toBe(200);
  expect((await documentOf(client.get(path))).items).toMatchObject([{ name: 'note.txt' }]);
  expect((await client.remove(`/api/upload/files/${note.id}`)).status).toBe(200);
  expect((await documentOf(client.get(path))).items).toEqual([]);
  expect(await links()).toEqual([]);
  expect(await checkInvariants(env.DB, shopRegistry)).toEqual([]);
});
