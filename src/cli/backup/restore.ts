/**
 * @module Restores a backup. Rows go into staging tables, which replace the current ones in one transaction at the end: an
 * interrupted restore has changed nothing that is served.
 */
import { statSync } from 'node:fs';
import { counted, listed } from '../core/counted.ts';
import { atExit } from '../core/leftovers.ts';
import { progressLine } from '../core/progress-line.ts';
import { runBatch } from '../core/sql/database.ts';
import { newWriter } from '../core/sql/writer.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { type ObjectNotes, objectWriter } from '../core/storage/objects.ts';
import { progress, UserError } from '../core/terminal.ts';
import { fillTable, stagingStatements } from './fill.ts';
import { assertFits, type Fit } from './fit.ts';
import type { Manifest, ObjectEntry } from './manifest.ts';
import { backupEntries, verifyBackup } from './read-backup.ts';
import { assertFilled, dropStagingTables, swap, tablesWithContent } from './swap.ts';

export interface Verified extends Fit {
  readonly path: string;
  readonly manifest: Manifest;
}

/** "2 rows and 1 object". */
function contentText({ tables, objects }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return listed([counted(rows, 'row'), counted(objects.length, 'object')]);
}

/**
 * Compares a backup with its checksums and with the project; writes nothing.
 * @throws UserError for a backup that is damaged, from a later state, or from other content types.
 */
export async function checkBackup(root: string, path: string): Promise<Verified> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const line = progressLine({ name: 'comparing checksums', bytes: size });
  const manifest = await verifyBackup(path, line.advance);
  const fit = assertFits(root, manifest);
  line.done(`checked ${path}, a backup of ${manifest.createdAt} with ${contentText(manifest)},`);
  for (const sql of fit.leftOut) progress(`not restored, since no migration makes it: ${sql}`);
  return { path, manifest, ...fit };
}

/** @throws UserError for a database with content. */
export async function assertEmpty({ db }: Storage): Promise<void> {
  const filled = await tablesWithContent(db);
  if (filled.length === 0) return;
  throw new UserError(
    `The database has content (${filled.join(', ')}). --replace replaces it by the backup, after a backup of the current content`,
  );
}

function notesOf({ httpMetadata, customMetadata }: ObjectEntry): ObjectNotes {
  const { cacheExpiry, ...texts } = httpMetadata ?? {};
  return {
    ...(httpMetadata && { httpMetadata: { ...texts, ...(cacheExpiry && { cacheExpiry: new Date(cacheExpiry) }) } }),
    ...(customMetadata && { customMetadata }),
  };
}

async function takeFiles({ db, bucket }: Storage, { path, manifest, schema }: Verified): Promise<void> {
  const tables = new Map(manifest.tables.map((table) => [table.file, table]));
  const objects = new Map(manifest.objects.map((object) => [object.file, object]));
  const line = progressLine({ name: 'restoring', thing: 'row', bytes: statSync(path).size });
  const writer = newWriter(db);
  const writing = objectWriter(bucket);
  for await (const entry of backupEntries(path, line.advance)) {
    const [table, object] = [tables.get(entry.name), objects.get(entry.name)];
    if (table) await fillTable(table, schema, entry, writer, line.count);
    if (object) await writing.put({ ...object, notes: notesOf(object), bytes: entry.bytes }, object.etag);
  }
  await writer.finish();
  await writing.finish();
  line.done(`wrote ${contentText(manifest)}`);
}

const INTERRUPTED =
  'Interrupted. The rows are all as they were, or all as in the backup. The next npm run restore drops the staging tables.';

/** Restores a checked backup. Objects that are not in it stay in the bucket. */
export async function restore(storage: Storage, verified: Verified): Promise<void> {
  const { db } = storage;
  const { manifest, schema } = verified;
  await dropStagingTables(db);
  const forget = atExit(() => progress(INTERRUPTED));
  try {
    await runBatch(db, stagingStatements(schema));
    await takeFiles(storage, verified);
    await assertFilled(db, manifest);
    await swap(db, manifest, schema);
  } catch (error) {
    // If the database cannot be reached, the next restore drops them.
    await dropStagingTables(db).catch(() => undefined);
    throw error;
  } finally {
    forget();
  }
}
