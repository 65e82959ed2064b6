/**
 * @module `edgewise backup`: database and bucket as one file.
 */
import { Command } from 'commander';
import { assertNewFile, timedName } from '../core/output-file.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { withTarget } from './options.ts';

interface Flags extends Target {
  readonly file?: string;
}

export const backup = (): Command =>
  withTarget(
    new Command('backup')
      .description('Database and bucket as one file, which `restore` takes.')
      .option('--file <path>', 'where it goes; by default a name with the time, in this folder'),
  ).action(async ({ file = timedName('edgewise-backup', new Date()), ...target }: Flags) => {
    assertNewFile(file);
    await (await import('../work/backup.ts')).backUp(process.cwd(), target, file);
  });
