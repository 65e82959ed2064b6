/**
 * @module `npm run migrate`: applies the migrations in drizzle/ that a database does not have yet.
 */
import { Command } from 'commander';
import { tellUnfinished } from '../import/unfinished.ts';
import { withTarget } from '../platform/target-options.ts';
import { assertDone, databaseName, type Target, targetArgs, type Wrangler, wrangler } from '../platform/wrangler.ts';
import { progress, run } from '../terminal.ts';

/**
 * Brings a database up to date.
 * @returns how many migrations were applied.
 * @throws UserError with wrangler's words; the failed migration has left nothing behind.
 */
export async function migrate(target: Target, execute: Wrangler = wrangler): Promise<number> {
  const done = await execute(['d1', 'migrations', 'apply', 'DB', ...targetArgs(target)]);
  assertDone('Applying the migrations', done);
  return new Set(done.stdout.match(/\d+_\S+\.sql(?=.*✅)/g)).size;
}

/** Says what came of it. */
export function reportMigrated(count: number, target: Target): void {
  const database = databaseName(target);
  progress(count === 0 ? `${database}: up to date` : `${database}: ${count} migration(s) applied`);
}

async function command(target: Target): Promise<void> {
  progress(`applying migrations to the ${databaseName(target)} …`);
  reportMigrated(await migrate(target), target);
  await tellUnfinished(target);
}

if (import.meta.main)
  await withTarget(
    new Command('npm run migrate --').description(
      'Applies the migrations in drizzle/ that the database does not have yet.',
    ),
  )
    .action((target: Target) => run(() => command(target)))
    .parseAsync();
