/**
 * @module Backs up what a command is about to replace.
 */
import { join } from 'node:path';
import { timedName } from '../core/output-file.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { progress, UserError } from '../core/terminal.ts';
import { type Target, targetArgs } from '../core/wrangler/wrangler.ts';
import { readSchema } from '../migrations/local-schema.ts';
import { storedRegistry } from '../project/sources.ts';
import { missingText, writeBackup } from './backup.ts';

export function restoreCommand(path: string, target: Target): string {
  const options = targetArgs(target).filter((option) => option !== '--local');
  return ['npm run restore --', path, '--replace', ...options].join(' ');
}

/**
 * Writes a backup into the project's folder and prints the command that restores it.
 * @returns its name.
 * @throws UserError for a database that cannot be backed up or whose backup could not be restored.
 */
export async function backUpBefore(root: string, target: Target, storage: Storage, prefix: string): Promise<string> {
  if ((await readSchema(storage.db))?.pushed)
    throw new UserError(
      'The local database has changes of npm run dev that no migration makes, so its backup could not be restored: npm run generate, then npm run migrate; or --no-backup',
    );
  const name = timedName(prefix, new Date());
  progress(`backing up the current content to ${name} …`);
  const { missing } = await writeBackup(storage, await storedRegistry(root), join(root, name));
  if (missing.length > 0) progress(missingText(missing));
  progress(`to bring the former content back: ${restoreCommand(name, target)}`);
  return name;
}
