/**
 * @module `npm run restore`: a file of `npm run backup` becomes the database and the bucket again.
 */
import { Command } from 'commander';
import { backUpBefore } from '../backup/before.ts';
import { assertEmpty, checkBackup, restore } from '../backup/restore.ts';
import { filledTables } from '../backup/swap.ts';
import { migrateDatabase } from '../dev/applied.ts';
import { assertUnlocked } from '../dev/lock.ts';
import { reportMigrated } from '../migrations/apply.ts';
import { withStorage } from '../platform/storage.ts';
import { withTarget } from '../platform/target-options.ts';
import { databaseName, type Target } from '../platform/wrangler.ts';
import { withProjectLock } from '../project/project-lock.ts';
import { progress, run } from '../terminal.ts';

interface Flags extends Target {
  readonly replace?: true;
  /** False: `--no-backup`. */
  readonly backup: boolean;
}

async function command(path: string, flags: Flags): Promise<void> {
  const root = process.cwd();
  assertUnlocked(root, flags);
  const verified = await checkBackup(root, path);
  await withStorage(root, flags, async (storage) => {
    if (!flags.replace) await assertEmpty(storage);
    else if (flags.backup && (await filledTables(storage.db)).length > 0)
      await backUpBefore(root, flags, storage, 'before-restore');
    await restore(storage, verified);
  });
  progress(`${databaseName(flags)}: as it was at ${verified.manifest.createdAt}`);
  if (verified.due.length > 0) reportMigrated(await migrateDatabase(root, flags), flags);
}

if (import.meta.main)
  await withTarget(
    new Command('npm run restore --')
      .description('Database and bucket as they are in a file of `npm run backup`.')
      .argument('<file>', 'the backup')
      .option('--replace', 'in the place of all that is there, of which a backup is made')
      .option('--no-backup', 'with --replace: without a backup'),
  )
    .action((path: string, flags: Flags) =>
      run(() => withProjectLock(process.cwd(), 'npm run restore', () => command(path, flags))),
    )
    .parseAsync();
