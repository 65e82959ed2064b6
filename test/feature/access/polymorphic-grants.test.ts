/**
 * @module Polymorphic relations to documents that the conditions of a grant hide: they are as documents that do not exist.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Send } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { openShop, shopRegistry, type Target, target } from '../../support/worlds/shop.ts';

const actions = ['menu', 'page', 'comment', 'shop'].flatMap((name) =>
  ['find', 'findOne', 'create', 'update'].map((action) => `api::${name}.${name}.${action}`),
);
const cheap = { action: 'api::product.product.find', where: { price: { $lt: 10 } } };
const { client: full, send, serve } = openShop({ roles: { public: [...actions, cheap] } });
const asPublic: Send = (path, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('authorization');
  return send(path, { ...init, headers });
};
const limited = clientOf(asPublic, 'none');

let lamp: Target;
let desk: Target;
let shop: Target;
let menu = '';
/** The numeric id of the hidden row. */
let deskId = 0;

beforeAll(async () => {
  lamp = await target(full, 'product', { name: 'Lamp', price: 5 });
  desk = await target(full, 'product', { name: 'Desk', price: 50 });
  shop = await target(full, 'shop', { name: 'Corner' });
  menu = `/api/menus/${(await target(full, 'menu', { title: 'Main', items: [lamp, desk, shop] })).documentId}`;
  deskId = Number((await documentOf(full.get(`/api/products/${desk.documentId}`))).id);
});

const order = async (client = full) => {
  const { items } = await documentOf(client.get(`${menu}?populate=items`));
  return (items as readonly { name: string }[]).map(({ name }) => name);
};

describe('a hidden target', () => {
  it('is neither shown nor counted nor found by a filter', async () => {
    expect(await order(limited)).toEqual(['Lamp', 'Corner']);
    expect((await documentOf(limited.get(`${menu}?populate[items][count]=true`))).items).toEqual({ count: 2 });
    const product = 'populate[items][on][api::product.product]';
    expect((await documentOf(limited.get(`${menu}?${product}[filters][price][$gt]=40`))).items).toEqual([]);
    const data = { rails: [{ entries: [desk, shop] }], teaser: { target: desk } };
    const { documentId } = await documentOf(full.create('/api/pages', data));
    const page = (search: string) => documentOf(limited.get(`/api/pages/${documentId}?${search}`));
    expect(await page('populate=rails.entries,teaser.target')).toMatchObject({
      rails: [{ entries: [{ name: 'Corner' }] }],
      teaser: { target: null },
    });
    const counts = 'populate[rails][populate][entries][count]=true&populate[teaser][populate][target][count]=true';
    expect(await page(counts)).toMatchObject({
      rails: [{ entries: { count: 1 } }],
      teaser: { target: { count: 0 } },
    });
    const comment = await target(full, 'comment', { text: 'c', subject: desk });
    expect((await documentOf(limited.get(`/api/comments/${comment.documentId}?populate=subject`))).subject).toBeNull();
  });

  it.each([
    [3, 400],
    [4, 200],
  ])('does not count against at most %d rows', async (answerRows, status) => {
    const prices = [50, 60, 70, 80, 1, 2, 3];
    const all = await Promise.all(prices.map((price) => target(full, 'product', { name: `P${price}`, price })));
    const { documentId } = await target(full, 'menu', { title: 'Prices', items: all });
    const strict = serve({ roles: { public: [...actions, cheap] }, api: { rest: { limits: { answerRows } } } });
    const response = await strict(`/api/menus/${documentId}?populate=items`, {});
    expect(response.status).toBe(status);
  });

  it.each<[string, (named: object, anchor: unknown) => object]>([
    ['connect', (named) => ({ connect: [named] })],
    ['disconnect', (named) => ({ disconnect: [named] })],
    ['set', (named) => ({ set: [named] })],
    ['position', (_, before) => ({ connect: [{ ...shop, position: { before, __type: desk.__type } }] })],
  ])('is as one that does not exist in %s', async (form, itemsOf) => {
    const ask = async (name: string | number) => {
      const named = { __type: desk.__type, [typeof name === 'number' ? 'id' : 'documentId']: name };
      const response = await limited.update(`${menu}?fields=title`, { items: itemsOf(named, name) });
      const { error } = (await response.json()) as { error?: { message: string } };
      return [response.status, error?.message.replaceAll(String(name), 'NAME')];
    };
    expect(await ask(desk.documentId)).toEqual(await ask('missing'));
    if (form !== 'set') expect(await ask(deskId)).toEqual(await ask(9_999_999));
    expect(await order()).toEqual(['Lamp', 'Desk', 'Corner']);
  });

  it.each(['connect', 'disconnect'])('of a component is as one that does not exist in %s', async (form) => {
    const { documentId } = await documentOf(
      full.create('/api/pages', { title: 'p', rails: [{ entries: [desk, shop] }] }),
    );
    const path = `/api/pages/${documentId}?populate=rails.entries`;
    const { rails } = await documentOf(full.get(`${path}&status=draft`));
    const [{ id } = { id: 0 }] = rails as readonly { id: number }[];
    for (const named of [desk, { ...desk, documentId: 'missing' }])
      expect((await limited.update(path, { rails: [{ id, entries: { [form]: [named] } }] })).status).toBe(400);
    expect(await documentOf(full.get(path))).toMatchObject({ rails: [{ entries: [desk, shop] }] });
  });

  it('keeps its place while others move around it', async () => {
    const moves: [object, string[]][] = [
      [{ connect: [lamp] }, ['Desk', 'Corner', 'Lamp']],
      [{ connect: [{ ...shop, position: { start: true } }] }, ['Corner', 'Desk', 'Lamp']],
      [{ disconnect: [shop] }, ['Desk', 'Lamp']],
    ];
    for (const [items, expected] of moves) {
      expect((await limited.update(menu, { items })).status).toBe(200);
      expect(await order()).toEqual(expected);
    }
    expect(await checkInvariants(env.DB, shopRegistry)).toEqual([]);
  });
});

it('rejects a type that is no text', async () => {
  const data = { items: [{ ...shop, __type: { toString: 1 } }] };
  expect((await full.create('/api/menus', data)).status).toBe(400);
});
