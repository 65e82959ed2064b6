/**
 * @module What `edgewise backup` does: database and bucket become one file.
 */
import { missingText, writeBackup } from '../backup/backup.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print, progress } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import { untilSettled } from '../project/project-lock.ts';
import { storedRegistry } from '../project/sources.ts';

export async function backUp(root: string, target: Target, path: string): Promise<void> {
  await untilSettled(root, 'npm run backup');
  const registry = await storedRegistry(root);
  progress(`backing up the ${databaseName(target)} and its bucket …`);
  const { missing } = await withStorage(root, target, (storage) => writeBackup(storage, registry, path));
  if (missing.length > 0) print(missingText(missing));
  print(path);
}
