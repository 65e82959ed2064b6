/**
 * @module Populates of polymorphic relations: their options, what a caller may not find, and cached responses.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { clientOf, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { describeApi } from '../../support/describe-api.ts';
import { conformity, seenOf } from '../../support/described.ts';
import { createToken } from '../../support/recorded.ts';
import { openShop, shopRegistry, type Target, target } from '../../support/worlds/shop.ts';

const { client, send, serve } = openShop({ roles: { public: ['api::menu.menu.find', 'api::product.product.find'] } });
let menu = '';
let targets: readonly Target[] = [];

beforeAll(async () => {
  await createToken('menus', 'custom', ['api::menu.menu.find', 'api::product.product.find', 'api::menu.menu.update']);
  targets = [
    await target(client, 'product', { name: 'Lamp' }),
    await target(client, 'vault', { name: 'Hidden' }),
    await target(client, 'shop', { name: 'Corner' }),
  ];
  menu = (await target(client, 'menu', { title: 'Main', items: targets })).documentId;
});

const items = async (search: string, from = client) =>
  (await documentOf(from.get(`/api/menus/${menu}?${search}`))).items;

describe('an option beside fragments or a count', () => {
  it.each(['[fields]=name', '[filters][name]=Lamp', '[sort]=name', '[nope]=1'])('is rejected: %s', async (option) => {
    const search = `populate[items][on][api::shop.shop]=true&populate[items]${option}`;
    const { status, message } = await errorOf(client.get(`/api/menus?${search}`));
    expect(status).toBe(400);
    expect(message).toMatch(
      /^Invalid nested populate for menu\.items \(api::menu\.menu\)\. Expected a fragment \("on"\) or "count" but found {"on":{"api::shop\.shop":"true"},"/,
    );
    expect((await client.get(`/api/menus?populate[items][count]=true&populate[items]${option}`)).status).toBe(400);
  });

  it('is nothing without them', async () => {
    expect(await items('populate[items][fields]=name')).toBeUndefined();
  });
});

describe('a slice', () => {
  const names = async (search: string, from = client) =>
    ((await items(search, from)) as { name: string }[]).map(({ name }) => name);

  it.each([
    ['[limit]=2', ['Lamp', 'Hidden']],
    ['[start]=1', ['Hidden', 'Corner']],
    ['[start]=1&populate[items][limit]=1', ['Hidden']],
    ['[limit]=0', []],
    ['[start]=3', []],
    ['[limit]=1&populate[items][populate]=*', ['Lamp']],
    ['[limit]=1&populate[items][on][api::shop.shop]=true', ['Corner']],
    [
      '[limit]=1&populate[items][on][api::shop.shop]=true&populate[items][on][api::vault.vault][fields]=name',
      ['Hidden'],
    ],
    [
      '[limit]=1&populate[items][on][api::product.product][filters][name]=none&populate[items][on][api::shop.shop][populate]=*',
      ['Corner'],
    ],
    [
      '[start]=1&populate[items][on][api::product.product][filters][name]=none&populate[items][on][api::shop.shop]=true',
      [],
    ],
  ])('has entries of all shown types together: %s', async (options, expected) => {
    expect(await names(`populate[items]${options}`)).toEqual(expected);
    // Each row has a share of three rows at most, so the response is measured first.
    const measured = clientOf(serve({ api: { rest: { limits: { answerRows: 12 } } } }), 'full');
    expect(await names(`populate[items]${options}`, measured)).toEqual(expected);
    const rejected = clientOf(serve({ api: { rest: { limits: { answerRows: 1 } } } }), 'full');
    const { status } = await rejected.get(`/api/menus/${menu}?populate[items]${options}`);
    expect(status).toBe(options === '[limit]=0' ? 200 : 400);
  });

  it.each([
    ['[limit]=1', ['Lamp'], 3],
    ['[limit]=0', [], 3],
    ['[on][api::shop.shop]=true&populate[items][on][api::vault.vault][filters][name]=none', ['Corner'], 1],
  ])('has a count of all beside it: %s', async (options, expected, count) => {
    const search = `populate[items]${options}&populate[items][withCount]=true`;
    const measured = clientOf(serve({ api: { rest: { limits: { answerRows: 12 } } } }), 'full');
    for (const from of [client, measured]) {
      const { items: shown, $counts } = await documentOf(from.get(`/api/menus/${menu}?${search}`));
      expect((shown as { name: string }[]).map(({ name }) => name)).toEqual(expected);
      expect($counts).toEqual({ items: count });
    }
  });

  it('passes over what the caller may not find', async () => {
    const [document] = await documentsOf(clientOf(send, 'menus').get('/api/menus?populate[items][limit]=2'));
    expect(document?.items).toEqual([expect.objectContaining({ name: 'Lamp' })]);
  });

  it.each([
    ['items', '[limit]=x', 'Invalid limit at items. Expected an integer from 0 to 100, received: x'],
    ['items', '[limit]=1&populate[items][count]=true', 'Invalid limit at items. Expected no count beside it'],
    ['items', '[on][api::shop.shop][limit]=1', 'Invalid key limit at items'],
  ])('is rejected by name: %s%s', async (name, option, message) => {
    const error = await errorOf(client.get(`/api/menus?populate[${name}]${option}`));
    expect(error).toMatchObject({ status: 400, message });
  });

  it('is nothing without extensions', async () => {
    const strapi = clientOf(serve({ api: { rest: { extensions: false } } }), 'full');
    expect(await items('populate[items][limit]=1', strapi)).toBeUndefined();
  });
});

it.each([
  ['true', { count: 3 }],
  ['1', undefined],
  ['t', undefined],
  ['false', undefined],
])('counts for the text "true" alone: %s', async (count, expected) => {
  expect(await items(`populate[items][count]=${count}`)).toEqual(expected);
});

it('shows the entries beside another count', async () => {
  expect(await items('populate[items][count]=1&populate[items][on][api::shop.shop]=true')).toHaveLength(1);
});

it.each([
  ['populate[items][populate]', undefined],
  ['populate[items][populate]&populate[items][count]=true', { count: 3 }],
  [
    'populate[items][populate]&populate[items][on][api::shop.shop][fields]=name',
    [expect.objectContaining({ name: 'Corner' })],
  ],
])('passes over a populate without a value: %s', async (search, expected) => {
  expect(await items(search)).toEqual(expected);
  expect((await client.get('/api/pages?populate[blocks][populate]')).status).toBe(200);
  expect((await client.get('/api/pages?populate[blocks][populate]=')).status).toBe(400);
});

it('checks no star of a type that the caller may not find', async () => {
  const search = 'populate[items][on][plugin::users-permissions.user]=*';
  expect((await client.get(`/api/menus?${search}`)).status).toBe(400);
  const [document] = await documentsOf(send(`/api/menus?${search}`));
  expect(document).not.toHaveProperty('items');
});

describe('a caller without `find` of a type', () => {
  const custom = clientOf(send, 'menus');

  it.each(['populate=*', 'populate=items', 'populate[items]=true', 'populate[items][on][api::product.product]=true'])(
    'sees only the others: %s',
    async (search) => {
      const [document] = await documentsOf(custom.get(`/api/menus?${search}`));
      expect(document?.items).toEqual([expect.objectContaining({ name: 'Lamp', __type: 'api::product.product' })]);
    },
  );

  it('counts only the others', async () => {
    const [document] = await documentsOf(custom.get('/api/menus?populate[items][count]=true'));
    expect(document?.items).toEqual({ count: 1 });
    const fragment = 'populate[items][count]=true&populate[items][on][api::vault.vault]=true';
    expect((await documentsOf(custom.get(`/api/menus?${fragment}`)))[0]).not.toHaveProperty('items');
  });

  it.each(['id', 'documentId'])(
    'is told the same of a document that is there and of one that is not: %s',
    async (key) => {
      const bodies = [targets[1]?.documentId, 'aaaaaaaaaaaaaaaaaaaaaaaa'].map((documentId, index) =>
        key === 'id'
          ? { __type: 'api::vault.vault', id: index === 0 ? 1 : 999 }
          : { __type: 'api::vault.vault', documentId },
      );
      for (const list of [
        (each: object) => [each],
        (each: object) => ({ connect: [each] }),
        (each: object) => ({ disconnect: [each] }),
      ]) {
        const errors = await Promise.all(
          bodies.map((each) => errorOf(custom.update(`/api/menus/${menu}`, { items: list(each) }))),
        );
        expect(errors[0]).toMatchObject({ status: 400, message: 'Invalid key items' });
        expect(errors[1]).toEqual(errors[0]);
      }
    },
  );

  it('is told the same of an anchor', async () => {
    const [lamp, vault] = targets;
    const errors = await Promise.all(
      [vault?.documentId, 'aaaaaaaaaaaaaaaaaaaaaaaa'].map((before) =>
        errorOf(
          custom.update(`/api/menus/${menu}`, {
            items: { connect: [{ ...lamp, position: { before, __type: 'api::vault.vault' } }] },
          }),
        ),
      ),
    );
    expect(errors[0]).toMatchObject({ status: 400, message: 'Invalid key items' });
    expect(errors[1]).toEqual(errors[0]);
  });
});

it('a cached response is fresh after a write of any linked type', async () => {
  const path = `/api/menus/${menu}?populate=items`;
  const names = async () => ((await documentOf(client.get(path))).items as { name: string }[]).map(({ name }) => name);
  expect(await names()).toEqual(['Lamp', 'Hidden', 'Corner']);
  const routes = ['products', 'vaults', 'shops'];
  for (const [index, each] of targets.entries()) {
    await documentOf(client.update(`/api/${routes[index]}/${each.documentId}`, { name: `New ${index}` }));
    expect((await names())[index]).toBe(`New ${index}`);
  }
  const page = await target(client, 'gadget', { name: 'First of its type' });
  await documentOf(client.update(`/api/menus/${menu}`, { items: { connect: [page] } }));
  expect(await names()).toEqual(['New 0', 'New 1', 'New 2', 'First of its type']);
  await client.remove(`/api/gadgets/${page.documentId}`);
  expect(await names()).toEqual(['New 0', 'New 1', 'New 2']);
});

it('conforms to the description, with each type and with one that the schemas of its type reject', async () => {
  const url = `/api/menus/${menu}?populate=items`;
  const description = describeApi(shopRegistry, parseSettings({}));
  const seen = await seenOf(`http://edgewise.test${url}`, 'GET', await client.get(url));
  expect((await conformity(description, [seen])).complaints).toEqual([]);
  const body = seen.body?.replace('"api::shop.shop"', '"api::nope.nope"') ?? '';
  expect((await conformity(description, [{ ...seen, body }])).complaints).not.toEqual([]);
});
