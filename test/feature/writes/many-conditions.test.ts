/**
 * @module A polymorphic relation to more types with conditions than one statement has room for.
 */
import { expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const TYPES = 90;
const names = Array.from({ length: TYPES }, (_, index) => `kind${index}`);
const uidOf = (name: string) => `api::${name}.${name}`;
const registry = registryOf([
  ...names.map((name) => contentType(name, { title: { type: 'string' } })),
  contentType('hub', { title: { type: 'string' }, items: { type: 'relation', relation: 'morphToMany' } }),
]);
const where = { $or: Array.from({ length: 20 }, (_, index) => ({ title: `seen ${index}` })) };
const { client: full, send } = openWorld(registry, {
  roles: {
    authenticated: [
      ...names.map((name) => ({ action: [`${uidOf(name)}.find`], where })),
      ...['find', 'findOne', 'create', 'update'].map((action) => `api::hub.hub.${action}`),
    ],
  },
});

it('is set by a caller with conditions on 90 types, who keeps what is hidden, in its order', async () => {
  const create = async (name: string, title: string) => ({
    __type: uidOf(name),
    documentId: (await documentOf(full.create(`/api/${name}s`, { title }))).documentId,
  });
  const seen = await Promise.all(names.map((name, index) => create(name, `seen ${index % 20}`)));
  const hidden = await Promise.all(names.map((name) => create(name, `hidden ${name}`)));
  const { documentId } = await documentOf(full.create('/api/hubs', { title: 'A', items: [...hidden].reverse() }));
  const user = clientOf(send, (await register(send, 'zoe')).jwt);
  const path = `/api/hubs/${documentId}`;
  await documentOf(user.update(path, { items: { set: seen } }));
  const on = names.map((name) => `populate[items][on][${uidOf(name)}]=true`).join('&');
  const itemsFor = async (client: typeof full) =>
    ((await documentOf(client.get(`${path}?${on}`))).items as { title: string }[]).map(({ title }) => title);
  expect(await itemsFor(user)).toEqual(names.map((_, index) => `seen ${index % 20}`));
  const all = await itemsFor(full);
  expect(all).toHaveLength(2 * TYPES);
  expect(all.filter((title) => title.startsWith('hidden'))).toEqual(names.map((name) => `hidden ${name}`).reverse());
});
