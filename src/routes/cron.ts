/**
 * @module The cron trigger.
 */
import { hooksOf } from '../extensions/hooks.ts';
import { createCaches } from '../runtime/caches.ts';
import type { SystemCall } from '../runtime/call.ts';
import { deleteLeftMessages } from '../runtime/notices.ts';
import { openDatabase } from '../sql/batch.ts';
import type { Deployment } from './deployment.ts';
import { purgeCache } from './purge.ts';

/** Returns the handler of cron triggers. */
export function cronHandler(given: Omit<Deployment, 'caches'>) {
  const deployment = { ...given, caches: createCaches(given.settings.memory) };
  const report = (error: unknown) => console.error(JSON.stringify({ scheduled: true, message: String(error) }));
  return async (_: unknown, env: Env, context: ExecutionContext): Promise<void> => {
    const { settings, extensions, parts } = deployment;
    const call: SystemCall = {
      ...deployment,
      hooks: extensions && hooksOf(extensions, env),
      pathname: '',
      search: '',
      held: [],
      database: openDatabase(env.DB, undefined),
      now: Date.now(),
      bodiless: false,
      query: () => ({}),
      purge: (names) => purgeCache(context, settings, names, report),
      waitUntil: (work) => context.waitUntil(work.catch(report)),
    };
    const failures: unknown[] = [];
    for (const cron of [deleteLeftMessages, ...parts.flatMap((part) => part.cron ?? [])])
      await cron(call, env, report).catch((failure) => failures.push(failure));
    if (failures.length > 0) throw failures[0];
  };
}
