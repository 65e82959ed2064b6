/**
 * @module Changes of content types around a polymorphic relation, on a database with links: they follow their types.
 * `ATTRIBUTE_CHANGES` compares rows; here the API writes and reads the links, which both link tables and components have.
 */

import { describe, expect, it } from 'vitest';
import { diffSchemas, EMPTY_STATE, stateOf } from '../../../cli/migrations/migration.ts';
import { parseRenames, resolveRenames } from '../../../cli/migrations/rename-options.ts';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import type { SchemaFile } from '../../../src/schema/build.ts';
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { component, contentType, registryOf, type TypeOptions } from '../../support/schema-files.ts';

const ITEMS = { type: 'relation', relation: 'morphToMany' };
const RAILS = { type: 'component', component: 'kit.rail', repeatable: true };
const NAME = { name: { type: 'string' } };

interface Model {
  readonly menu?: TypeOptions;
  /** Its attributes. */
  readonly links?: Readonly<Record<string, unknown>>;
  readonly product?: TypeOptions & { readonly name?: string; readonly removed?: boolean };
}

const registryFor = ({ menu = {}, links = { items: ITEMS, rails: RAILS }, product = {} }: Model): Registry => {
  const { name = 'product', removed = false, ...options } = product;
  const files: SchemaFile[] = [contentType('menu', { title: { type: 'string' }, ...links }, menu)];
  if (!removed) files.push(contentType(name, NAME, { table: 'products', ...options }));
  return registryOf([...files, contentType('shop', NAME)], [component('kit.rail', { entries: ITEMS })]);
};

const LOCALES = [
  { code: 'en', name: 'English', isDefault: true },
  { code: 'fr', name: 'French' },
];

function serve(registry: Registry, db: D1Database) {
  const types = [...registry.contentTypes.values()].filter(({ system }) => !system);
  const actions = ['find', 'create', 'update', 'delete', 'readDrafts'];
  const roles = { public: types.flatMap(({ uid }) => actions.map((action) => `${uid}.${action}`)) };
  const settings = parseSettings({ i18n: { locales: LOCALES }, roles, api: { rest: { publicDrafts: true } } });
  const app = createApp(createDeployment({ registry, settings }));
  return async (method: string, path: string, data?: unknown) => {
    const body = data === undefined ? {} : { body: JSON.stringify({ data }) };
    const headers = { 'content-type': 'application/json' };
    const request = new Request(`http://127.0.0.1/api/${path}`, { method, headers, ...body });
    const env = { DB: db, MEDIA: {}, JWT_SECRET: 'x'.repeat(40) } as unknown as Env;
    const context = { waitUntil() {}, passThroughOnException() {} } as unknown as ExecutionContext;
    const response = await app.fetch(request, env, context);
    expect(response.status, await response.clone().text()).toBe(200);
    return ((await response.json()) as { data: never }).data as { documentId: string } & Record<string, unknown>;
  };
}

/** Makes a menu that links to a product and a shop, changes the model, and returns what the menu shows. */
async function play(before: Model, after: Model, renames: readonly [string[], string[]] = [[], []]) {
  const { db, sqlite } = memoryDatabase();
  const [first, second] = [registryFor(before), registryFor(after)];
  const options = { renames: parseRenames([], []), defaultLocale: 'en' };
  const made = await diffSchemas(EMPTY_STATE, stateOf(first), options);
  const run = (statements: readonly string[]) => {
    for (const statement of statements) sqlite.exec(statement);
  };
  run(made.parts.flatMap(({ statements }) => statements));
  const api = serve(first, db);
  const product = await api('POST', 'products', { name: 'lamp' });
  const shop = await api('POST', 'shops', { name: 'corner' });
  const items = [
    { __type: 'api::shop.shop', documentId: shop.documentId },
    { __type: 'api::product.product', documentId: product.documentId },
  ];
  await api('POST', 'menus', { title: 'm', items, ...(before.links ? {} : { rails: [{ entries: items }] }) });
  const declared = resolveRenames(parseRenames(...renames), made.next.layout, second);
  const { parts } = await diffSchemas(made.next, stateOf(second), { ...options, renames: declared });
  const losses = parts.flatMap((part) => part.losses);
  const counted = losses.map(({ subject, counts }) => {
    const rows = counts.map((count) => Number(sqlite.prepare(count).get()?.rows));
    return `${subject} ${rows.reduce((sum, each) => sum + each, 0)}`;
  });
  run(parts.flatMap(({ statements }) => statements));
  expect(await checkInvariants(db, second)).toEqual([]);
  const menu = second.contentTypes.get('api::menu.menu') as ContentType;
  return { counted, ...(await readMenu(serve(second, db), menu)) };
}

