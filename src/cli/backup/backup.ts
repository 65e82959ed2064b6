/**
 * @module Writes a backup of a deployment: all rows as of one moment, and all objects of the bucket.
 */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from '../../registry/model.ts';
import { storedFile } from '../../sql/files.ts';
import type { Row } from '../../sql/statement.ts';
import { keysOf } from '../../upload/call.ts';
import { linesOf } from '../core/archive/json-lines.ts';
import { counted, megabytes } from '../core/counted.ts';
import { withTemporaryFolder } from '../core/leftovers.ts';
import { progressLine } from '../core/progress-line.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { type BackupWriter, openBackup } from './backup-file.ts';
import { keptObjects, objectCopies } from './object-copies.ts';
import { fileName } from './row-files.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';

/** Keys that the rows of `files` name. */
async function namedKeys(folder: string, { tables }: Snapshot): Promise<readonly string[]> {
  const columns = tables.find(({ name }) => name === 'files')?.columns ?? [];
  const keys: string[] = [];
  const path = join(folder, fileName('files'));
  for await (const lines of linesOf(createReadStream(path), path))
    for (const line of lines) {
      const values = JSON.parse(line) as readonly unknown[];
      keys.push(...keysOf(storedFile(Object.fromEntries(columns.map((name, index) => [name, values[index]])) as Row)));
    }
  return keys;
}

async function write({ db, bucket }: Storage, registry: Registry, archive: BackupWriter, folder: string) {
  const bytes = (await keptObjects(bucket)).reduce((sum, { size }) => sum + size, 0);
  const copying = progressLine({ name: 'copying objects', thing: 'object', bytes });
  const { copy, copied } = objectCopies(bucket, archive);
  await copy(copying);
  copying.done(`copied ${counted(copied.size, 'object')} with ${megabytes(bytes)}`);
  const reading = progressLine({ name: 'reading rows', thing: 'row' });
  const createdAt = new Date().toISOString();
  const snapshot = await readSnapshot(db, registry, folder, reading.count);
  const rows = snapshot.tables.reduce((sum, table) => sum + table.rows, 0);
  reading.done(`read ${counted(rows, 'row')} of ${counted(snapshot.tables.length, 'table')}`);
  for (const { name, file } of snapshot.tables) {
    const path = join(folder, fileName(name));
    await archive.stream(file, statSync(path).size, createReadStream(path));
  }
  const copyingNew = progressLine({ name: 'copying new objects', thing: 'object' });
  const more = await copy(copyingNew);
  copyingNew.done(more > 0 ? `copied ${counted(more, 'object')} that came meanwhile` : undefined);
  const named = await namedKeys(folder, snapshot);
  await archive.finish({ ...snapshot, createdAt, objects: [...copied.values()] });
  return { rows, objects: copied.size, missing: named.filter((key) => !copied.has(key)) };
}

/**
 * Writes a backup; `path` exists only once it is complete.
 * @returns counts, and the keys that files name and the bucket lacks.
 * @throws UserError for tables that cannot be backed up.
 */
export async function writeBackup(storage: Storage, registry: Registry, path: string) {
  const archive = openBackup(path);
  try {
    return await withTemporaryFolder((folder) => write(storage, registry, archive, folder));
  } catch (error) {
    await archive.giveUp();
    throw error;
  }
}

/** @param missing keys of objects. */
export const missingText = (missing: readonly string[]): string =>
  `not in the bucket, so not in the backup: ${counted(missing.length, 'object')} of files, such as ${missing[0]}`;
