/**
 * @module What a project imports: its Worker, made of its content types and settings, and `defineConfig`.
 */
import { createApp } from './app.ts';
import type { Settings } from './config.ts';
import { buildRegistry, type SchemaFiles, TRUSTED } from './registry/build.ts';
import { scheduledHandler } from './routes/scheduled.ts';

export { defineConfig, type Settings, type SettingsInput } from './config.ts';
export type { SchemaFiles } from './registry/build.ts';

/**
 * Returns the handler that `src/index.ts` exports.
 * @param registry the content types, as `edgewise build` writes them
 * @param settings the settings of `edgewise.config.ts` with their defaults, as `edgewise build` writes them
 */
export function createWorker(registry: SchemaFiles, settings: Settings) {
  const deployment = { registry: buildRegistry(registry, TRUSTED), settings };
  const app = createApp(deployment);
  return { fetch: app.fetch, scheduled: scheduledHandler(deployment) } satisfies ExportedHandler<Env>;
}
