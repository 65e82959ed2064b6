/**
 * @module Applies pending migrations in order, by wrangler. Each file is atomic. Before a deployed database is migrated, data
 * losses are named and counted, and the command that restores the database is printed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ask, confirmNumber } from '../core/confirm.ts';
import { counted } from '../core/counted.ts';
import { withTemporaryFolder } from '../core/leftovers.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { progress, UserError } from '../core/terminal.ts';
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
import { checkHistory, type History, missingNotes, notingChecksums, pendingOf, readHistory } from './history.ts';
import { countLosses, lossTexts, lossWords } from './losses.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { type MigrationFolder, pendingLosses, readRevisions } from './revisions.ts';

/** @returns how many were applied. @throws UserError with the error of wrangler. */
function appliedBy(done: Finished): number {
  const names = [...new Set(done.stdout.match(/\d+_\S+\.sql(?=.*✅)/g))];
  if (done.code === 0) return names.length;
  throw new UserError(
    [
      wranglerFailure('Applying the migrations', done),
      ...(names.length > 0 ? [`Applied before that: ${names.join(', ')}`] : []),
      'The migration that failed has changed nothing. The next run continues with it.',
    ].join('\n'),
  );
}

/**
 * Writes the migrations with their notes into a folder, beside a configuration that names the same database: wrangler
 * applies all files of a folder as they are.
 */
function configureFolder(root: string, folder: string, files: readonly Migration[], target: Target): string {
  const { env } = target;
  const { name, account_id, compatibility_date, d1_databases: all } = readConfiguration(root, target);
  const own = all.filter(({ binding }: Binding) => binding === 'DB');
  const d1_databases = own.map((entry: Binding) => ({ ...entry, migrations_dir: 'migrations' }));
  const path = join(folder, 'wrangler.json');
  const inEnvironment = env !== undefined && { env: { [env]: { d1_databases } } };
  writeFileSync(path, JSON.stringify({ name, account_id, compatibility_date, d1_databases, ...inEnvironment }));
  mkdirSync(join(folder, 'migrations'));
  for (const { name: file, text } of files) writeFileSync(join(folder, 'migrations', file), text);
  return path;
}

export interface Project {
  readonly root: string;
  readonly migrations: readonly Migration[];
  /** Of its database. */
  readonly history: History;
}

/** Applies pending migrations of a project. @returns how many. */
export async function applyMigrations(
  { root, migrations }: Project,
  meant: readonly Migration[],
  target: Target,
  execute: Wrangler,
): Promise<number> {
  if (meant.length === 0) return 0;
  return withTemporaryFolder(async (folder) => {
    const files = meant.map((migration) => ({ ...migration, text: notingChecksums(migration, migrations) }));
    const config = configureFolder(root, folder, files, target);
    // By default wrangler looks for the local database beside its configuration.
    const where = target.remote ? target : { persistTo: join(root, '.wrangler/state'), ...target };
    return appliedBy(await execute(['d1', 'migrations', 'apply', 'DB', ...targetArgs(where), '--config', config]));
  });
}

/** Reads what a database has of a project. @throws UserError for migrations that were changed since they were applied. */
export async function readProject(
  root: string,
  target: Target,
  execute: Wrangler,
  migrations: readonly Migration[] = readMigrations(root),
): Promise<Project> {
  const history = await readHistory((statements) => executeSql(statements, target, execute));
  checkHistory(migrations, history, target);
  return { root, migrations, history };
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
 * @throws UserError when losses are not confirmed, when no bookmark can be read, or for migrations that were changed.
 */
export async function agreedProject(
  root: string,
  target: Target,
  { allowDrop, ask }: Consent,
  execute: Wrangler,
  planned?: MigrationFolder,
): Promise<Project> {
  const project = await readProject(root, target, execute, planned?.migrations);
  const { migrations, history } = project;
  if (history.applied.length === 0 || pendingOf(migrations, history).length === 0) return project;
  const named = await pendingLosses(planned ?? { migrations, revisions: readRevisions(root) }, history.applied);
  const losses = await countLosses(named, (statements) => executeSql(statements, target, execute));
  const words = lossWords(losses.length);
  const restore = ['d1', 'time-travel', 'restore', 'DB', ...envArgs(target)].join(' ');
  const bookmark = await timeTravelBookmark(target, execute);
  if (losses.length > 0) progress(`${losses.length} ${words}:`);
  for (const line of lossTexts(losses, target)) progress(line);
  progress(`To restore the database as it is now: npx wrangler ${restore} --bookmark=${bookmark}`);
  if (losses.length > 0 && !allowDrop) await confirmNumber(losses.length, words, '--allow-drop', ask);
  return project;
}

/**
 * Applies all pending migrations.
 * @returns how many.
 * @throws UserError with the error of wrangler, and for migrations that were changed since they were applied.
 */
export async function migrate(target: Target, execute = wrangler, root = process.cwd()): Promise<number> {
  const project = await readProject(root, target, execute);
  const pending = pendingOf(project.migrations, project.history);
  const notes = pending.length === 0 ? missingNotes(project.migrations, project.history) : [];
  if (notes.length > 0) await executeSql(notes, target, execute);
  return applyMigrations(project, pending, target, execute);
}

/** Reports how many migrations were applied. */
export function reportMigrated(count: number, target: Target): void {
  const database = databaseName(target);
  progress(count === 0 ? `${database}: up to date` : `${database}: ${counted(count, 'migration')} applied`);
}
