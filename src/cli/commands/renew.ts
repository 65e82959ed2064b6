/**
 * @module `edgewise renew`: invalidates cached responses after the database was changed directly.
 */
import { Command } from 'commander';
import type { Target } from '../core/wrangler/wrangler.ts';
import { withTarget } from './options.ts';

export const renew = (): Command =>
  withTarget(
    new Command('renew').description('Invalidates cached responses after the database was changed past the API.'),
  ).action(async (target: Target) => (await import('../work/renew.ts')).renewStamps(process.cwd(), target));
