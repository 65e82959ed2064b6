/**
 * @module Polymorphic relations, written from the side that is pointed at: in both versions, and in a locale of their own.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { type ApiDocument, documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { openShop, shopRegistry, target } from '../../support/worlds/shop.ts';

const { client } = openShop();

it('links, orders and unlinks the documents of its own locale', async () => {
  const guides = await Promise.all(['One', 'Two'].map((title) => target(client, 'guide', { title })));
  const [one, two] = guides.map(({ documentId }) => documentId) as [string, string];
  await documentOf(client.update(`/api/guides/${one}?locale=fr`, { title: 'Un' }));
  const article = (await target(client, 'article', { title: 'Linked', parts: [one, two] })).documentId;
  const titles = async (path: string, name: string) =>
    ((await documentOf(client.get(`${path}populate=${name}`)))[name] as ApiDocument[]).map(({ title }) => title);

  for (const status of ['draft', 'published']) {
    expect(await titles(`/api/articles/${article}?status=${status}&`, 'parts')).toEqual(['One', 'Two']);
    expect(await titles(`/api/guides/${one}?status=${status}&`, 'parts')).toEqual(['Linked']);
    expect(await titles(`/api/guides/${one}?status=${status}&locale=fr&`, 'parts')).toEqual([]);
  }

  await documentOf(client.update(`/api/articles/${article}?locale=fr`, { title: 'Lié', parts: { connect: [one] } }));
  expect(await titles(`/api/guides/${one}?status=draft&locale=fr&`, 'parts')).toEqual(['Lié']);
  const first = { documentId: two, position: { start: true } };
  await documentOf(client.update(`/api/articles/${article}`, { parts: { connect: [first] } }));
  expect(await titles(`/api/articles/${article}?status=draft&`, 'parts')).toEqual(['Two', 'One']);
  await documentOf(client.update(`/api/articles/${article}`, { parts: { disconnect: [one] } }));
  expect(await titles(`/api/articles/${article}?status=draft&`, 'parts')).toEqual(['Two']);
  expect(await titles(`/api/guides/${one}?status=draft&locale=fr&`, 'parts')).toEqual(['Lié']);
  expect(await checkInvariants(env.DB, shopRegistry)).toEqual([]);
});

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
