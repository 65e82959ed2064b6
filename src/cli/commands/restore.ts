/**
 * @module `edgewise restore`: a file of `edgewise backup` becomes the database and the bucket again.
 */
import { Command } from 'commander';
import { assertFile } from '../core/archive/archive-file.ts';
import type { RestoreFlags } from '../work/restore.ts';
import { assertBackupOption, withTarget } from './options.ts';

async function action(path: string, flags: RestoreFlags): Promise<void> {
  assertBackupOption(flags);
  assertFile(path);
  await (await import('../work/restore.ts')).restoreProject(process.cwd(), path, flags);
}

export const restore = (): Command =>
  withTarget(
    new Command('restore')
      .description('Database and bucket as they are in a file of `backup`.')
      .argument('<file>', 'the backup')
      .option('--replace', 'in the place of all that is there, of which a backup is made')
      .option('--no-backup', 'with --replace: without a backup'),
  ).action(action);