const namesOf = (value: unknown): readonly string[] =>
  [value ?? []].flat().map((entry) => {
    const { name, __type } = entry as { name: string; __type?: string };
    return __type === undefined ? name : `${__type} ${name}`;
  });

async function readMenu(api: ReturnType<typeof serve>, { attributes }: ContentType) {
  const links = attributes.has('items') ? 'items' : 'links';
  const inside = attributes.has('rails') ? '&populate[rails][populate][entries]=true' : '';
  const list = await api('GET', `menus?populate[${links}]=true${inside}`);
  const [menu] = list as unknown as Record<string, unknown>[];
  const rails = (menu?.rails ?? []) as { entries: unknown }[];
  return { shown: namesOf(menu?.[links]), rails: rails.map(({ entries }) => namesOf(entries)) };
}

const BOTH = ['api::shop.shop corner', 'api::product.product lamp'];

describe('links of a polymorphic relation', () => {
  it('follow a type that gets another name', async () => {
    const { counted, shown, rails } = await play({}, { product: { name: 'item' } });
    expect(counted).toEqual([]);
    expect(shown).toEqual(['api::shop.shop corner', 'api::item.item lamp']);
    expect(rails).toEqual([['api::shop.shop corner', 'api::item.item lamp']]);
  });

  it('follow a type whose table is renamed', async () => {
    const renames: [string[], string[]] = [[], ['product=item']];
    const { counted, shown } = await play({}, { product: { name: 'item', table: 'things' } }, renames);
    expect(counted).toEqual([]);
    expect(shown).toEqual(['api::shop.shop corner', 'api::item.item lamp']);
  });

  it('are deleted with a type, and counted', async () => {
    const { counted, shown, rails } = await play({}, { product: { removed: true } });
    expect(counted.toSorted()).toEqual(['kit.rail.entries 1', 'menu.items 1', 'product 1']);
    expect(shown).toEqual(['api::shop.shop corner']);
    expect(rails).toEqual([['api::shop.shop corner']]);
  });

  it.each<[string, Model, Model]>([
    ['the target gets drafts', {}, { product: { drafts: true } }],
    ['the target loses drafts', { product: { drafts: true } }, {}],
    ['the target gets locales', {}, { product: { localized: true } }],
    ['the target loses locales', { product: { localized: true } }, {}],
    ['the source gets drafts', {}, { menu: { drafts: true } }],
    ['the source loses drafts', { menu: { drafts: true } }, {}],
    ['the source gets locales', {}, { menu: { localized: true } }],
    [
      'both get locales and drafts',
      {},
      { menu: { localized: true, drafts: true }, product: { localized: true, drafts: true } },
    ],
    ['the source loses locales', { menu: { localized: true }, product: { localized: true } }, {}],
  ])('stay when %s', async (_, before, after) => {
    const { shown, rails } = await play(before, after);
    expect(shown).toEqual(BOTH);
    expect(rails).toEqual([BOTH]);
  });

  it('follow a renamed attribute', async () => {
    const renames: [string[], string[]] = [['menu.items=links'], []];
    const { shown } = await play({ links: { items: ITEMS } }, { links: { links: ITEMS } }, renames);
    expect(shown).toEqual(BOTH);
  });

  it('are deleted, and counted, where it may have one only', async () => {
    const one = { items: { type: 'relation', relation: 'morphToOne' } };
    const { counted, shown } = await play({ links: { items: ITEMS } }, { links: one });
    expect(counted).toEqual(['menu.items 2']);
    expect(shown).toEqual([]);
  });

  it('are deleted, and counted, where the relation gets one target', async () => {
    const links = { items: { type: 'relation', relation: 'manyToMany', target: 'api::shop.shop' } };
    const { counted, shown } = await play({ links: { items: ITEMS } }, { links });
    expect(counted).toEqual(['menu.items 2']);
    expect(shown).toEqual([]);
  });
});
