/**
 * @module What a project imports: its Worker, made of its content types and settings, and `defineConfig`.
 */
import { createApp } from './app.ts';
import { createDeployment } from './deployment.ts';
import type { AnyExtensions, Extensions } from './features/own-code/extension-types.ts';
import type { BeforeWrite } from './features/own-code/hooks.ts';
import { cronHandler } from './http/cron.ts';
import { buildRegistry, type SchemaFiles, TRUSTED } from './schema/build.ts';
import type { Settings } from './schema/settings/config.ts';

export { ApplicationError, ForbiddenError, NotFoundError, UnauthorizedError } from './common/errors.ts';
export type { Documents } from './features/own-code/document-types.ts';
export type { Extensions } from './features/own-code/extension-types.ts';
export type { SchemaFiles } from './schema/build.ts';
export { defineConfig, type Settings, type SettingsInput } from './schema/settings/config.ts';

/** The schema files of a project. `types`, which has no value, are those that `generate` writes. */
export interface ProjectFiles<C> extends SchemaFiles {
  readonly types?: C;
}

/** The handlers of requests and cron triggers. */
export interface EdgewiseWorker {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response>;
  scheduled(controller: ScheduledController, env: Env, context: ExecutionContext): Promise<void>;
}

/**
 * Returns the handler that `src/index.ts` exports.
 * @param registry the content types, as `edgewise build` writes them
 * @param settings the settings of `edgewise.config.ts`, as `edgewise build` writes them
 * @param extensions code of the project
 * @throws Error for a route that Edgewise serves, and for a hook of a content type that does not exist
 */
export function createWorker<C, H extends BeforeWrite<C>>(
  registry: ProjectFiles<C>,
  settings: Settings,
  extensions: Extensions<C, H> = {},
): EdgewiseWorker {
  const deployment = createDeployment({
    registry: buildRegistry(registry, TRUSTED),
    settings,
    explainsRights: registry.isDev === true,
    extensions: extensions as unknown as AnyExtensions,
  });
  const app = createApp(deployment);
  return { fetch: app.fetch, scheduled: cronHandler(deployment) };
}
