/**
 * @module What `edgewise migrate` does: a database gets the migrations in drizzle/ that it does not have yet, or is compared
 * with them.
 */
import { counted } from '../core/counted.ts';
import { whileClaimed } from '../core/lock/database-lock.ts';
import { readPackage } from '../core/package.ts';
import { runBatch } from '../core/sql/statements.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { hasDatabase } from '../core/storage/state-folder.ts';
import { withStorage } from '../core/storage/storage.ts';
import { INTERRUPTED_SQL, reportInterrupted, tellUnfinished } from '../core/storage/unfinished.ts';
import { print, printJson, progress, UserError } from '../core/terminal.ts';
import { databaseName, type Target, targetOptions, wrangler } from '../core/wrangler/wrangler.ts';
import { catchUpDatabase, isFollowed } from '../dev/push.ts';
import { agreedProject, applyDue, migrate as applyPending, reportMigrated } from '../migrations/apply.ts';
import { checkHistory, historyOf, readHistory } from '../migrations/history.ts';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import { readFolder } from '../migrations/revisions.ts';
import { generate, isOtherVersion } from '../project/generate.ts';

const applyingText = (target: Target): string => `applying migrations to the ${databaseName(target)} …`;

async function migrateDeployed(root: string, target: Target, allowDrop: boolean): Promise<void> {
  await agreedProject(root, target, { allowDrop }, wrangler);
  progress(applyingText(target));
  reportMigrated(await applyPending(target), target);
  await tellUnfinished(target);
}

export async function migrateProject(
  root: string,
  { allowDrop = false, ...target }: Target & { readonly allowDrop?: boolean },
): Promise<void> {
  if (isOtherVersion(root)) {
    const { version } = readPackage();
    progress(`bringing the project to Edgewise ${version} …`);
    const written = await generate(root, { allowDrop, name: `edgewise ${version}`, target });
    for (const path of written) progress(`wrote ${path}`);
  }
  if (target.remote) return whileClaimed(target, 'migrate', () => migrateDeployed(root, target, allowDrop));
  progress(applyingText(target));
  if (isFollowed(root, target, allowDrop)) return tellUnfinished(target);
  // Opens the database once: that takes a process of its own.
  await withStorage(root, target, async ({ db }) => {
    if (!(await catchUpDatabase(root, db, allowDrop))) reportMigrated(await applyDue(root, db), target);
    reportInterrupted(await runBatch(db, INTERRUPTED_SQL));
  });
}

const lines = (what: string, names: readonly string[]): readonly string[] => names.map((name) => `  ${what} ${name}`);

/** @throws UserError after the status: for a database that the migrations did not make, and for pending ones */
export async function printStatus(root: string, target: Target, json: boolean): Promise<void> {
  const { migrations } = readFolder(root);
  const history = hasDatabase(root, target)
    ? await readHistory(migrations, (statements) => executeSql(statements, target))
    : historyOf(migrations);
  const { foreign: unknown } = history;
  const pending = history.pending.map(({ name }) => name);
  const applied = migrations.map(({ name }) => name).filter((name) => !pending.includes(name));
  const database = databaseName(target);
  if (json) printJson({ database, applied, pending, unknown });
  else {
    print(`${database}: ${counted(applied.length, 'migration')} applied, ${pending.length} pending`);
    const unknownLines = unknown.map((name) => `  unknown ${name} (not in ${MIGRATIONS}/)`);
    for (const line of [...lines('applied', applied), ...unknownLines, ...lines('pending', pending)]) print(line);
  }
  checkHistory(history, target);
  if (pending.length > 0)
    throw new UserError(['To apply what is pending: npx edgewise migrate', ...targetOptions(target)].join(' '));
}
