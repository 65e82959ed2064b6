/**
 * @module What most files of tests begin with: the tables of a content model, a token with full access, and requests.
 */
import { beforeAll } from 'vitest';
import type { Registry } from '../../src/schema/model.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { createRegistryTables, type Send, serveRegistry } from './app.ts';
import { type Client, clientOf } from './client.ts';
import { createToken, recordedRegistry } from './recorded.ts';

export interface World {
  readonly send: Send;
  /** Has full access, by the token `full`. */
  readonly client: Client;
}

/** Makes the tables before anything else in the file. `bindings` may replace what the Worker is given. */
export function openWorld(registry: Registry, settings: SettingsInput = {}, bindings: Partial<Env> = {}): World {
  beforeAll(async () => {
    await createRegistryTables(registry);
    await createToken('full', 'full-access');
  });
  const send = serveRegistry(registry, settings, bindings);
  return { send, client: clientOf(send, 'full') };
}

/** Opens a world over the recorded content model. */
export const openMagazine = (settings?: SettingsInput, bindings?: Partial<Env>): World =>
  openWorld(recordedRegistry, settings, bindings);
