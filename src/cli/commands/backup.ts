/**
 * @module `npm run backup`: database and bucket as one file.
 */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { backupName, writeBackup } from '../backup/backup.ts';
import { counted } from '../counted.ts';
import { storedRegistry } from '../import/project-registry.ts';
import { withStorage } from '../platform/storage.ts';
import { withTarget } from '../platform/target-options.ts';
import { databaseName, type Target } from '../platform/wrangler.ts';
import { untilSettled } from '../project/project-lock.ts';
import { print, progress, run, UserError } from '../terminal.ts';

interface Flags extends Target {
  readonly file?: string;
}

async function command(flags: Flags): Promise<void> {
  const root = process.cwd();
  const path = flags.file ?? backupName(new Date());
  if (existsSync(path)) throw new UserError(`--file: ${path} is there already`);
  await untilSettled(root, 'npm run backup');
  const registry = await storedRegistry(root);
  progress(`backing up the ${databaseName(flags)} and its bucket …`);
  const { missing } = await withStorage(root, flags, (storage) => writeBackup(storage, registry, path));
  if (missing.length > 0)
    print(
      `not in the bucket, so not in the backup: ${counted(missing.length, 'object')} of files, such as ${missing[0]}`,
    );
  print(path);
}

if (import.meta.main)
  await withTarget(
    new Command('npm run backup --')
      .description('Database and bucket as one file, which `npm run restore` takes.')
      .option('--file <path>', 'where it goes; by default a name with the time, in this folder'),
  )
    .action((flags: Flags) => run(() => command(flags)))
    .parseAsync();
