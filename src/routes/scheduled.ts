/**
 * @module `/api/scheduled` as HTTP, and the cron trigger.
 */

import { hooksOf } from '../extensions/hooks.ts';
import { cancelScheduled, listScheduled, runDue } from '../operations/schedule.ts';
import { createCaches } from '../runtime/caches.ts';
import { openDatabase } from '../sql/batch.ts';
import { deliverDue } from '../webhooks/deliver.ts';
import { bookmarked, callOf } from './call.ts';
import type { App, AppContext, Deployment } from './context.ts';
import { addRoutes } from './methods.ts';
import { purgeCache } from './purge.ts';
import { respond } from './respond.ts';

const ROUTES = [
  { method: 'GET', path: '/api/scheduled' },
  { method: 'DELETE', path: '/api/scheduled/:id' },
] as const;

export function addScheduleRoutes(app: App, deployment: Deployment): void {
  addRoutes(app, ROUTES, ({ method }) => [
    async (context) => {
      const call = await callOf(context as AppContext, deployment);
      return bookmarked(context as AppContext, call, async () => {
        if (method === 'GET') return respond(context as AppContext, { data: await listScheduled(call), meta: {} });
        await cancelScheduled(call, context.req.param('id') ?? '');
        return context.body(null, 204);
      });
    },
  ]);
}

/** Returns the handler of cron triggers. */
export function scheduledHandler(given: Omit<Deployment, 'caches'>) {
  const deployment = { ...given, caches: createCaches(given.settings.memory) };
  const report = (error: unknown) => console.error(JSON.stringify({ scheduled: true, message: String(error) }));
  return async (_: unknown, env: Env, context: ExecutionContext): Promise<void> => {
    const { settings, extensions } = deployment;
    const call = {
      ...deployment,
      hooks: extensions && hooksOf(extensions, env),
      pathname: '',
      search: '',
      held: [],
      database: openDatabase(env.DB, undefined),
      now: Date.now(),
      bodiless: false,
      query: () => ({}),
      purge: (names: readonly string[]) => purgeCache(context, settings, names, report),
      waitUntil: (work: Promise<unknown>) => context.waitUntil(work.catch(report)),
    };
    try {
      await runDue(call, report);
    } finally {
      await deliverDue(call, env);
    }
  };
}
