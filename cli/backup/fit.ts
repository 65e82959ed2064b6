/**
 * @module Checks that a backup fits the project: its migrations must be the first ones of the project, and its columns
 * those that these migrations make. So a restore runs SQL of the project; a backup contributes names and values alone.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Row } from '../../src/content/sql/statement.ts';
import { STAMP_TABLE } from '../../src/schema/names.ts';
import { copiesIn } from '../core/sql/copies.ts';
import { D1_MIGRATIONS } from '../core/sql/database.ts';
import { fenceIn, fencesOf, READ_FENCE } from '../core/sql/fence.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { openUntrusted } from '../core/sql/sqlite.ts';
import { UserError } from '../core/terminal.ts';
import { D1_MIGRATIONS_SQL } from '../migrations/apply.ts';
import { MIGRATIONS, migrationNames, readMigrations } from '../migrations/migration-files.ts';
import { replayed } from '../migrations/replay.ts';
import { assertRows, tableRules } from './rows-fit.ts';
import { SCHEMA_SQL, type SchemaEntry, sortSchema, stagingName } from './schema.ts';

/** Opens the database of a backup. @throws UserError for one that is damaged, or has more than copied tables. */
function openRows(file: string, path: string) {
  try {
    const rows = copiesIn(openUntrusted(file));
    const isWhole = () => rows.db.prepare('pragma quick_check(1)').get()?.quick_check === 'ok';
    if (rows.isPlain() && rows.columnsIn(D1_MIGRATIONS).length > 0 && isWhole()) return rows;
  } catch {
    // SQLite says no more than that it is damaged.
  }
  throw new UserError(`${path} is damaged: no backup writes such a database. Nothing was changed`);
}

/** Columns are written as `articles.title text`. */
function schemaIn(db: DatabaseSync) {
  const entries = db.prepare(SCHEMA_SQL).all() as unknown as readonly SchemaEntry[];
  const { columnsIn } = copiesIn(db);
  const sorted = sortSchema(entries);
  const columns = sorted.tables.flatMap((table) =>
    columnsIn(table).map(([name, type]) => `${table}.${name} ${type.toLowerCase()}`),
  );
  return { ...sorted, columns, sqls: new Map(entries.map(({ name, sql }) => [name, sql])) };
}

/** The tables that migrations make, as SQL of the project. */
function schemaAfter(root: string, names: readonly string[]) {
  const migrations = readMigrations(root).filter(({ name }) => names.includes(name));
  const db = replayed([{ name: D1_MIGRATIONS, text: D1_MIGRATIONS_SQL }, ...migrations]);
  const { tables, virtual, rest, columns } = schemaIn(db);
  const rules = tableRules(db, tables);
  const renamed = [...tables, ...virtual];
  for (const name of renamed) db.exec(`alter table ${identifier(name)} rename to ${identifier(stagingName(name))}`);
  const { sqls } = schemaIn(db);
  const fillers = virtual.map((name) => `${name}_insert`);
  return {
    tables,
    columns,
    rules,
    /** SQL of indexes, triggers and views. */
    rest: rest.map(({ sql }) => sql),
    /** Creates staging tables, and triggers that fill their search indexes. */
    staging: [
      ...renamed.map((name) => sqls.get(stagingName(name)) ?? ''),
      ...fillers.map((name) => sqls.get(name)?.replace(identifier(name), identifier(stagingName(name))) ?? ''),
    ],
    /** Gives staging tables their names. */
    renaming: [
      ...fillers.map((name) => `drop trigger ${identifier(stagingName(name))}`),
      ...renamed.map((name) => `alter table ${identifier(stagingName(name))} rename to ${identifier(name)}`),
    ],
  };
}

function assertMigrations(migrations: readonly string[], known: readonly string[]): void {
  const unexpected = migrations.find((name, index) => known[index] !== name);
  if (unexpected === undefined) return;
  throw new UserError(
    known.includes(unexpected)
      ? `The backup has the migrations of ${MIGRATIONS}/ in another order, from ${unexpected} on: it is from another project`
      : `The backup has a migration that ${MIGRATIONS}/ lacks: ${unexpected}. It is from a later state of the project, or from another one: restore it there`,
  );
}

/** @throws UserError for a fence that no migration sets, such as that of a save of `npm run dev`: the Worker would not know it. */
function assertFence(root: string, rows: ReturnType<typeof copiesIn>): void {
  const hasStamps = rows.columnsIn(STAMP_TABLE).length > 0;
  const fence = hasStamps ? fenceIn([rows.db.prepare(READ_FENCE).all() as readonly Row[]]) : undefined;
  if (!fence || fencesOf(readMigrations(root)).includes(fence)) return;
  throw new UserError(
    `The backup has the fence ${fence}, which no migration in ${MIGRATIONS}/ sets: it is of another checkout, or of a save of npm run dev`,
  );
}

function assertColumns(stored: readonly string[], declared: readonly string[]): void {
  const differences = [
    ...declared.filter((column) => !stored.includes(column)).map((column) => `  it lacks ${column}`),
    ...stored.filter((column) => !declared.includes(column)).map((column) => `  the project lacks ${column}`),
  ];
  if (differences.length > 10) differences.splice(10, Infinity, `  and ${differences.length - 10} more`);
  if (differences.length > 0) throw new UserError('The backup is from other content types:', ...differences);
}

/**
 * @param file of the database, in the backup at `path`.
 * @throws UserError for a backup that is damaged, of a later state, of other content types, or with rows that have no place.
 */
export function openFitting(root: string, file: string, path: string) {
  const rows = openRows(file, path);
  const noted = Array.from(rows.rows(D1_MIGRATIONS), ({ name }) => String(name));
  const known = migrationNames(root);
  assertMigrations(noted, known);
  const schema = schemaAfter(root, known.slice(0, noted.length));
  assertColumns(schemaIn(rows.db).columns, schema.columns);
  assertRows(rows, schema.rules, path);
  assertFence(root, rows);
  return {
    rows,
    /** Migrations that the project has and the backup does not. */
    due: known.slice(noted.length),
    /** The tables that the migrations of the backup make. */
    schema,
  };
}
