/**
 * @module Polymorphic relations in the descriptions of the API.
 */
import { expect, it } from 'vitest';
import { describeTypes } from '../../../cli/project/client-types.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([
  contentType('menu', {
    items: { type: 'relation', relation: 'morphToMany' },
    top: { type: 'relation', relation: 'morphToOne' },
  }),
  contentType('shop', {
    menus: { type: 'relation', relation: 'morphMany', target: 'api::menu.menu', morphBy: 'items' },
  }),
]);

it('has a type for the documents that they link to, and one for what a body names', () => {
  const types = describeTypes(registry, parseSettings({}));
  expect(types).toContain("  | ({ __type: 'api::shop.shop' } & Shop<S>)");
  expect(types).toMatch(/interface Menu<.*items\?: TypedDocument<S>\[\];.*top\?: TypedDocument<S> \| null;/s);
  expect(types).toMatch(/interface MenuInput .*items\?: TypedInput.*top\?: TypedReference \| TypedInput/s);
  expect(types).toMatch(/interface Shop<.*menus\?: Menu<S>\[\];/s);
});

it('describes only the types that the reader may list', () => {
  const allowed = new Set(['api::menu.menu.find', 'api::menu.menu.create', 'api::shop.shop.find']);
  const grants = { allows: (id: string) => allowed.has(id) };
  const { components } = describeApi(registry, parseSettings({}), grants);
  const refs = ['#/components/schemas/MenuTyped', '#/components/schemas/ShopTyped'];
  expect(components.schemas?.TypedDocument).toEqual({
    oneOf: refs.map(($ref) => ({ $ref })),
    discriminator: { propertyName: '__type', mapping: { 'api::menu.menu': refs[0], 'api::shop.shop': refs[1] } },
  });
  expect(components.schemas?.ShopTyped).toMatchObject({
    allOf: [{ $ref: '#/components/schemas/Shop' }, { properties: { __type: { const: 'api::shop.shop' } } }],
  });
  expect(components.schemas).not.toHaveProperty('UploadFile');
});

it('takes documents with their types in bodies: a list, or changes of one', () => {
  const { components } = describeApi(registry, parseSettings({}));
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const list = { type: 'array', items: ref('TypedReference') };
  const changes = { type: 'object', properties: { connect: list, disconnect: list, set: list } };
  const one = { anyOf: [ref('TypedReference'), ref('TypedInput')] };
  expect(components.schemas).toMatchObject({
    TypedReference: { type: 'object', required: ['__type'], properties: { __type: {}, documentId: {}, id: {} } },
    TypedInput: { anyOf: [list, changes] },
    MenuInput: { properties: { items: ref('TypedInput'), top: { anyOf: [one, { type: 'null' }] } } },
  });
});
