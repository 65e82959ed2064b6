/**
 * @module A backup of what a command is about to replace.
 */
import { join } from 'node:path';
import { counted } from '../core/counted.ts';
import { timedName } from '../core/output-file.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { progress, UserError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { readSchema } from '../migrations/local-schema.ts';
import { storedRegistry } from '../project/stored-registry.ts';
import { writeBackup } from './backup.ts';

const optionsOf = ({ remote, env, persistTo }: Target): readonly string[] => [
  ...(remote ? ['--remote'] : []),
  ...(env === undefined ? [] : ['--env', env]),
  ...(persistTo === undefined ? [] : ['--persist-to', persistTo]),
];

/** The command that puts a backup in the place of what will be there then. */
export const restoreCommand = (path: string, target: Target): string =>
  ['npm run restore --', path, '--replace', ...optionsOf(target)].join(' ');

/**
 * Writes it into the folder of the project, and says how it is restored.
 * @returns its name.
 * @throws UserError for what cannot be kept, or could not be restored.
 */
export async function backUpBefore(root: string, target: Target, storage: Storage, prefix: string): Promise<string> {
  if ((await readSchema(storage.db))?.pushed)
    throw new UserError(
      'The local database has changes of npm run dev that are in no migration, so no backup of it could be restored: npm run generate, then npm run migrate; or --no-backup',
    );
  const name = timedName(prefix, new Date());
  progress(`backing up what is there to ${name} …`);
  const { missing } = await writeBackup(storage, await storedRegistry(root), join(root, name));
  if (missing.length > 0)
    progress(
      `not in the bucket, so not in the backup: ${counted(missing.length, 'object')} of files, such as ${missing[0]}`,
    );
  progress(`what was there comes back with: ${restoreCommand(name, target)}`);
  return name;
}
