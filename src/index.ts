/**
 * @module The Worker: this deployment's content types and settings, bound to the app.
 */
import settings from '../edgewise.config.ts';
import { createApp } from './app.ts';
import { parseSettings } from './config.ts';
import { buildRegistry, TRUSTED } from './registry/build.ts';
import { bundled } from './registry/bundled.ts';

const app = createApp({ registry: buildRegistry(bundled, TRUSTED), settings: parseSettings(settings) });

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
