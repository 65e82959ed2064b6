/**
 * @module The cron trigger runs the work of each feature, whatever fails.
 */
import { expect, it, vi } from 'vitest';
import { cronHandler } from '../../../src/http/cron.ts';
import type { Deployment, Feature } from '../../../src/http/deployment.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

it('a failure keeps nothing else from running, and is that of the run', async () => {
  const ran: string[] = [];
  const cronOf = (name: string, failure?: Error): Pick<Feature, 'cron'> => ({
    cron: async () => {
      await Promise.resolve();
      ran.push(name);
      if (failure) throw failure;
    },
  });
  const features = [cronOf('a', new Error('a failed')), {}, cronOf('b')];
  const deployment = { registry: {}, settings: parseSettings({}), caches: {}, features, hooksOf: () => undefined };
  const withSession = vi.fn(() => {
    throw new Error('no database');
  });
  const run = cronHandler(deployment as unknown as Deployment);
  const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
  await expect(run({}, { DB: { withSession } } as unknown as Env, context)).rejects.toThrow('no database');
  expect(ran).toEqual(['a', 'b']);
});
