/**
 * @module The migrations of the project on a local database: which it has, which are pending, and how they are applied.
 */
import { D1_MIGRATIONS, runBatch } from '../core/sql/database.ts';
import { literal } from '../core/sql/sql-text.ts';
import { withStorage } from '../core/storage/storage.ts';
import { UserError } from '../core/terminal.ts';
import { databaseName, type Target, wrangler } from '../core/wrangler/wrangler.ts';
import { unstable_splitSqlQuery as split } from '../core/wrangler/wrangler-module.ts';
import { migrate } from './apply.ts';
import { assertReleased, checkHistory, type History, missingNotes, notingChecksums, readHistory } from './history.ts';
import { MIGRATIONS, migrationNames, readMigrations } from './migration-files.ts';
import { joinRenames } from './rename-options.ts';
import { type Revision, readRevisions } from './revisions.ts';

/** As wrangler makes it. */
export const D1_MIGRATIONS_SQL = `CREATE TABLE IF NOT EXISTS ${D1_MIGRATIONS} (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

export interface Migrations extends History {
  /** Of the project and not of the database, in order. */
  readonly pending: readonly string[];
  /** Of the database and not of the project: made on another branch. */
  readonly foreign: readonly string[];
}

export async function migrationsOf(root: string, db: D1Database): Promise<Migrations> {
  const names = migrationNames(root);
  const history = await readHistory((statements) => runBatch(db, statements));
  const { applied } = history;
  assertReleased(applied, names, databaseName({}));
  const pending = names.filter((name) => !applied.includes(name));
  return { ...history, pending, foreign: applied.filter((name) => !names.includes(name)) };
}

/** The statements that mark migrations as applied. */
export function markAppliedSql(names: readonly string[]): readonly string[] {
  const marks = names.map((name) => `INSERT OR IGNORE INTO ${D1_MIGRATIONS} (name) VALUES (${literal(name)})`);
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

/**
 * Applies the pending migrations, each in one transaction. Those before a failure stay applied.
 * @throws UserError that names the file.
 */
export async function applyMigrations(
  root: string,
  db: D1Database,
  { pending }: Pick<Migrations, 'pending'>,
): Promise<void> {
  const isStatement = (sql: string): boolean => sql.replaceAll(/^\s*--.*$/gm, '').trim() !== '';
  const all = readMigrations(root);
  for (const migration of all.filter(({ name }) => pending.includes(name))) {
    const statements = split(notingChecksums(migration, all)).filter(isStatement);
    await runAll(db, `${MIGRATIONS}/${migration.name}`, [...statements, ...markAppliedSql([migration.name])]);
  }
}

/**
 * Brings a database that only migrations have changed up to date, without a process of wrangler.
 * @returns how many migrations were applied.
 * @throws UserError for migrations that were changed since they were applied, and as `applyMigrations` does.
 */
export async function applyDue(root: string, db: D1Database): Promise<number> {
  const migrations = await migrationsOf(root, db);
  const all = readMigrations(root);
  checkHistory(all, migrations, {});
  if (migrations.pending.length === 0) await runAll(db, MIGRATIONS, missingNotes(all, migrations));
  await applyMigrations(root, db, migrations);
  return migrations.pending.length;
}

/** Migrates a deployed database, or a local one that no server has open. */
export const migrateDatabase = (root: string, target: Target): Promise<number> =>
  target.remote ? migrate(target, wrangler, root) : withStorage(root, target, ({ db }) => applyDue(root, db));

/** Collects what the revisions of migrations declare: renames, and subjects whose stored content may be lost. */
export function notesOf(root: string, names: readonly string[]) {
  const isMeant = ({ migrations }: Revision) => migrations.some((name) => names.includes(name));
  const revisions = names.length === 0 ? [] : readRevisions(root).filter(isMeant);
  return {
    renames: joinRenames(revisions.flatMap(({ renames, localRenames }) => [renames, localRenames])),
    dropped: new Set(revisions.flatMap(({ drops }) => drops)),
  };
}
