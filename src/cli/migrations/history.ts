/**
 * @module Which migrations a database has, and whether they still are what they were when it got them.
 */
import { sha256 } from '../../digest.ts';
import { MIGRATION_TABLE } from '../../registry/names.ts';
import { executeSql } from '../platform/execute-sql.ts';
import { databaseName, type Target, type Wrangler } from '../platform/wrangler.ts';
import { UserError } from '../terminal.ts';
import { identifier, literal } from './sql-text.ts';
import type { Migration } from './when.ts';

export interface History {
  /** Names, in the order in which they were applied. */
  readonly applied: readonly string[];
  /** name → checksum, of those that were noted; undefined: the database has no table for them yet. */
  readonly checksums: ReadonlyMap<string, string> | undefined;
}

const CHECKSUMS = identifier(MIGRATION_TABLE);
const NAMES = 'SELECT "name" FROM "d1_migrations" ORDER BY "id"';
const BOTH = `SELECT "own"."name", "noted"."checksum" FROM "d1_migrations" AS "own" LEFT JOIN ${CHECKSUMS} AS "noted" ON "noted"."name" = "own"."name" ORDER BY "own"."id"`;

const lacksTable = (error: unknown, table: string): boolean =>
  error instanceof UserError && error.message.includes(`no such table: ${table}`);

const nameOf = ({ name }: Readonly<Record<string, unknown>>): string => String(name);

/** What a database has; nothing, if it was never migrated. */
export async function readHistory(target: Target, execute: Wrangler): Promise<History> {
  try {
    const [rows = []] = await executeSql([BOTH], target, execute);
    const noted = rows.filter(({ checksum }) => checksum !== null);
    return { applied: rows.map(nameOf), checksums: new Map(noted.map((row) => [nameOf(row), String(row.checksum)])) };
  } catch (error) {
    if (lacksTable(error, 'd1_migrations')) return { applied: [], checksums: undefined };
    if (!lacksTable(error, MIGRATION_TABLE)) throw error;
    const [rows = []] = await executeSql([NAMES], target, execute);
    return { applied: rows.map(nameOf), checksums: undefined };
  }
}

/** Line ends do not count, since version control may change them. */
const checksumOf = ({ text }: Migration): string => sha256(text.replaceAll('\r\n', '\n'));

export const pendingOf = (migrations: readonly Migration[], { applied }: History): readonly Migration[] =>
  migrations.filter(({ name }) => !applied.includes(name));

/** What is wrong with the migrations, for a database with this history. */
function historyProblems(migrations: readonly Migration[], { applied, checksums }: History): readonly string[] {
  const names = migrations.map(({ name }) => name);
  const last = migrations.findLastIndex(({ name }) => applied.includes(name));
  const gone = applied.filter((name) => !names.includes(name)).map((name) => `${name}: was applied, and is not there`);
  const edited = migrations
    .filter((migration) => (checksums?.get(migration.name) ?? checksumOf(migration)) !== checksumOf(migration))
    .map(({ name }) => `${name}: was changed after it was applied`);
  const late = migrations
    .slice(0, Math.max(last, 0))
    .filter(({ name }) => !applied.includes(name))
    .map(({ name }) => `${name}: comes before ${names[last]}, which was applied without it`);
  return [...gone, ...edited, ...late];
}

/** @throws UserError that names each migration which is not what the database has. */
export function checkHistory(migrations: readonly Migration[], history: History, target: Target): void {
  const problems = historyProblems(migrations, history);
  if (problems.length === 0) return;
  throw new UserError(
    [
      `The ${databaseName(target)} was not made by the migrations in drizzle/:`,
      ...problems.map((problem) => `  drizzle/${problem}`),
      'Nothing was changed. Bring the files back from version control; what is new needs a migration with the next number.',
      ...(target.remote
        ? []
        : ['Or start over with an empty local database: stop the server and delete .wrangler/state']),
    ].join('\n'),
  );
}

/** The statement that notes the checksums of migrations. */
const noteSql = (migrations: readonly Migration[]): string =>
  `INSERT OR IGNORE INTO ${CHECKSUMS} ("name", "checksum") VALUES ${migrations
    .map((migration) => `(${literal(migration.name)}, ${literal(checksumOf(migration))})`)
    .join(', ')}`;

const makesTable = ({ text }: Migration): boolean => text.includes(`CREATE TABLE \`${MIGRATION_TABLE}\``);

/**
 * The migration as it is applied: as soon as there is a table for them, it notes its checksum and those of the migrations
 * before it, in the same transaction.
 */
export function notingChecksums(migration: Migration, all: readonly Migration[], history: History): string {
  const until = all.slice(0, all.indexOf(migration) + 1);
  if (!history.checksums && !until.some(makesTable)) return migration.text;
  return `${migration.text.trimEnd()}\n${noteSql(until)};\n`;
}

/** What notes the checksums of migrations that were applied without Edgewise; nothing where there are none. */
export function missingNotes(migrations: readonly Migration[], { applied, checksums }: History): readonly string[] {
  const missing = migrations.filter(({ name }) => applied.includes(name) && checksums?.has(name) === false);
  return missing.length > 0 ? [noteSql(missing)] : [];
}
