/**
 * @module Restores a backup. Rows go into staging tables, which replace the current ones in one transaction at the end: an
 * interrupted restore has changed nothing that is served.
 */
import { statSync } from 'node:fs';
import {
  COUNTER_TABLE,
  ENDPOINT_TABLE,
  HISTORY_TABLE,
  IMPORT_TABLE,
  OUTBOX_TABLE,
  PICTURE_MONTH_TABLE,
  PICTURE_TABLE,
  REQUEST_TABLE,
  STAMP_TABLE,
} from '../../src/registry/names.ts';
import { contentText } from '../core/content-counts.ts';
import { counted } from '../core/counted.ts';
import { atExit } from '../core/leftovers.ts';
import { progressLine } from '../core/progress-line.ts';
import { D1_MIGRATIONS, filledTables, ROTATE_STAMPS, runBatch } from '../core/sql/database.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import { revokeTokenSql, STUDIO_TOKEN } from '../core/sql/tokens.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { type ObjectNotes, objectWriter } from '../core/storage/objects.ts';
import { assertUnlocked } from '../core/storage/state-folder.ts';
import { withStorage } from '../core/storage/storage.ts';
import { progress, UserError } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import { migrateDatabase, reportMigrated } from '../migrations/apply.ts';
import { backUpBefore } from './backup.ts';
import { backupEntries, type Manifest, type ObjectEntry, verifyBackup } from './backup-file.ts';
import { fillTable, stagingStatements } from './fill.ts';
import { assertFits } from './fit.ts';
import { partsOf, readEntries, type Schema, stagingName, stagingTables } from './schema.ts';

/** Messages of a backup were delivered, or are about another deployment: they are not sent again. */
const NOT_RESTORED = [OUTBOX_TABLE, ENDPOINT_TABLE];

/** Tables whose rows are no content; roles come from the settings. */
const WITHOUT_CONTENT = [
  ...[COUNTER_TABLE, IMPORT_TABLE, REQUEST_TABLE, STAMP_TABLE, HISTORY_TABLE, D1_MIGRATIONS, 'up_roles'],
  ...[PICTURE_TABLE, PICTURE_MONTH_TABLE],
  ...NOT_RESTORED,
];

/** Returns tables with content: documents, files, users, tokens. */
async function tablesWithContent(db: D1Database): Promise<readonly string[]> {
  const names = partsOf(await readEntries(db)).tables.map(({ name }) => name);
  return filledTables(
    db,
    names.filter((name) => !WITHOUT_CONTENT.includes(name)),
  );
}

/** `if exists`: dropping a search index drops its shadow tables. */
const dropped = (name: string): string => `drop table if exists ${identifier(name)}`;

/** Drops what an interrupted restore left. */
async function dropStagingTables(db: D1Database): Promise<void> {
  await runBatch(db, stagingTables(await readEntries(db)).map(dropped));
}

/** @throws UserError for a staging table that lacks rows. */
async function assertFilled(db: D1Database, { tables }: Manifest): Promise<void> {
  const found = await runBatch(
    db,
    tables.map(({ name }) => `select count(*) as "rows" from ${identifier(stagingName(name))}`),
  );
  const lacking = tables.find(({ rows }, index) => found[index]?.[0]?.rows !== rows);
  if (lacking) throw new UserError(`Rows of ${lacking.name} are missing. The former content is unchanged`);
}

function sequenceStatements({ sequences, tables }: Manifest): readonly string[] {
  const counted = sequences.filter(([name]) => tables.some((table) => table.name === name));
  return counted.flatMap(([name, seq]) => [
    `delete from sqlite_sequence where "name" = ${literal(name)}`,
    `insert into sqlite_sequence ("name", "seq") values (${literal(name)}, ${seq})`,
  ]);
}

