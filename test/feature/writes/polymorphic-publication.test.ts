/**
 * @module Publications of documents whose body changes polymorphic relations from the side that is pointed at.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { type ApiDocument, documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { openShop, shopRegistry, target } from '../../support/worlds/shop.ts';

const { client } = openShop();

it.each([
  ['of documents with drafts', 'product', 'products', 'menu', 'menus', 'title'],
  ['of documents without drafts', 'gadget', 'gadgets', 'comment', 'comments', 'text'],
])('publishes and unpublishes links %s', async (_, name, route, other, relation, label) => {
  const { documentId } = await target(client, name, { name: 'Pointed at' });
  const [one, two] = await Promise.all(['One', 'Two'].map((text) => target(client, other, { [label]: text })));
  const labels = async (status: string) => {
    const document = await documentOf(client.get(`/api/${route}/${documentId}?status=${status}&populate=${relation}`));
    return (document[relation] as ApiDocument[]).map((each) => each[label]);
  };
  const change = async (value: object, expected: readonly string[]) => {
    await documentOf(client.update(`/api/${route}/${documentId}`, { [relation]: value }));
    expect(await labels('draft')).toEqual(expected);
    expect(await labels('published')).toEqual(expected);
  };
  await change([one?.documentId, two?.documentId], ['One', 'Two']);
  await change({ disconnect: [one?.documentId] }, ['Two']);
  await change({ connect: [one?.documentId] }, ['Two', 'One']);
  await change([], []);
  expect(await checkInvariants(env.DB, shopRegistry)).toEqual([]);
});

it.each([
  ['before', { before: 'shop' }, ['Lamp', 'Ana', 'Corner']],
  ['after', { after: 'shop' }, ['Lamp', 'Corner', 'Ana']],
  ['before one with drafts', { before: 'product' }, ['Ana', 'Lamp', 'Corner']],
])('places a target of a document without drafts %s', async (_, position, expected) => {
  const product = await target(client, 'product', { name: 'Lamp' });
  const shop = await target(client, 'shop', { name: 'Corner' });
  const shelf = await target(client, 'shelf', { title: 'Mixed', things: [product, shop] });
  const [[at, name = '']] = Object.entries(position) as [[string, string]];
  const { documentId, __type } = name === 'shop' ? shop : product;
  const person = await target(client, 'person', { name: 'Ana' });
  const connect = [{ ...person, position: { [at]: documentId, __type } }];
  await documentOf(client.update(`/api/shelves/${shelf.documentId}`, { things: { connect } }));
  for (const status of ['draft', 'published']) {
    const { things } = await documentOf(
      client.get(`/api/shelves/${shelf.documentId}?populate=things&status=${status}`),
    );
    expect((things as ApiDocument[]).map((each) => each.name)).toEqual(expected);
  }
});
