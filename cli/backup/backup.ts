/**
 * @module Writes a backup of a deployment: all rows as of one moment, and all objects of the bucket. Backs up what a command is
 * about to replace.
 */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { storedFile } from '../../src/features/files/sql/files.ts';
import type { Registry } from '../../src/schema/model.ts';
import { writeArchive } from '../core/archive/archive-writer.ts';
import { type ContentCounts, contentText } from '../core/content-counts.ts';
import { counted, megabytes } from '../core/counted.ts';
import { withTemporaryFolder } from '../core/leftovers.ts';
import { whileClaimed } from '../core/lock/database-lock.ts';
import { timedName } from '../core/output-file.ts';
import { progressLine } from '../core/progress-line.ts';
import { storedCounts } from '../core/sql/stored-counts.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print, printJson, progress, UserError } from '../core/terminal.ts';
import { databaseName, type Target, targetOptions } from '../core/wrangler/wrangler.ts';
import { keysHere } from '../media/objects-here.ts';
import { keptObjects } from '../media/trash.ts';
import { readSchema } from '../migrations/local-schema.ts';
import { storedRegistry } from '../project/sources.ts';
import { DATABASE, FORMAT, MANIFEST } from './backup-file.ts';
import { objectCopies } from './objects.ts';
import { readSnapshot } from './snapshot.ts';

/**
 * Writes a backup; `path` exists only once it is complete.
 * @returns counts, and the keys that files name and the bucket lacks.
 * @throws UserError for tables that cannot be backed up.
 */
export async function writeBackup({ db, bucket }: Storage, registry: Registry, path: string) {
  const archive = writeArchive(path, undefined);
  try {
    const bytes = (await keptObjects(bucket)).reduce((sum, { size }) => sum + size, 0);
    const copying = progressLine({ name: 'copying objects', thing: 'object', bytes });
    const { copy, copied } = objectCopies(bucket, archive);
    await copy(copying);
    copying.done(`copied ${counted(copied.size, 'object')} with ${megabytes(bytes)}`);
    const reading = progressLine({ name: 'reading rows', thing: 'row' });
    const createdAt = new Date().toISOString();
    const { copies, ...snapshot } = await readSnapshot(db, registry, reading.count);
    const counts = storedCounts(copies, registry);
    const named = Array.from(copies.rows('files'), (row) => keysHere(storedFile(row))).flat();
    const databaseSize = await withTemporaryFolder(async (folder) => {
      const file = join(folder, DATABASE);
      copies.save(file);
      const { size } = statSync(file);
      await archive.stream(DATABASE, size, createReadStream(file));
      return size;
    });
    copies.close();
    reading.done(`read ${counted(copies.tables.length, 'table')}`);
    const copyingNew = progressLine({ name: 'copying new objects', thing: 'object' });
    const more = await copy(copyingNew);
    copyingNew.done(more > 0 ? `copied ${counted(more, 'object')} that came meanwhile` : undefined);
    const content: ContentCounts = { ...counts, files: copied.size };
    const manifest = { ...FORMAT, createdAt, databaseSize, content, ...snapshot, objects: [...copied.values()] };
    await archive.file(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 1)));
    await archive.finish();
    return { content, missing: named.filter((key) => !copied.has(key)) };
  } catch (error) {
    await archive.giveUp();
    throw error;
  }
}

/** @throws UserError for a local database that `npm run dev` has changed beyond its migrations: no backup of it fits a project. */
async function assertRestorable({ db }: Storage, otherwise = ''): Promise<void> {
  if ((await readSchema(db))?.pushed)
    throw new UserError(
      `The local database has changes of npm run dev that no migration makes, so its backup could not be restored: npx edgewise generate, then npx edgewise migrate${otherwise}`,
    );
}

async function backUpTo(path: string, storage: Storage, registry: Registry) {
  const backup = await writeBackup(storage, registry, path);
  const { content, missing } = backup;
  progress(`backed up ${contentText(content)}`);
  if (missing.length === 0) return backup;
  const objects = `${counted(missing.length, 'object')} of files, such as ${missing[0]}`;
  progress(`not in the bucket, so not in the backup: ${objects}`);
  progress('  They were deleted or replaced meanwhile, or are lost: npx edgewise media check lists what is lost');
  return backup;
}

export function restoreCommand(path: string, target: Target): string {
  return ['npx edgewise restore', path, '--replace', ...targetOptions(target)].join(' ');
}

/**
 * Writes a backup into the project's folder and prints the command that restores it.
 * @returns its name.
 * @throws UserError for a database that cannot be backed up or whose backup could not be restored.
 */
export async function backUpBefore(root: string, target: Target, storage: Storage, prefix: string): Promise<string> {
  await assertRestorable(storage, '; or --no-backup');
  const name = timedName(prefix, new Date());
  progress(`backing up the current content to ${name} …`);
  await backUpTo(join(root, name), storage, await storedRegistry(root));
  progress(`to bring the former content back: ${restoreCommand(name, target)}`);
  return name;
}

/** Writes a backup of a project's deployment, and prints its path, or as JSON what it has. @throws UserError for a database whose backup could not be restored. */
export async function backUp(root: string, target: Target, path: string, json = false): Promise<void> {
  const registry = await storedRegistry(root);
  progress(`backing up the ${databaseName(target)} and its bucket …`);
  const work = async (storage: Storage) => {
    await assertRestorable(storage);
    return backUpTo(path, storage, registry);
  };
  const { content, missing } = await whileClaimed(target, 'backup', () => withStorage(root, target, work));
  if (json) printJson({ file: path, content, missing });
  else print(path);
}
