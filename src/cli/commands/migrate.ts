/**
 * @module `edgewise migrate`: applies the migrations in drizzle/ that a database does not have yet.
 */
import { Command, Option } from 'commander';
import { UsageError } from '../core/terminal.ts';
import type { MigrateFlags } from '../work/migrate.ts';
import { withTarget } from './options.ts';

interface StatusFlags {
  readonly status?: true;
  readonly json?: true;
}

export const migrate = (): Command =>
  withTarget(
    new Command('migrate').description('Applies the migrations in drizzle/ that the database does not have yet.'),
  )
    .option('--allow-drop', 'go ahead with what loses stored content, without a question')
    .addOption(
      new Option('--status', 'lists which migrations the database has and lacks, and changes nothing').conflicts(
        'allowDrop',
      ),
    )
    .option('--json', 'prints the status as JSON, for scripts')
    .action(async ({ status, json, ...flags }: MigrateFlags & StatusFlags) => {
      if (status) {
        return (await import('../work/migrate-status.ts')).printStatus(process.cwd(), flags, json === true);
      }
      if (json) throw new UsageError('--json goes with --status');
      await (await import('../work/migrate.ts')).migrateProject(process.cwd(), flags);
    });
