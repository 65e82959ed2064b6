/**
 * @module Bad and extreme input of polymorphic relations.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { openShop, shopRegistry, target } from '../../support/worlds/shop.ts';

const { client, serve } = openShop();

interface Entry {
  readonly documentId: string;
  readonly __type: string;
}

const itemsOf = async (menu: string, search = ''): Promise<readonly Entry[]> =>
  (await documentOf(client.get(`/api/menus/${menu}?populate=items&${search}`))).items as readonly Entry[];

const namesOf = async (menu: string, search = '') =>
  (await itemsOf(menu, search)).map(({ __type, documentId }) => ({ __type, documentId }));

describe('a `__type` that is no content type of the project, users or files', () => {
  const TYPES = [
    'kit.rail',
    'admin::user',
    'admin::session',
    'plugin::users-permissions.role',
    'api::gone.gone',
    'API::SHOP.SHOP',
    ' api::shop.shop',
    '__proto__',
    'constructor',
    '',
    1,
    true,
    null,
    ['api::shop.shop'],
    {},
  ];

  it.each(TYPES)('is rejected in every form: %j', async (type) => {
    const shop = await target(client, 'shop', { name: 'Corner' });
    const menu = await target(client, 'menu', { title: 'Main', items: [shop] });
    const bad = JSON.parse(`{"__type":${JSON.stringify(type)},"documentId":"${shop.documentId}"}`);
    const placed = { ...shop, position: { before: shop.documentId, __type: type } };
    const anchors = type === null ? [] : [{ connect: [placed] }];
    const alone = { ...bad, options: {} };
    for (const items of [
      [bad],
      [shop, bad],
      alone,
      [alone],
      { set: [bad] },
      { connect: [bad] },
      { disconnect: [bad] },
      ...anchors,
    ])
      expect(await errorOf(client.update(`/api/menus/${menu.documentId}`, { items }))).toMatchObject({
        status: 400,
        message: 'Invalid key items',
      });
    expect(await errorOf(client.create('/api/comments', { subject: bad }))).toMatchObject({
      status: 400,
      message: 'Invalid key subject',
    });
    const inner = await errorOf(client.create('/api/pages', { rails: [{ entries: [bad] }] }));
    expect(inner).toMatchObject({ status: 400, message: 'Invalid key entries at rails.entries' });
    expect(await namesOf(menu.documentId)).toEqual([shop]);
  });
});

describe('a list', () => {
  it('is given as one object only if that has options, as in Strapi', async () => {
    const shop = await target(client, 'shop', { name: 'Alone' });
    const menu = await target(client, 'menu', { title: 'Alone' });
    const update = (items: object) => client.update(`/api/menus/${menu.documentId}`, { items });
    for (const items of [shop, { ...shop, connect: [] }, { ...shop, options: {}, set: [] }])
      expect(await errorOf(update(items))).toMatchObject({ status: 400, message: 'Invalid key items' });
    await documentOf(update({ ...shop, options: {} }));
    expect(await namesOf(menu.documentId)).toEqual([shop]);
  });

  it('ignores the names of operations in its entries', async () => {
    const shop = await target(client, 'shop', { name: 'Entry' });
    for (const more of [{ options: {} }, { set: [] }, { connect: 5 }, { disconnect: null }]) {
      const menu = await target(client, 'menu', { title: 'Entry', items: [{ ...shop, ...more }] });
      expect(await namesOf(menu.documentId)).toEqual([shop]);
    }
  });

  it('holds a document once, at its first place', async () => {
    const shop = await target(client, 'shop', { name: 'Twice' });
    const vault = await target(client, 'vault', { name: 'Between' });
    for (const items of [[shop, vault, shop], { set: [shop, vault, shop] }, { connect: [shop, vault, shop] }]) {
      const menu = await target(client, 'menu', { items });
      expect(await namesOf(menu.documentId)).toEqual([shop, vault]);
    }
  });

  it('holds ten types in its order', async () => {
    const names = ['shop', 'vault', 'person', 'product', 'gadget', 'banner', 'shelf', 'note', 'home', 'review'];
    const data = (name: string) => (/shop|vault|person|product|gadget/.test(name) ? { name } : {});
    const all = await Promise.all(
      names.filter((name) => name !== 'home').map((name) => target(client, name, data(name))),
    );
    const home = await documentOf(client.update('/api/home', { headline: 'Home' }));
    const items = [{ __type: 'api::home.home', documentId: home.documentId }, ...all];
    const menu = await target(client, 'menu', { items });
    expect(await namesOf(menu.documentId)).toEqual(items);
    const [first, ...rest] = items;
    await documentOf(
      client.update(`/api/menus/${menu.documentId}`, { items: { connect: [{ ...first, position: { end: true } }] } }),
    );
    expect(await namesOf(menu.documentId)).toEqual([...rest, first]);
  });

  it('is empty after the last document of its only type is gone', async () => {
    const badge = await target(client, 'badge', { label: 'Only' }, '?status=draft');
    const menu = await target(client, 'menu', { items: [badge] }, '?status=draft');
    await client.remove(`/api/badges/${badge.documentId}`);
    expect(await itemsOf(menu.documentId, 'status=draft')).toEqual([]);
    const counted = await documentOf(
      client.get(`/api/menus/${menu.documentId}?populate[items][count]=true&status=draft`),
    );
    expect(counted.items).toEqual({ count: 0 });
    const { message } = await errorOf(client.update(`/api/menus/${menu.documentId}`, { items: { connect: [badge] } }));
    expect(message).toBe(`Document with id "${badge.documentId}", locale "null" not found`);
  });
});

it.each([
  ['list', (each: object) => [each]],
  ['connect', (each: object) => ({ connect: [each] })],
])('a target that is deleted between read and write is missed: %s', async (_, form) => {
  const shop = await target(client, 'shop', { name: 'Gone' });
  const menu = await target(client, 'menu', { title: 'Before' });
  const database = interleavedDatabase(env.DB, 1, () => client.remove(`/api/shops/${shop.documentId}`));
  const writer = clientOf(serve({}, { DB: database }), 'full');
  const error = await errorOf(writer.update(`/api/menus/${menu.documentId}`, { title: 'After', items: form(shop) }));
  expect(error).toMatchObject({
    status: 400,
    message: `Document with id "${shop.documentId}", locale "null" not found`,
  });
  expect((await documentOf(client.get(`/api/menus/${menu.documentId}`))).title).toBe('Before');
  expect(await checkInvariants(env.DB, shopRegistry)).toEqual([]);
});

const MANY = 10_000;
const MAX_SQL = 100_000;
const MAX_ROWS_PER_LINK = 40;
/** Around one link, of each of some 20 types. */
const MAX_ROWS_NEAR = 1_000;

