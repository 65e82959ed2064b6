/**
 * @module `npm run renew`: after content was changed past the API, answers that isolates remember are not true any more.
 * New stamps (`sql/stamps.ts`) say so.
 */
import { Command } from 'commander';
import { RENEW_STAMPS } from '../migrations/renew-stamps.ts';
import { executeSql } from '../platform/execute-sql.ts';
import { withTarget } from '../platform/target-options.ts';
import { databaseName, type Target } from '../platform/wrangler.ts';
import { untilSettled } from '../project/project-lock.ts';
import { progress, run } from '../terminal.ts';

async function command(target: Target): Promise<void> {
  if (!target.remote) await untilSettled(process.cwd(), 'npm run renew');
  await executeSql([RENEW_STAMPS], target);
  progress(`${databaseName(target)}: answers are made anew from now on`);
}

if (import.meta.main)
  await withTarget(
    new Command('npm run renew --').description(
      'Says that content was changed past the API: no answer that is remembered is given any more.',
    ),
  )
    .action((target: Target) => run(() => command(target)))
    .parseAsync();
