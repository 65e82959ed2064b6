/**
 * @module The list of schedules for roles with conditions on many types.
 */
import { expect, it } from 'vitest';
import { clientOf, documentOf, documentsOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const TYPES = 300;
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
const names = Array.from({ length: TYPES }, (_, index) => `kind${index}`);
const registry = registryOf(names.map((name) => contentType(name, { title: { type: 'string' } }, { drafts: true })));

const many = { $or: Array.from({ length: 40 }, (_, index) => ({ title: { $eq: `T${index}` } })) };
const { client: full, send } = openWorld(registry, {
  roles: {
    authenticated: names.map((name) => ({
      action: ['find', 'readDrafts', 'publish', 'unpublish'].map((action) => `api::${name}.${name}.${action}`),
      where: many,
    })),
  },
});

async function scheduled(name: string, title: string): Promise<string> {
  const { documentId } = await documentOf(full.create(`/api/${name}s?status=draft`, { title }));
  const path = `/api/${name}s/${documentId}/actions/publish`;
  const response = await send(path, sendJson('POST', 'full', { data: { at: TOMORROW } }));
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

it('lists and cancels schedules for a role with conditions on 300 types', async () => {
  const { jwt } = await register(send, 'zoe');
  // At the same time, in several statements.
  const shown = await Promise.all([0, 60, 120, 180, 240, TYPES - 1].map((at) => scheduled(`kind${at}`, 'T1')));
  const hidden = await scheduled('kind150', 'other');
  const ids = async (token: string) =>
    (await documentsOf(clientOf(send, token).get('/api/scheduled'))).map(({ id }) => id as unknown);
  expect(await ids(jwt)).toEqual(shown.toSorted());
  const cancel = (id: string) => clientOf(send, jwt).remove(`/api/scheduled/${id}`);
  expect((await cancel(hidden)).status).toBe(404);
  const [first = ''] = shown;
  expect((await cancel(first)).status).toBe(204);
  expect((await cancel(first)).status).toBe(404);
  expect(await ids('full')).toEqual([...shown.slice(1), hidden].toSorted());
});
