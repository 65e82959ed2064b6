/**
 * @module The cron trigger.
 */
import { deleteLeftLinks } from '../content/runtime/left-links.ts';
import { purgeNoted } from '../content/runtime/notices.ts';
import { systemCallOf } from './call.ts';
import type { Deployment } from './deployment.ts';

const report = (error: unknown): void => console.error(JSON.stringify({ scheduled: true, message: String(error) }));

/** Returns the handler of cron triggers. */
export function cronHandler(deployment: Deployment) {
  return async (_: unknown, env: Env, context: ExecutionContext): Promise<void> => {
    const call = systemCallOf(deployment, env, context, report);
    const ofFeatures = deployment.features.flatMap((feature) => feature.cron ?? []);
    const failures: unknown[] = [];
    for (const cron of [purgeNoted, deleteLeftLinks, ...ofFeatures])
      await cron(call, env, report).catch((failure) => failures.push(failure));
    if (failures.length > 0) throw failures[0];
  };
}
