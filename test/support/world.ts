/**
 * @module What most files of tests begin with: the tables of a content model, a token with full access, and requests. The
 * content models that several files share are in `worlds/`.
 */
import { beforeAll } from 'vitest';
import type { AnyExtensions } from '../../src/features/own-code/extension-types.ts';
import type { EmailSender } from '../../src/features/users/email.ts';
import type { Registry } from '../../src/schema/model.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { createRegistryTables, type Send, serveRegistry } from './app.ts';
import { type Client, clientOf } from './client.ts';
import { createToken, recordedRegistry } from './recorded.ts';

/** What a project adds by code of its own. */
export interface OwnCode {
  readonly emailSender?: EmailSender;
  readonly extensions?: AnyExtensions;
}

export interface World {
  readonly send: Send;
  /** Has full access, by the token `full`. */
  readonly client: Client;
  /** Another app over the same content model and code; what is given replaces settings and bindings of the world. */
  readonly serve: (settings?: SettingsInput, bindings?: Partial<Env>) => Send;
}

/** Makes the tables before anything else in the file. `bindings` may replace what the Worker is given. */
export function openWorld(
  registry: Registry,
  settings: SettingsInput = {},
  bindings: Partial<Env> = {},
  { emailSender, extensions }: OwnCode = {},
): World {
  beforeAll(async () => {
    await createRegistryTables(registry);
    await createToken('full', 'full-access');
  });
  const serve: World['serve'] = (more = {}, others = {}) =>
    serveRegistry(registry, { ...settings, ...more }, { ...bindings, ...others }, emailSender, extensions);
  const send = serve();
  return { send, client: clientOf(send, 'full'), serve };
}

/** Opens a world that several files share: over one content model, with settings that a test may add to. */
export const opener =
  (registry: Registry, shared: SettingsInput = {}) =>
  (settings: SettingsInput = {}, bindings?: Partial<Env>, code?: OwnCode): World =>
    openWorld(registry, { ...shared, ...settings }, bindings, code);

/** The recorded content model. */
export const openMagazine = opener(recordedRegistry);
