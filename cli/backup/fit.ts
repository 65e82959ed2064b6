/**
 * @module Checks that a backup fits the project: its migrations must be the first ones of the project, and its columns
 * those that these migrations make. So a restore runs SQL of the project; a backup contributes names and values alone.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Row } from '../../src/sql/statement.ts';
import { copiesIn } from '../core/sql/copies.ts';
import { D1_MIGRATIONS } from '../core/sql/database.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { openUntrusted } from '../core/sql/sqlite.ts';
import { UserError } from '../core/terminal.ts';
import { D1_MIGRATIONS_SQL } from '../migrations/apply.ts';
import { MIGRATIONS, migrationNames, readMigrations } from '../migrations/migration-files.ts';
import { replayed } from '../migrations/replay.ts';
import { SCHEMA_SQL, type SchemaEntry, sortSchema, stagingName } from './schema.ts';

const rowsOf = <T = Row>(db: DatabaseSync, sql: string): readonly T[] => db.prepare(sql).all() as T[];

/** Opens the database of a backup. @throws UserError for one that is damaged, or has more than copied tables. */
function openRows(file: string, path: string) {
  try {
    const rows = copiesIn(openUntrusted(file));
    const isWhole = () => rowsOf(rows.db, 'pragma quick_check(1)')[0]?.quick_check === 'ok';
    if (rows.areAll() && rows.columnsIn(D1_MIGRATIONS).length > 0 && isWhole()) return rows;
  } catch {
    // SQLite says no more than that it is damaged.
  }
  throw new UserError(`${path} is damaged: its database is none that a backup writes. Nothing was changed`);
}

const COLUMNS_SQL = `select m."name" as "table", m."name" || '.' || c."name" || ' ' || lower(c."type") as "column"
  from sqlite_master as m, pragma_table_info(m."name") as c`;

/** Returns the tables that migrations make, as SQL of the project. Columns are written as `articles.title text`. */
function schemaAfter(root: string, names: readonly string[]) {
  const migrations = readMigrations(root).filter(({ name }) => names.includes(name));
  const db = replayed([{ name: D1_MIGRATIONS, text: D1_MIGRATIONS_SQL }, ...migrations]);
  const entries = () => rowsOf<SchemaEntry>(db, SCHEMA_SQL);
  const sorted = sortSchema(entries());
  const [tables, searches] = [sorted.tables, sorted.virtual].map((some) => some.map(({ name }) => name)) as [
    string[],
    string[],
  ];
  const columns = rowsOf(db, COLUMNS_SQL).filter(({ table }) => tables.includes(String(table)));
  for (const name of [...tables, ...searches])
    db.exec(`alter table ${identifier(name)} rename to ${identifier(stagingName(name))}`);
  const staging = [...tables, ...searches].map(stagingName);
  const triggers = searches.map((name) => `${name}_insert`);
  return {
    columns: columns.map(({ column }) => column),
    tables,
    searches,
    /** Of indexes, triggers and views. */
    rest: sorted.rest.map(({ sql }) => sql),
    /** Of staging tables, and of triggers that fill their search indexes. */
    staging: [
      ...entries()
        .filter(({ name }) => staging.includes(name))
        .map(({ sql }) => sql),
      ...entries()
        .filter(({ name }) => triggers.includes(name))
        .map(({ name, sql }) => sql.replace(identifier(name), identifier(stagingName(name)))),
    ],
    triggers: triggers.map(stagingName),
  };
}

export type Schema = ReturnType<typeof schemaAfter>;

function assertMigrations(migrations: readonly string[], known: readonly string[]): void {
  const unexpected = migrations.find((name, index) => known[index] !== name);
  if (unexpected === undefined) return;
  throw new UserError(
    known.includes(unexpected)
      ? `The backup has the migrations of ${MIGRATIONS}/ in another order, from ${unexpected} on: it is from another project`
      : `The backup has a migration that ${MIGRATIONS}/ lacks: ${unexpected}. It is from a later state of the project, or from another one: restore it there`,
  );
}

const MAX_DIFFERENCES = 10;

function assertColumns(stored: readonly unknown[], declared: readonly unknown[]): void {
  const differences = [
    ...declared.filter((column) => !stored.includes(column)).map((column) => `  it lacks ${column}`),
    ...stored.filter((column) => !declared.includes(column)).map((column) => `  the project lacks ${column}`),
  ];
  if (differences.length === 0) return;
  const more = differences.length > MAX_DIFFERENCES ? [`  and ${differences.length - MAX_DIFFERENCES} more`] : [];
  throw new UserError('The backup is from other content types:', ...differences.slice(0, MAX_DIFFERENCES), ...more);
}

/**
 * @param file of the database, in the backup at `path`.
 * @throws UserError for a backup that is damaged, of a later state, or of other content types.
 */
export function openFitting(root: string, file: string, path: string) {
  const rows = openRows(file, path);
  const noted = Array.from(rows.rows(D1_MIGRATIONS), ({ name }) => String(name));
  const known = migrationNames(root);
  assertMigrations(noted, known);
  const schema = schemaAfter(root, known.slice(0, noted.length));
  assertColumns(
    rowsOf(rows.db, COLUMNS_SQL).map(({ column }) => column),
    schema.columns,
  );
  return {
    rows,
    /** Migrations that the project has and the backup does not. */
    due: known.slice(noted.length),
    /** The tables that the migrations of the backup make. */
    schema,
  };
}
