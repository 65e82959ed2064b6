/**
 * @module A deployment → one file: all tables as they are at one moment, and all objects of the bucket.
 */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from '../../registry/model.ts';
import { storedFile } from '../../sql/files.ts';
import type { Row } from '../../sql/statement.ts';
import { keysOf } from '../../upload/call.ts';
import { linesOf } from '../core/archive/json-lines.ts';
import { counted } from '../core/counted.ts';
import { withTemporaryFolder } from '../core/leftovers.ts';
import { progressLine } from '../core/progress-line.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { type BackupWriter, openBackup } from './backup-writer.ts';
import { manifestText } from './manifest.ts';
import { keptObjects, objectCopies } from './object-copies.ts';
import { fileName } from './row-files.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';

export interface BackedUp {
  readonly rows: number;
  readonly objects: number;
  /** Keys of objects that files name and that are not in the bucket. */
  readonly missing: readonly string[];
}

async function addTables(archive: BackupWriter, folder: string, { tables }: Snapshot): Promise<void> {
  for (const { name, file } of tables) {
    const path = join(folder, fileName(name));
    await archive.stream(file, statSync(path).size, createReadStream(path));
  }
}

/** Keys of the objects that files have. */
async function keysNamed(folder: string, { tables }: Snapshot): Promise<readonly string[]> {
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

async function write(storage: Storage, registry: Registry, archive: BackupWriter, folder: string): Promise<BackedUp> {
  const total = (await keptObjects(storage.bucket)).reduce((sum, { size }) => sum + size, 0);
  const copying = progressLine('copying objects', total);
  const copies = objectCopies(storage.bucket, archive);
  await copies.copy(copying);
  const reading = progressLine('reading rows', 0);
  const createdAt = new Date().toISOString();
  const snapshot = await readSnapshot(storage.db, registry, folder, reading.count);
  const rows = snapshot.tables.reduce((sum, table) => sum + table.rows, 0);
  reading.done(`${counted(rows, 'row')} of ${counted(snapshot.tables.length, 'table')}`);
  await addTables(archive, folder, snapshot);
  await copies.copy(copying);
  const objects = copies.notes();
  copying.done(counted(objects.length, 'object'));
  const kept = new Set(objects.map(({ key }) => key));
  const named = await keysNamed(folder, snapshot);
  await archive.finish(manifestText({ ...snapshot, createdAt, objects, files: archive.notes() }));
  return { rows, objects: objects.length, missing: named.filter((key) => !kept.has(key)) };
}

/**
 * Writes a backup to `path`, where nothing is until it is whole.
 * @throws UserError for what cannot be kept.
 */
export async function writeBackup(storage: Storage, registry: Registry, path: string): Promise<BackedUp> {
  const archive = openBackup(path);
  try {
    return await withTemporaryFolder((folder) => write(storage, registry, archive, folder));
  } catch (error) {
    await archive.giveUp();
    throw error;
  }
}
