/**
 * @module The app over the recorded model with polymorphic relations, in process.
 */

import { buildRegistry } from '../../src/schema/build.ts';
import { CHECKED } from '../../src/schema/schema-json.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { MORPH } from '../conformance/embedded.ts';
import { type Send, serveRegistry } from './app.ts';
import type { ApiDocument, Client } from './client.ts';

export const morphRegistry = buildRegistry(MORPH.schemaFiles, CHECKED);

const i18n = { locales: ['en', 'fr', 'de'].map((code) => ({ code, name: code, isDefault: code === 'en' })) };

export const serveMorph = (settings: SettingsInput = {}, bindings: Partial<Env> = {}): Send =>
  serveRegistry(morphRegistry, { i18n, ...settings }, bindings);

/** A target of a polymorphic relation, as bodies name it. */
export interface Target {
  readonly __type: string;
  readonly documentId: string;
}

/** Creates a document of the type `shop`, `product` … */
export async function target(client: Client, name: string, data: object, search = ''): Promise<Target> {
  const plural = morphRegistry.contentTypes.get(`api::${name}.${name}`)?.pluralName;
  const response = await client.create(`/api/${plural}${search}`, data);
  const { data: document, error } = (await response.json()) as { data: ApiDocument; error?: unknown };
  if (error) throw new Error(JSON.stringify(error));
  return { __type: `api::${name}.${name}`, documentId: document.documentId };
}