/** Replaces all tables in one transaction. */
async function swap(db: D1Database, manifest: Manifest, schema: Schema): Promise<void> {
  const { tables, virtual, rest } = partsOf(await readEntries(db));
  const views = rest.filter(({ type }) => type === 'view');
  await runBatch(db, [
    ...views.map(({ name }) => `drop view ${identifier(name)}`),
    // Tables first: their triggers write to the search indexes.
    ...[...tables, ...virtual].map(({ name }) => dropped(name)),
    ...[...schema.tables, ...schema.searches].map(
      ({ name }) => `alter table ${identifier(stagingName(name))} rename to ${identifier(name)}`,
    ),
    ...schema.tables
      .filter(({ name }) => NOT_RESTORED.includes(name))
      .map(({ name }) => `delete from ${identifier(name)}`),
    ...schema.rest.map(({ sql }) => sql),
    ...sequenceStatements(manifest),
    revokeTokenSql(STUDIO_TOKEN),
    ROTATE_STAMPS,
  ]);
}

/** Backups of earlier versions state their objects alone. */
const textOf = ({ content, objects }: Manifest): string =>
  content ? contentText(content) : counted(objects.length, 'file');

/**
 * Compares a backup with its checksums and with the project; writes nothing.
 * @throws UserError for a backup that is damaged, from a later state, or from other content types.
 */
export async function checkBackup(root: string, path: string) {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const line = progressLine({ name: 'comparing checksums', bytes: size });
  const manifest = await verifyBackup(path, line.advance);
  const fit = assertFits(root, manifest);
  line.done(`checked ${path}, a backup of ${manifest.createdAt} with ${textOf(manifest)},`);
  for (const sql of fit.leftOut) progress(`not restored, since no migration makes it: ${sql}`);
  return { path, manifest, ...fit };
}

type Verified = Awaited<ReturnType<typeof checkBackup>>;

/** @throws UserError for a database with content. */
export async function assertEmpty({ db }: Storage): Promise<void> {
  const filled = await tablesWithContent(db);
  if (filled.length === 0) return;
  throw new UserError(
    `The database has content (${filled.join(', ')}), which --replace replaces by the backup after it has been backed up`,
  );
}

function notesOf({ httpMetadata = {}, customMetadata = {} }: ObjectEntry): ObjectNotes {
  const { cacheExpiry, ...texts } = httpMetadata;
  return { httpMetadata: { ...texts, ...(cacheExpiry && { cacheExpiry: new Date(cacheExpiry) }) }, customMetadata };
}

async function takeFiles({ db, bucket }: Storage, { path, manifest, schema }: Verified): Promise<void> {
  const tables = new Map(manifest.tables.map((table) => [table.file, table]));
  const objects = new Map(manifest.objects.map((object) => [object.file, object]));
  const line = progressLine({ name: 'restoring', thing: 'row', bytes: statSync(path).size });
  const writing = objectWriter(bucket);
  for await (const entry of backupEntries(path, line.advance)) {
    const [table, object] = [tables.get(entry.name), objects.get(entry.name)];
    if (table) await fillTable(table, schema, entry, db, line.count);
    if (object) await writing.put({ ...object, notes: notesOf(object), bytes: entry.bytes }, object.etag);
  }
  await writing.finish();
  line.done('wrote all rows and files');
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

interface RestoreFlags extends Target {
  readonly replace?: true;
  /** False: `--no-backup`. */
  readonly backup: boolean;
}

/** Restores a backup into a project's deployment. */
export async function restoreProject(root: string, path: string, flags: RestoreFlags): Promise<void> {
  assertUnlocked(root, flags);
  const verified = await checkBackup(root, path);
  await withStorage(root, flags, async (storage) => {
    if (!flags.replace) await assertEmpty(storage);
    else if (flags.backup && (await tablesWithContent(storage.db)).length > 0)
      await backUpBefore(root, flags, storage, 'before-restore');
    await restore(storage, verified);
  });
  progress(`restored ${textOf(verified.manifest)}`);
  progress(`${databaseName(flags)}: as it was at ${verified.manifest.createdAt}`);
  if (verified.due.length > 0) reportMigrated(await migrateDatabase(root, flags), flags);
}
