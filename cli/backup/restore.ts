/**
 * @module Restores a backup. Rows go into staging tables, which replace the current ones in one transaction at the end: an
 * interrupted restore has changed nothing that is served, or lacks indexes.
 */
import { statSync } from 'node:fs';
import { groupsOf } from '../../src/common/groups.ts';
import { ENDPOINT_TABLE, OAUTH_GRANT_TABLE, OUTBOX_TABLE, OWN_TABLES, TASK_TABLE } from '../../src/schema/names.ts';
import { contentText } from '../core/content-counts.ts';
import { atExit } from '../core/leftovers.ts';
import { whileClaimed } from '../core/lock/database-lock.ts';
import { progressLine } from '../core/progress-line.ts';
import { D1_MIGRATIONS, filledTables, ROTATE_STAMPS } from '../core/sql/database.ts';
import { NOTE_CHECKED, storedFence } from '../core/sql/fence.ts';
import { listsOf, rowInserter } from '../core/sql/row-lists.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import { assertOneBatch, runBatch, runBatches } from '../core/sql/statements.ts';
import { revokeTokenSql, STUDIO_TOKEN } from '../core/sql/tokens.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { assertUnlocked } from '../core/storage/state-folder.ts';
import { withStorage } from '../core/storage/storage.ts';
import { LACKS_INDEXES, LACKS_INDEXES_TEXT } from '../core/storage/unfinished.ts';
import { progress, UserError } from '../core/terminal.ts';
import { databaseName, type Target, wrangler } from '../core/wrangler/wrangler.ts';
import { dropPictures } from '../media/drop-pictures.ts';
import { migrateDatabase, reportMigrated } from '../migrations/apply.ts';
import { assertChecked } from '../migrations/fence.ts';
import { readHistory } from '../migrations/history.ts';
import { readMigrations } from '../migrations/migration-files.ts';
import { backUpBefore } from './backup.ts';
import { readBackup } from './backup-file.ts';
import { openFitting } from './fit.ts';
import { restoreObjects } from './objects.ts';
import { readSchemaEntries, type SchemaEntry, sortSchema, stagingName, stagingTables } from './schema.ts';

/** Messages of a backup were delivered, or are about another deployment: they are not sent again. */
const NOT_RESTORED = [OUTBOX_TABLE, ENDPOINT_TABLE];

/** Tables whose rows are no content; roles come from the settings. */
const WITHOUT_CONTENT = [...OWN_TABLES, D1_MIGRATIONS, 'up_roles'];

/** Returns tables with content: documents, files, users, tokens. */
async function tablesWithContent(db: D1Database): Promise<readonly string[]> {
  const { tables } = sortSchema(await readSchemaEntries(db));
  return filledTables(
    db,
    tables.filter((name) => !WITHOUT_CONTENT.includes(name)),
  );
}

/** `if exists`: dropping a search index drops its shadow tables. */
const dropped = (name: string): string => `drop table if exists ${identifier(name)}`;

/**
 * Drops what an interrupted restore left, except the note that indexes are lacking: they still are.
 * @returns was a restore interrupted?
 */
async function dropStagingTables(db: D1Database): Promise<boolean> {
  const left = stagingTables(await readSchemaEntries(db));
  await runBatches(db, left.filter((name) => name !== LACKS_INDEXES).map(dropped));
  return left.length > 0;
}

/** Creates the staging tables, empty. Numeric ids go on from where they were. */
function stagingStatements({ schema: { staging, tables }, manifest: { sequences } }: Verified): readonly string[] {
  const counting = tables.filter((name) => Object.hasOwn(sequences, name));
  const counts = counting.map((name) => `(${literal(stagingName(name))}, ${sequences[name]})`);
  return [...staging, ...counts.map((values) => `insert into sqlite_sequence ("name", "seq") values ${values}`)];
}

/** Fills the staging tables. @throws UserError for one that has other rows at the end, such as those of another restore. */
async function fillTables(db: D1Database, { rows, schema }: Verified): Promise<void> {
  const line = progressLine({ name: 'restoring rows', thing: 'row' });
  const tables = schema.tables.filter((name) => !NOT_RESTORED.includes(name));
  for (const table of tables) {
    const names = rows.columnsIn(table).map(([name]) => name);
    const insert = rowInserter(stagingName(table), names);
    for (const some of listsOf(rows.lists(table))) {
      await runBatch(db, insert(some));
      line.count(some.length);
    }
  }
  const sql = (name: string) => `select count(*) as "count" from ${identifier(stagingName(name))}`;
  const counts = await runBatches(db, tables.map(sql));
  const wrong = tables.find((table, index) => counts[index]?.[0]?.count !== rows.count(table));
  if (wrong !== undefined) throw new UserError(`Rows of ${wrong} are missing. The former content is unchanged`);
  line.done('wrote all rows');
}

/** A name is removed from former versions in the order of their rows, which are numbered anew. */
const RESTART_TASKS = `update ${identifier(TASK_TABLE)} set "argument" = json_set("argument", '$.after', 0) where "kind" = 'name'`;

/**
 * The statements that replace all tables in one transaction, but for indexes that only make reads fast.
 * @param isChecked does the version that serves check the fence? It still does then, also beside a backup of before.
 */