/** The batches of a request, each with a bounded number of statements of bounded length. */
async function batchesOf(write: (own: ReturnType<typeof clientOf>) => Promise<Response>) {
  const { database, answering, batches, rowsRead } = countedDatabase(env.DB);
  const settings = { api: { rest: { limits: { bodyEntries: MANY } } } };
  const response = await write(clientOf(serve(settings, { DB: database }), 'full'));
  const texts = batches.flat();
  const read = [...rowsRead.values()].reduce((sum, each) => sum + each, 0);
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(MAX_SQL);
  return { status: response.status, trips: answering().length, statements: texts.length, read };
}

it(`${MANY} links in one body, and one more, take two round trips`, async () => {
  const number = `with recursive n(i) as (select 1 union all select i + 1 from n where i <= ${MANY})`;
  for (const [table, parity] of [
    ['shops', 0],
    ['vaults', 1],
  ] as const)
    await env.DB.prepare(
      `insert into ${table} (document_id, locale, published_at, created_at, updated_at, name) ${number} select 't' || i, '', 1, 1, 1, 'n' from n where i % 2 = ${parity}`,
    ).run();
  const at = (index: number) => ({
    __type: index % 2 === 0 ? 'api::shop.shop' : 'api::vault.vault',
    documentId: `t${index}`,
  });
  const all = Array.from({ length: MANY }, (_, index) => at(index + 1));
  const menu = await target(client, 'menu', { title: 'Many' });
  const path = `/api/menus/${menu.documentId}`;
  const few = await batchesOf((own) => own.update(path, { items: all.slice(0, 4) }));
  expect((await errorOf(client.update(path, { items: all }))).details).toMatchObject({ limit: 'bodyEntries' });
  const many = await batchesOf((own) => own.update(path, { items: all }));
  expect(many).toMatchObject({ status: 200, trips: few.trips, statements: few.statements });
  expect(many.read).toBeLessThan(MANY * MAX_ROWS_PER_LINK);
  const one = await batchesOf((own) => own.update(path, { items: { connect: [at(MANY + 1)] } }));
  expect(one).toMatchObject({ status: 200 });
  expect(one.trips).toBeLessThanOrEqual(2);
  const draft = await batchesOf((own) =>
    own.update(`${path}?status=draft`, { items: { connect: [{ ...at(MANY + 1), position: { after: 't1' } }] } }),
  );
  expect(draft).toMatchObject({ status: 200 });
  expect(draft.trips).toBeLessThanOrEqual(2);
  expect(draft.read).toBeLessThan(MAX_ROWS_NEAR);
  const gone = await batchesOf((own) => own.update(`${path}?status=draft`, { items: { disconnect: [at(MANY)] } }));
  const back = await batchesOf((own) => own.update(`/api/shops/t${MANY}`, { items: { connect: [menu.documentId] } }));
  for (const { status, read } of [gone, back]) {
    expect(status).toBe(200);
    expect(read).toBeLessThan(MAX_ROWS_NEAR);
  }
  const last = await env.DB.prepare(
    `select "target_document_id" as "id" from "menus_items_mph" where "status" = 'draft' order by "position" desc limit 1`,
  ).first();
  expect(last).toEqual({ id: `t${MANY}` });
  const count = await documentOf(client.get(`${path}?populate[items][count]=true`));
  expect(count.items).toEqual({ count: MANY + 1 });
});
