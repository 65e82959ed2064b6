/**
 * @module `npm run migrate`: applies the migrations in drizzle/ that a database does not have yet.
 */
import { Command } from 'commander';
import { migrateDatabase } from '../dev/applied.ts';
import { catchUp } from '../dev/catch-up.ts';
import { tellUnfinished } from '../import/unfinished.ts';
import { reportMigrated } from '../migrations/apply.ts';
import { agreedProject } from '../migrations/consent.ts';
import { withTarget } from '../platform/target-options.ts';
import { databaseName, type Target, wrangler } from '../platform/wrangler.ts';
import { withProjectLock } from '../project/project-lock.ts';
import { progress, run } from '../terminal.ts';

interface Flags extends Target {
  readonly allowDrop?: boolean;
}

async function command(root: string, { allowDrop = false, ...target }: Flags): Promise<void> {
  if (target.remote) await agreedProject(root, target, { allowDrop }, wrangler);
  progress(`applying migrations to the ${databaseName(target)} …`);
  if (!(await catchUp(root, target, allowDrop))) reportMigrated(await migrateDatabase(root, target), target);
  await tellUnfinished(target);
}

if (import.meta.main)
  await withTarget(
    new Command('npm run migrate --').description(
      'Applies the migrations in drizzle/ that the database does not have yet.',
    ),
  )
    .option('--allow-drop', 'go ahead with what loses stored content, without a question')
    .action((flags: Flags) =>
      run(() => withProjectLock(process.cwd(), 'npm run migrate', () => command(process.cwd(), flags))),
    )
    .parseAsync();
