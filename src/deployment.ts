/**
 * @module The one constructor of a deployment: for requests, the cron trigger, tests and the benchmark.
 */
import { withNamedActions } from './access/actions.ts';
import { createCaches } from './content/runtime/caches.ts';
import { hooksOf, rejectUnknown } from './features/own-code/hooks.ts';
import { featuresOf } from './features.ts';
import type { Deployment } from './http/deployment.ts';

/** Replaces patterns of roles by action ids. @throws Error for a hook of a type that is no content type of the project */
export function createDeployment(given: Omit<Deployment, 'caches' | 'features' | 'hooksOf'>): Deployment {
  const { registry, settings, extensions = {} } = given;
  rejectUnknown(extensions, registry);
  return {
    ...given,
    settings: withNamedActions(settings, registry),
    features: featuresOf(settings),
    caches: createCaches(settings.memory),
    hooksOf: (env) => hooksOf(extensions, env),
  };
}