function swapStatements(
  entries: readonly SchemaEntry[],
  { renaming, rest, tables }: Verified['schema'],
  isChecked: boolean,
) {
  const former = sortSchema(entries);
  const views = former.rest.filter(({ type }) => type === 'view');
  return [
    ...views.map(({ name }) => `drop view ${identifier(name)}`),
    // Tables first: their triggers write to the search indexes.
    ...[...former.tables, ...former.virtual].map(dropped),
    ...renaming,
    ...rest.filter((sql) => !isPlainIndex(sql)),
    `create table if not exists ${identifier(LACKS_INDEXES)} ("id" integer)`,
    ...(tables.includes(TASK_TABLE) ? [RESTART_TASKS] : []),
    revokeTokenSql(STUDIO_TOKEN),
    // Some may have ended since.
    ...(tables.includes(OAUTH_GRANT_TABLE) ? [`delete from ${identifier(OAUTH_GRANT_TABLE)}`] : []),
    ROTATE_STAMPS,
    ...(isChecked ? [NOTE_CHECKED] : []),
  ];
}

/** Does the statement create an index without which the rows are the same? */
const isPlainIndex = (sql: string): boolean => /^create index/i.test(sql);

/** Statements of a batch: D1 ends one that takes longer than 30 seconds. */
const INDEXES_AT_ONCE = 20;

async function createIndexes(db: D1Database, { rest }: Verified['schema']): Promise<void> {
  for (const some of groupsOf(rest.filter(isPlainIndex), INDEXES_AT_ONCE)) await runBatch(db, some);
  await runBatch(db, [dropped(LACKS_INDEXES)]);
}

/** @throws UserError for more tables than D1 can replace in one transaction. */
export async function assertReplaceable({ db }: Storage, { schema }: Verified): Promise<void> {
  assertOneBatch(swapStatements(await readSchemaEntries(db), schema, true).length);
}

/**
 * @throws UserError if the version that serves checks no fence, and the deployed database lacks a migration that moves stored
 *   values, or will lack it when the backup is restored
 */
export async function assertServable(
  root: string,
  { db }: Storage,
  { due }: { readonly due: readonly string[] },
  target: Target,
  execute = wrangler,
): Promise<void> {
  const migrations = readMigrations(root);
  const { applied } = await readHistory(migrations, (statements) => runBatch(db, statements));
  const lacked = migrations.filter(({ name }) => due.includes(name) || !applied.includes(name));
  if (applied.length > 0) await assertChecked(lacked, await storedFence(db), target, execute);
}

/**
 * Reads a backup completely and compares it with the project; writes nothing.
 * @throws UserError for a backup that is damaged, from a later state, or from other content types.
 */
export async function checkBackup(root: string, path: string) {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const line = progressLine({ name: 'checking the backup', bytes: size });
  const { manifest, file } = await readBackup(path, line.advance);
  const fit = openFitting(root, file, path);
  line.done(`checked ${path}, a backup of ${manifest.createdAt} with ${contentText(manifest.content)},`);
  for (const sql of manifest.rest.filter((each) => !fit.schema.rest.includes(each)))
    progress(`not restored, since no migration makes it: ${sql}`);
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

const INTERRUPTED =
  'Interrupted. The rows are all as they were, or all as in the backup. The next npx edgewise restore drops the staging tables.';

/** Restores a checked backup. Objects that are not in it stay in the bucket, except pictures on request. */
export async function restore(storage: Storage, verified: Verified): Promise<void> {
  const { db } = storage;
  if (await dropStagingTables(db)) progress('starting over: a restore was interrupted');
  const forget = atExit(() => progress(INTERRUPTED));
  try {
    await restoreObjects(storage.bucket, verified.path, verified.manifest);
    await runBatches(db, stagingStatements(verified));
    await fillTables(db, verified);
    await runBatch(
      db,
      swapStatements(await readSchemaEntries(db), verified.schema, (await storedFence(db)) !== undefined),
    );
  } catch (error) {
    // If the database cannot be reached, the next restore drops them.
    await dropStagingTables(db).catch(() => undefined);
    throw error;
  } finally {
    forget();
  }
  const remind = atExit(() => progress(LACKS_INDEXES_TEXT));
  await createIndexes(db, verified.schema);
  remind();
  // Of the former rows.
  await dropPictures(storage.bucket, new Set(verified.manifest.objects.map(({ key }) => key)));
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
  await whileClaimed(flags, 'restore', () => restoreVerified(root, verified, flags));
}

async function restoreVerified(root: string, verified: Verified, flags: RestoreFlags): Promise<void> {
  await withStorage(root, flags, async (storage) => {
    if (flags.remote) {
      await assertReplaceable(storage, verified);
      await assertServable(root, storage, verified, flags);
    }
    if (!flags.replace) await assertEmpty(storage);
    else if (flags.backup && (await tablesWithContent(storage.db)).length > 0)
      await backUpBefore(root, flags, storage, 'before-restore');
    await restore(storage, verified);
  });
  progress(`restored ${contentText(verified.manifest.content)}`);
  progress(`${databaseName(flags)}: as it was at ${verified.manifest.createdAt}`);
  if (verified.due.length > 0) reportMigrated(await migrateDatabase(root, flags), flags);
}
