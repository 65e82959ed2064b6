/**
 * @module A backup → a deployment. Rows go into tables beside those that are there, and take their place in one
 * transaction at the end: a restore that is interrupted has changed nothing that anybody reads.
 */
import { statSync } from 'node:fs';
import { counted } from '../core/counted.ts';
import { atExit } from '../core/leftovers.ts';
import { progressLine } from '../core/progress-line.ts';
import { runBatch } from '../core/sql/database.ts';
import { newWriter } from '../core/sql/writer.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { objectWriter } from '../core/storage/object-writer.ts';
import type { ObjectNotes } from '../core/storage/objects.ts';
import { progress, UserError } from '../core/terminal.ts';
import { fillTable, waitingStatements } from './fill.ts';
import { assertFits, type Fitting } from './fit.ts';
import type { Manifest, ObjectNote } from './manifest.ts';
import { backupEntries, verifyBackup } from './read-backup.ts';
import { assertFilled, dropWaiting, swap, tablesWithContent } from './swap.ts';

export interface Verified extends Fitting {
  readonly path: string;
  readonly manifest: Manifest;
}

/**
 * Compares a backup with its checksums, and with the project. Nothing is written.
 * @throws UserError for a backup that is damaged, of a later state, or of other content types.
 */
export async function checkBackup(root: string, path: string): Promise<Verified> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const line = progressLine('comparing checksums', size);
  const manifest = await verifyBackup(path, line.advance);
  const fitting = assertFits(root, manifest);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  line.done(
    `${path}: backup of ${manifest.createdAt}, ${counted(rows, 'row')}, ${counted(manifest.objects.length, 'object')}`,
  );
  for (const text of fitting.leftOut) progress(`not restored, since no migration makes it: ${text.slice(0, 120)}`);
  return { path, manifest, ...fitting };
}

/** @throws UserError for a database that somebody would miss something of. */
export async function assertEmpty({ db }: Storage): Promise<void> {
  const filled = await tablesWithContent(db);
  if (filled.length === 0) return;
  throw new UserError(
    `The database has content (${filled.join(', ')}). --replace puts the backup in its place, after a backup of what is there`,
  );
}

function notesOf({ httpMetadata, customMetadata }: ObjectNote): ObjectNotes {
  const { cacheExpiry, ...texts } = httpMetadata ?? {};
  return {
    ...(httpMetadata && { httpMetadata: { ...texts, ...(cacheExpiry && { cacheExpiry: new Date(cacheExpiry) }) } }),
    ...(customMetadata && { customMetadata }),
  };
}

async function takeFiles({ db, bucket }: Storage, { path, manifest, schema }: Verified): Promise<void> {
  const tables = new Map(manifest.tables.map((table) => [table.file, table]));
  const objects = new Map(manifest.objects.map((object) => [object.file, object]));
  const line = progressLine('writing rows and objects', statSync(path).size);
  const writer = newWriter(db);
  const writing = objectWriter(bucket);
  for await (const entry of backupEntries(path, line.advance)) {
    const [table, object] = [tables.get(entry.name), objects.get(entry.name)];
    if (table) await fillTable(table, schema, entry, writer, line.count);
    if (object) await writing.put({ ...object, notes: notesOf(object), bytes: entry.bytes });
  }
  await writer.finish();
  await writing.finish();
  line.done('rows and objects are there');
}

const INTERRUPTED =
  'Interrupted. The rows are all as they were, or all as in the backup. What waits in other tables goes with the next npm run restore.';

/** Restores a backup that was checked. What is not in it is left in the bucket. */
export async function restore(storage: Storage, verified: Verified): Promise<void> {
  const { db } = storage;
  const { manifest, schema, indexes } = verified;
  await dropWaiting(db);
  const forget = atExit(() => progress(INTERRUPTED));
  try {
    await runBatch(db, waitingStatements(schema));
    await takeFiles(storage, verified);
    await assertFilled(db, manifest);
    await swap(db, manifest, schema, indexes);
  } catch (error) {
    // Where the database is gone, the next restore does it.
    await dropWaiting(db).catch(() => undefined);
    throw error;
  } finally {
    forget();
  }
}
