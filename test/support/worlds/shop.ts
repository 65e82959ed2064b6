/**
 * @module The world of polymorphic relations: the second recorded content model, of shops, products, menus and shelves.
 */
import { buildRegistry } from '../../../src/schema/build.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { MORPH } from '../../conformance/embedded.ts';
import type { ApiDocument, Client } from '../client.ts';
import { localesOf } from '../locales.ts';
import { opener } from '../world.ts';

export const shopRegistry = buildRegistry(MORPH.schemaFiles, CHECKED);

export const openShop = opener(shopRegistry, { i18n: localesOf('en', 'fr', 'de') });

/** A target of a polymorphic relation, as bodies name it. */
export interface Target {
  readonly __type: string;
  readonly documentId: string;
}

/** Creates a document of the type `shop`, `product` … */
export async function target(client: Client, name: string, data: object, search = ''): Promise<Target> {
  const plural = shopRegistry.contentTypes.get(`api::${name}.${name}`)?.pluralName;
  const response = await client.create(`/api/${plural}${search}`, data);
  const { data: document, error } = (await response.json()) as { data: ApiDocument; error?: unknown };
  if (error) throw new Error(JSON.stringify(error));
  return { __type: `api::${name}.${name}`, documentId: document.documentId };
}
