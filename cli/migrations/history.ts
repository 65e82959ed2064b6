/**
 * @module The migrations that a database has, and whether the files were changed since they were applied.
 */
import { sha256 } from '../../src/common/digest.ts';
import type { Results, Row } from '../../src/content/sql/statement.ts';
import { MIGRATION_TABLE } from '../../src/schema/names.ts';
import { D1_MIGRATIONS, keepingFence } from '../core/sql/database.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import type { Run } from '../core/sql/statements.ts';
import { UserError } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import type { Migration } from './migration-files.ts';

/** The migrations of a project, and which of them a database has. */
export interface History {
  readonly migrations: readonly Migration[];
  /** Names of those that the database has, in the order in which they were applied. */
  readonly applied: readonly string[];
  /** name → checksum, of those that were noted. */
  readonly checksums: ReadonlyMap<string, string>;
  /** Those that the database lacks, in order. */
  readonly pending: readonly Migration[];
  /** Names of those that the project lacks: made on another branch. */
  readonly foreign: readonly string[];
}

const CHECKSUMS = identifier(MIGRATION_TABLE);
const APPLIED = identifier(D1_MIGRATIONS);
const NAMES = `SELECT "name" FROM ${APPLIED} ORDER BY "id"`;
const BOTH = `SELECT "own"."name", "noted"."checksum" FROM ${APPLIED} AS "own" LEFT JOIN ${CHECKSUMS} AS "noted" ON "noted"."name" = "own"."name" ORDER BY "own"."id"`;

/** @param rows of the migrations that the database has: `name`, and `checksum` if it was noted. */
export function historyOf(migrations: readonly Migration[], rows: readonly Row[] = []): History {
  const applied = rows.map(({ name }) => String(name));
  return {
    ...{ migrations, applied },
    checksums: new Map(rows.flatMap(({ name, checksum }) => (checksum ? [[String(name), String(checksum)]] : []))),
    pending: migrations.filter(({ name }) => !applied.includes(name)),
    foreign: applied.filter((name) => !migrations.some((migration) => migration.name === name)),
  };
}

async function appliedRows(run: Run): Promise<Results> {
  try {
    return await run([BOTH]);
  } catch (error) {
    const lacks = (table: string) => error instanceof Error && error.message.includes(`no such table: ${table}`);
    if (lacks(D1_MIGRATIONS)) return [];
    // wrangler creates its table even if it applies nothing.
    if (lacks(MIGRATION_TABLE)) return run([NAMES]);
    throw error;
  }
}

/** Reads the migrations of a database; none if it was never migrated. */
export async function readHistory(migrations: readonly Migration[], run: Run): Promise<History> {
  const [rows] = await appliedRows(run);
  return historyOf(migrations, rows);
}

/** Ignores line ends, since version control may change them. */
const checksumOf = ({ text }: Migration): string => sha256(text.replaceAll('\r\n', '\n'));

const START_OVER = 'Or start over with an empty local database: stop the server and delete .wrangler/state';

/** A migration that every database from before the first release has. */
const UNRELEASED = '0006_link_versions.sql';

/** @param foreign migrations that the project lacks. @throws UserError for those from before the first release. */
export function assertReleased(foreign: readonly string[], what: string): void {
  if (!foreign.includes(UNRELEASED)) return;
  throw new UserError(
    `The ${what} was made by a version from before the first release: export its content with that version (npx edgewise export), then import the archive into an empty database here (npx edgewise import <archive>; a local one is empty without .wrangler/state)`,
  );
}

/** @throws UserError that names each migration which differs from the one that was applied. */
export function checkHistory({ migrations, checksums, pending, foreign }: History, target: Target): void {
  assertReleased(foreign, databaseName(target));
  const last = migrations.findLastIndex((migration) => !pending.includes(migration));
  const noted = (migration: Migration): string => checksums.get(migration.name) ?? checksumOf(migration);
  const edited = migrations.filter((migration) => noted(migration) !== checksumOf(migration));
  const late = migrations.slice(0, Math.max(last, 0)).filter((migration) => pending.includes(migration));
  const problems = [
    ...foreign.map((name) => `${name}: was applied, and is missing`),
    ...edited.map(({ name }) => `${name}: was changed after it was applied`),
    ...late.map(({ name }) => `${name}: comes before ${migrations[last]?.name}, which was applied without it`),
  ];
  if (problems.length === 0) return;
  throw new UserError(
    `The ${databaseName(target)} does not match the migrations in drizzle/:`,
    ...problems.map((problem) => `  drizzle/${problem}`),
    'Nothing was changed. Restore the files from version control; a change needs a new migration with the next number.',
    ...(target.remote ? [] : [START_OVER]),
  );
}

function noteSql(migrations: readonly Migration[]): string {
  const rows = migrations.map((migration) => `(${literal(migration.name)}, ${literal(checksumOf(migration))})`);
  return `INSERT OR IGNORE INTO ${CHECKSUMS} ("name", "checksum") VALUES ${rows.join(', ')}`;
}

/** The text to apply: the migration, which keeps the fence, and in the same transaction its checksum and those of the migrations before it. */
export const notingChecksums = (migration: Migration, { migrations }: History): string =>
  `${keepingFence(migration.text.trimEnd())}\n${noteSql(migrations.slice(0, migrations.indexOf(migration) + 1))};\n`;

/** The statements that note the checksums of migrations which were applied without Edgewise, if none is pending. */
export function missingNotes({ migrations, checksums, pending }: History): readonly string[] {
  const missing = migrations.filter(({ name }) => !checksums.has(name));
  return pending.length === 0 && missing.length > 0 ? [noteSql(missing)] : [];
}
