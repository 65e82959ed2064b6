/**
 * @module `npm run migrate`: applies the migrations in drizzle/ that a database does not have yet.
 */
import { Command } from 'commander';
import { catchUp } from '../dev/catch-up.ts';
import { UNFINISHED_SQL, unfinishedText } from '../import/marker.ts';
import { migrate, reportMigrated } from '../migrations/apply.ts';
import { agreedProject, terminalQuestion } from '../migrations/consent.ts';
import { executeSql, type Target, wrangler } from '../platform/wrangler.ts';
import { progress, run } from '../terminal.ts';

interface Flags extends Target {
  readonly allowDrop?: boolean;
}

async function command({ allowDrop = false, ...target }: Flags): Promise<void> {
  if (target.remote) await agreedProject(process.cwd(), target, { allowDrop, ask: terminalQuestion }, wrangler);
  progress(`applying migrations to the ${target.remote ? 'deployed' : 'local'} database …`);
  if (!(await catchUp(process.cwd(), target))) reportMigrated(await migrate(target), target);
  const [unfinished = []] = await executeSql([UNFINISHED_SQL], target);
  for (const { name } of unfinished) progress(unfinishedText(String(name)));
}

if (import.meta.main)
  await new Command('npm run migrate --')
    .description('Applies the migrations in drizzle/ that the database does not have yet.')
    .option('--remote', 'the deployed database, not the local one')
    .option('--allow-drop', 'go ahead with what loses content of the deployed database, without a question')
    .option('--persist-to <dir>', 'folder of the local database, in place of .wrangler/state')
    .action((flags: Flags) => run(() => command(flags)))
    .parseAsync();
