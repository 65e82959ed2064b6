/**
 * @module The migrations that a database has, and whether the files were changed since they were applied.
 */
import { sha256 } from '../../digest.ts';
import { MIGRATION_TABLE } from '../../registry/names.ts';
import type { Row } from '../../sql/statement.ts';
import { D1_MIGRATIONS, type Run } from '../core/sql/database.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import type { Migration } from './migration-files.ts';

export interface History {
  /** Names, in the order in which they were applied. */
  readonly applied: readonly string[];
  /** name → checksum, of those that were noted. */
  readonly checksums: ReadonlyMap<string, string>;
}

const CHECKSUMS = identifier(MIGRATION_TABLE);
const APPLIED = identifier(D1_MIGRATIONS);
const NAMES = `SELECT "name" FROM ${APPLIED} ORDER BY "id"`;
const BOTH = `SELECT "own"."name", "noted"."checksum" FROM ${APPLIED} AS "own" LEFT JOIN ${CHECKSUMS} AS "noted" ON "noted"."name" = "own"."name" ORDER BY "own"."id"`;

const lacksTable = (error: unknown, table: string): boolean =>
  error instanceof Error && error.message.includes(`no such table: ${table}`);

const historyOf = (rows: readonly Row[]): History => ({
  applied: rows.map(({ name }) => String(name)),
  checksums: new Map(rows.flatMap(({ name, checksum }) => (checksum ? [[String(name), String(checksum)]] : []))),
});

/** Reads the migrations of a database; none if it was never migrated. */
export async function readHistory(run: Run): Promise<History> {
  try {
    const [rows = []] = await run([BOTH]);
    return historyOf(rows);
  } catch (error) {
    if (lacksTable(error, D1_MIGRATIONS)) return historyOf([]);
    if (!lacksTable(error, MIGRATION_TABLE)) throw error;
    // wrangler creates its table even if it applies nothing.
    const [rows = []] = await run([NAMES]);
    return historyOf(rows);
  }
}

/** Ignores line ends, since version control may change them. */
const checksumOf = ({ text }: Migration): string => sha256(text.replaceAll('\r\n', '\n'));

export const pendingOf = (migrations: readonly Migration[], { applied }: History): readonly Migration[] =>
  migrations.filter(({ name }) => !applied.includes(name));

const START_OVER = 'Or start over with an empty local database: stop the server and delete .wrangler/state';

/** A migration that every database from before the first release has. */
const UNRELEASED = '0006_link_versions.sql';

/**
 * @param applied of a database or a backup.
 * @throws UserError for one from before the first release, whose migrations this version does not have.
 */
export function assertReleased(applied: readonly string[], names: readonly string[], what: string): void {
  if (!applied.includes(UNRELEASED) || names.includes(UNRELEASED)) return;
  throw new UserError(
    `The ${what} was made by a version from before the first release: export its content with that version (npm run export), then import the archive into an empty database here (npm run import -- <archive>; a local one is empty without .wrangler/state)`,
  );
}

/** @throws UserError that names each migration which differs from the one that was applied. */
export function checkHistory(migrations: readonly Migration[], history: History, target: Target): void {
  const { applied, checksums } = history;
  const names = migrations.map(({ name }) => name);
  assertReleased(applied, names, databaseName(target));
  const last = migrations.findLastIndex(({ name }) => applied.includes(name));
  const gone = applied.filter((name) => !names.includes(name)).map((name) => `${name}: was applied, and is missing`);
  const edited = migrations
    .filter((migration) => (checksums.get(migration.name) ?? checksumOf(migration)) !== checksumOf(migration))
    .map(({ name }) => `${name}: was changed after it was applied`);
  const late = migrations
    .slice(0, Math.max(last, 0))
    .filter(({ name }) => !applied.includes(name))
    .map(({ name }) => `${name}: comes before ${names[last]}, which was applied without it`);
  const problems = [...gone, ...edited, ...late];
  if (problems.length === 0) return;
  throw new UserError(
    [
      `The ${databaseName(target)} does not match the migrations in drizzle/:`,
      ...problems.map((problem) => `  drizzle/${problem}`),
      'Nothing was changed. Restore the files from version control; a change needs a new migration with the next number.',
      ...(target.remote ? [] : [START_OVER]),
    ].join('\n'),
  );
}

/** The statement that notes the checksums of migrations. */
function noteSql(migrations: readonly Migration[]): string {
  const rows = migrations.map((migration) => `(${literal(migration.name)}, ${literal(checksumOf(migration))})`);
  return `INSERT OR IGNORE INTO ${CHECKSUMS} ("name", "checksum") VALUES ${rows.join(', ')}`;
}

/** The text to apply: the migration, and in the same transaction its checksum and those of the migrations before it. */
export const notingChecksums = (migration: Migration, all: readonly Migration[]): string =>
  `${migration.text.trimEnd()}\n${noteSql(all.slice(0, all.indexOf(migration) + 1))};\n`;

/** The statements that note the checksums of migrations which were applied without Edgewise. */
export function missingNotes(migrations: readonly Migration[], { applied, checksums }: History): readonly string[] {
  const missing = migrations.filter(({ name }) => applied.includes(name) && !checksums.has(name));
  return missing.length > 0 ? [noteSql(missing)] : [];
}
