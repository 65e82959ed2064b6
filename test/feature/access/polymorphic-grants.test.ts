/**
 * @module Polymorphic relations to documents that the conditions of a grant hide.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { createToken } from '../../support/recorded.ts';
import { openShop, shopRegistry, type Target, target } from '../../support/worlds/shop.ts';

const { client: full, send } = openShop();
const limited = clientOf(send, 'limited');

let lamp: Target;
let desk: Target;
let shop: Target;
let menu = '';

beforeAll(async () => {
  const actions = ['menu', 'shop'].flatMap((name) =>
    ['find', 'findOne', 'update'].map((action) => `api::${name}.${name}.${action}`),
  );
  const cheap = { action: 'api::product.product.find', where: { price: { $lt: 10 } } };
  await createToken('limited', 'custom', [...actions, cheap]);
  lamp = await target(full, 'product', { name: 'Lamp', price: 5 });
  desk = await target(full, 'product', { name: 'Desk', price: 50 });
  shop = await target(full, 'shop', { name: 'Corner' });
  menu = `/api/menus/${(await target(full, 'menu', { title: 'Main', items: [lamp, desk, shop] })).documentId}`;
});

const order = async () => {
  const { items } = await documentOf(full.get(`${menu}?populate=items`));
  return (items as readonly { name: string }[]).map(({ name }) => name);
};

it('a hidden target keeps its place while others move around it', async () => {
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
