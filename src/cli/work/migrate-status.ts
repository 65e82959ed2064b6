/**
 * @module What `edgewise migrate --status` does: it compares the migrations of the project with those of a database.
 */
import { counted } from '../core/counted.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { hasDatabase } from '../core/storage/state-folder.ts';
import { print, printJson } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import { checkHistory, type History, pendingOf, readHistory } from '../migrations/history.ts';
import { MIGRATIONS, readMigrations } from '../migrations/migration-files.ts';
import { untilSettled } from '../project/project-lock.ts';

const lines = (what: string, names: readonly string[]): readonly string[] => names.map((name) => `  ${what} ${name}`);

/** @throws UserError where the database was not made by the migrations, after the status. */
export async function printStatus(root: string, target: Target, json: boolean): Promise<void> {
  await untilSettled(root, 'npm run migrate');
  const migrations = readMigrations(root);
  const history: History = hasDatabase(root, target)
    ? await readHistory((statements) => executeSql(statements, target))
    : { applied: [], checksums: new Map() };
  const names = migrations.map(({ name }) => name);
  const applied = names.filter((name) => history.applied.includes(name));
  const pending = pendingOf(migrations, history).map(({ name }) => name);
  const unknown = history.applied.filter((name) => !names.includes(name));
  const database = databaseName(target);
  if (json) printJson({ database, applied, pending, unknown });
  else {
    print(`${database}: ${counted(applied.length, 'migration')} applied, ${pending.length} pending`);
    const unknownLines = unknown.map((name) => `  unknown ${name} (not in ${MIGRATIONS}/)`);
    for (const line of [...lines('applied', applied), ...unknownLines, ...lines('pending', pending)]) print(line);
  }
  checkHistory(migrations, history, target);
}
