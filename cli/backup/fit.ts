/**
 * @module Checks that a backup fits the project: its migrations must be the first ones of the project, and its columns
 * those that these migrations make. So a restore runs SQL of the project; a backup contributes names and values alone.
 */
import type { Row } from '../../src/sql/statement.ts';
import { D1_MIGRATIONS } from '../core/sql/database.ts';
import { UserError } from '../core/terminal.ts';
import { D1_MIGRATIONS_SQL } from '../migrations/apply.ts';
import { assertReleased } from '../migrations/history.ts';
import { MIGRATIONS, migrationNames, readMigrations } from '../migrations/migration-files.ts';
import { replayed } from '../migrations/replay.ts';
import type { Manifest } from './backup-file.ts';
import { SCHEMA_SQL, type SchemaEntry, schemaOf } from './schema.ts';

/** Columns are written as `articles.title text`. */
const columnText = (table: string, name: unknown, type: unknown): string =>
  `${table}.${name} ${String(type).toLowerCase()}`;

const COLUMNS_SQL = `select m."name" as "table", c."name", c."type" from sqlite_master as m, pragma_table_info(m."name") as c`;

/** @throws UserError for a migration that fails. */
function schemaAfter(root: string, names: readonly string[]) {
  const migrations = readMigrations(root).filter(({ name }) => names.includes(name));
  const db = replayed([{ name: D1_MIGRATIONS, text: D1_MIGRATIONS_SQL }, ...migrations]);
  try {
    const schema = schemaOf(db.prepare(SCHEMA_SQL).all() as unknown as readonly SchemaEntry[]);
    const isOurs = ({ table }: Row) => schema.tables.some(({ name }) => name === table);
    const columns = (db.prepare(COLUMNS_SQL).all() as readonly Row[]).filter(isOurs);
    return { schema, columns: columns.map(({ table, name, type }) => columnText(String(table), name, type)) };
  } finally {
    db.close();
  }
}

function assertMigrations({ migrations }: Manifest, known: readonly string[]): void {
  const foreign = migrations.filter((name) => !known.includes(name));
  assertReleased(foreign, 'backup');
  const unexpected = migrations.find((name, index) => known[index] !== name);
  if (unexpected === undefined) return;
  throw new UserError(
    known.includes(unexpected)
      ? `The backup has the migrations of ${MIGRATIONS}/ in another order, from ${unexpected} on: it is from another project`
      : `The backup has a migration that ${MIGRATIONS}/ lacks: ${unexpected}. It is from a later state of the project, or from another one: restore it there`,
  );
}

const MAX_DIFFERENCES = 10;

function assertColumns({ tables }: Manifest, declared: readonly string[]): void {
  const stored = tables.flatMap(({ name, columns, types }) =>
    columns.map((column, index) => columnText(name, column, types[index])),
  );
  const differences = [
    ...declared.filter((column) => !stored.includes(column)).map((column) => `  it lacks ${column}`),
    ...stored.filter((column) => !declared.includes(column)).map((column) => `  the project lacks ${column}`),
  ];
  if (differences.length === 0) return;
  const more = differences.length > MAX_DIFFERENCES ? [`  and ${differences.length - MAX_DIFFERENCES} more`] : [];
  const lines = ['The backup is from other content types:', ...differences.slice(0, MAX_DIFFERENCES), ...more];
  throw new UserError(lines.join('\n'));
}

/** @throws UserError for a backup of a later state, or of other content types. */
export function assertFits(root: string, manifest: Manifest) {
  const known = migrationNames(root);
  assertMigrations(manifest, known);
  const { schema, columns } = schemaAfter(root, manifest.migrations);
  assertColumns(manifest, columns);
  const made = new Set(schema.rest.map(({ sql }) => sql));
  return {
    /** Migrations that the project has and the backup does not. */
    due: known.slice(manifest.migrations.length),
    /** The tables that the migrations of the backup make. */
    schema,
    /** Indexes, triggers and views that no migration makes, as SQL that is never executed. */
    leftOut: manifest.rest.filter((sql) => !made.has(sql)),
  };
}
