/**
 * @module What `edgewise backup` and `edgewise restore` do: database and bucket become one file, and that becomes them again.
 */
import { backUpBefore, missingText, writeBackup } from '../backup/backup.ts';
import { assertEmpty, checkBackup, restore, tablesWithContent } from '../backup/restore.ts';
import { assertUnlocked } from '../core/storage/state-folder.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print, progress } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import { migrateDatabase, reportMigrated } from '../migrations/apply.ts';
import { storedRegistry } from '../project/sources.ts';

export async function backUp(root: string, target: Target, path: string): Promise<void> {
  const registry = await storedRegistry(root);
  progress(`backing up the ${databaseName(target)} and its bucket …`);
  const { missing } = await withStorage(root, target, (storage) => writeBackup(storage, registry, path));
  if (missing.length > 0) print(missingText(missing));
  print(path);
}

interface RestoreFlags extends Target {
  readonly replace?: true;
  /** False: `--no-backup`. */
  readonly backup: boolean;
}

export async function restoreProject(root: string, path: string, flags: RestoreFlags): Promise<void> {
  assertUnlocked(root, flags);
  const verified = await checkBackup(root, path);
  await withStorage(root, flags, async (storage) => {
    if (!flags.replace) await assertEmpty(storage);
    else if (flags.backup && (await tablesWithContent(storage.db)).length > 0)
      await backUpBefore(root, flags, storage, 'before-restore');
    await restore(storage, verified);
  });
  progress(`${databaseName(flags)}: as it was at ${verified.manifest.createdAt}`);
  if (verified.due.length > 0) reportMigrated(await migrateDatabase(root, flags), flags);
}
