/**
 * @module `edgewise migrate`: applies the migrations in drizzle/ that a database does not have yet.
 */
import { Command } from 'commander';
import type { MigrateFlags } from '../work/migrate.ts';
import { withTarget } from './options.ts';

export const migrate = (): Command =>
  withTarget(
    new Command('migrate').description('Applies the migrations in drizzle/ that the database does not have yet.'),
  )
    .option('--allow-drop', 'go ahead with what loses stored content, without a question')
    .action(async (flags: MigrateFlags) => {
      const { migrateProject } = await import('../work/migrate.ts');
      await migrateProject(process.cwd(), flags);
    });
