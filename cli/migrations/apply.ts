/**
 * @module Applies pending migrations in order, each file in one transaction: on a deployed database by wrangler, on a local
 * one directly. Before a deployed database is migrated, data losses are named and counted, and the command that restores the
 * database is printed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../core/counted.ts';
import { withTemporaryFolder } from '../core/leftovers.ts';
import { D1_MIGRATIONS } from '../core/sql/database.ts';
import { literal } from '../core/sql/sql-text.ts';
import { assertAccepted, type Run, runBatch } from '../core/sql/statements.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { withStorage } from '../core/storage/storage.ts';
import { type Ask, confirmNumber, progress, UserError } from '../core/terminal.ts';
import { type Binding, readConfiguration } from '../core/wrangler/configuration.ts';
import {
  databaseName,
  envArgs,
  type Finished,
  type Target,
  targetArgs,
  timeTravelBookmark,
  type Wrangler,
  wrangler,
  wranglerFailure,
} from '../core/wrangler/wrangler.ts';
import { unstable_splitSqlQuery as split } from '../core/wrangler/wrangler-module.ts';
import { assertFenced } from './fence.ts';
import { assertReleased, checkHistory, type History, missingNotes, notingChecksums, readHistory } from './history.ts';
import { countLosses, lossTexts, lossWords } from './losses.ts';
import { MIGRATIONS, type Migration } from './migration-files.ts';
import { declaredBy, type MigrationFolder, pendingLosses, readFolder, readRevisions } from './revisions.ts';
import { unrenamedWarnings } from './unrenamed-warnings.ts';

/** As wrangler makes it. */
export const D1_MIGRATIONS_SQL = `CREATE TABLE IF NOT EXISTS ${D1_MIGRATIONS} (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

export function markAppliedSql(migrations: readonly Migration[]): readonly string[] {
  const marks = migrations.map(({ name }) => `INSERT OR IGNORE INTO ${D1_MIGRATIONS} (name) VALUES (${literal(name)})`);
  return marks.length > 0 ? [D1_MIGRATIONS_SQL, ...marks] : [];
}

/** Runs all statements or none. @throws UserError with the error of the database. */
export async function runAll(db: D1Database, what: string, statements: readonly string[]): Promise<void> {
  try {
    await runBatch(db, statements);
  } catch (error) {
    throw new UserError(`${what}: the local database refused: ${(error as Error).message}`);
  }
}

/** Reads what a local database has of a project. @throws UserError for one from before the first release. */
export async function localHistory(migrations: readonly Migration[], db: D1Database): Promise<History> {
  const history = await readHistory(migrations, (statements) => runBatch(db, statements));
  assertReleased(history.foreign, databaseName({}));
  return history;
}

/** The statements of a migration, with the notes of its checksum. */
const statementsOf = (migration: Migration, history: History): readonly string[] =>
  split(notingChecksums(migration, history)).filter((sql) => sql.replaceAll(/^\s*--.*$/gm, '').trim() !== '');

/** Reports with which migration a database that has some goes on. */
function reportNext({ applied }: History, [next]: readonly Migration[]): void {
  if (next && applied.length > 0) progress(`going on with ${MIGRATIONS}/${next.name}`);
}

/** Applies the pending migrations. Those before a failure stay applied. @throws UserError that names the file. */
export async function applyLocally(db: D1Database, history: History): Promise<void> {
  reportNext(history, history.pending);
  const due = history.pending.map((migration) => [migration, statementsOf(migration, history)] as const);
  for (const [, statements] of due) assertAccepted(statements);
  for (const [migration, statements] of due)
    await runAll(db, `${MIGRATIONS}/${migration.name}`, [...statements, ...markAppliedSql([migration])]);
}

/** Warns of grants of tokens that name attributes which pending migrations rename, and stay as they are. */
async function warnOfGrants(folder: MigrationFolder, { applied, pending }: History, target: Target, run: Run) {
  if (applied.length === 0) return;
  const { attributes } = declaredBy(folder, pending).renames;
  for (const line of await unrenamedWarnings(attributes, target, run)) progress(line);
}

/** Brings a local database that only migrations have changed up to date. @returns how many migrations were applied. */
export async function applyDue(root: string, db: D1Database): Promise<number> {
  const folder = readFolder(root);
  const history = await localHistory(folder.migrations, db);
  checkHistory(history, {});
  await warnOfGrants(folder, history, {}, (statements) => runBatch(db, statements));
  await runAll(db, MIGRATIONS, missingNotes(history));
  await applyLocally(db, history);
  return history.pending.length;
}

/** @returns how many were applied. @throws UserError with the error of wrangler. */
function appliedBy(done: Finished): number {
  const names = [...new Set(done.stdout.match(/\d+_\S+\.sql(?=.*✅)/g))];
  if (done.code === 0) return names.length;
  throw new UserError(
    wranglerFailure('Applying the migrations', done),
    ...(names.length > 0 ? [`Applied before that: ${names.join(', ')}`] : []),
    'The migration that failed has changed nothing. The next run continues with it.',
  );
}

/** A project, and the history of its database. */
export type Project = Readonly<{ root: string; history: History }>;

/**
 * Applies pending migrations of a project by wrangler. It applies all files of a folder as they are, so the migrations are
 * written with their notes into a folder, beside a configuration that names the same database.
 * @returns how many.
 */
export async function applyMigrations(
  { root, history }: Project,
  meant: readonly Migration[],
  target: Target,
  execute: Wrangler,
): Promise<number> {
  if (meant.length === 0) return 0;
  reportNext(history, meant);
  for (const migration of meant) assertAccepted(statementsOf(migration, history));
  const { name, account_id, compatibility_date, d1_databases: all } = readConfiguration(root, target);
  const own = all.filter(({ binding }: Binding) => binding === 'DB');
  const d1_databases = own.map((entry: Binding) => ({ ...entry, migrations_dir: 'migrations' }));
  const inEnvironment = target.env !== undefined && { env: { [target.env]: { d1_databases } } };
  const config = { name, account_id, compatibility_date, d1_databases, ...inEnvironment };
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, 'wrangler.json');
    writeFileSync(path, JSON.stringify(config));
    mkdirSync(join(folder, 'migrations'));
    for (const migration of meant)
      writeFileSync(join(folder, 'migrations', migration.name), notingChecksums(migration, history));
    return appliedBy(await execute(['d1', 'migrations', 'apply', 'DB', ...targetArgs(target), '--config', path]));
  });
}

/** Reads what a database has of a project. @throws UserError for migrations that were changed since they were applied. */
export async function readProject(
  root: string,
  target: Target,
  execute: Wrangler,
  migrations: readonly Migration[] = readFolder(root).migrations,
): Promise<Project> {
  const history = await readHistory(migrations, (statements) => executeSql(statements, target, execute));
  checkHistory(history, target);
  return { root, history };
}

export interface Consent {
  /** `--allow-drop`: are the reported data losses accepted? */
  readonly allowDrop: boolean;
  readonly ask?: Ask;
}

/**
 * Reads a project whose pending migrations may be applied: their data losses are confirmed. Nothing is written. A database
 * without migrations has nothing to lose.
 * @param planned the folder that the project will have; absent: the one on disk.
 * @throws UserError when losses are not confirmed, when no bookmark can be read, for migrations that were changed, and as
 *   `assertFenced`.
 */
export async function agreedProject(
  root: string,
  target: Target,
  { allowDrop, ask }: Consent,
  execute: Wrangler,
  planned?: MigrationFolder,
): Promise<Project> {
  const project = await readProject(root, target, execute, planned?.migrations);
  const { migrations, applied, pending } = project.history;
  await assertFenced(project.history, target, execute);
  if (applied.length === 0 || pending.length === 0) return project;
  const folder = planned ?? { migrations, revisions: readRevisions(root) };
  const run: Run = (statements) => executeSql(statements, target, execute);
  const losses = await countLosses(await pendingLosses(folder, applied), run);
  const words = lossWords(losses.length);
  const restore = ['d1', 'time-travel', 'restore', 'DB', ...envArgs(target)].join(' ');
  const bookmark = await timeTravelBookmark(target, execute);
  if (losses.length > 0) progress(`${losses.length} ${words}:`);
  for (const line of lossTexts(losses, target)) progress(line);
  await warnOfGrants(folder, project.history, target, run);
  progress(`To restore the database as it is now: npx wrangler ${restore} --bookmark=${bookmark}`);
  if (losses.length > 0 && !allowDrop) await confirmNumber(losses.length, words, '--allow-drop', ask);
  return project;
}

/** Applies all pending migrations by wrangler. @returns how many. @throws UserError with the error of wrangler. */
export async function migrate(target: Target, execute = wrangler, root = process.cwd()): Promise<number> {
  const project = await readProject(root, target, execute);
  const notes = missingNotes(project.history);
  if (notes.length > 0) await executeSql(notes, target, execute);
  return applyMigrations(project, project.history.pending, target, execute);
}

/** Migrates a deployed database, or a local one that no server has open. */
export const migrateDatabase = (root: string, target: Target): Promise<number> =>
  target.remote ? migrate(target, wrangler, root) : withStorage(root, target, ({ db }) => applyDue(root, db));

export function reportMigrated(count: number, target: Target): void {
  const database = databaseName(target);
  progress(count === 0 ? `${database}: up to date` : `${database}: ${counted(count, 'migration')} applied`);
}
