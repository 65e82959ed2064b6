/**
 * @module Does a backup fit the project? Its migrations must be the first ones of the project, and its tables those that
 * these migrations make. So the statements of a restore are those of the project; a backup brings names and values alone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../core/sql/memory-database.ts';
import { UserError } from '../core/terminal.ts';
import { D1_MIGRATIONS_SQL } from '../migrations/applied.ts';
import { assertReleased } from '../migrations/history.ts';
import { MIGRATIONS, migrationNames } from '../migrations/migration-files.ts';
import { type HandMade, handMade } from './hand-made.ts';
import type { Manifest } from './manifest.ts';
import { type Noted, SCHEMA_SQL, type Schema, schemaOf } from './schema.ts';

export interface Fitting extends HandMade {
  /** Migrations that the project has and the backup does not. */
  readonly due: readonly string[];
  /** The tables that the migrations of the backup make. */
  readonly schema: Schema;
}

interface Tables {
  readonly schema: Schema;
  /** `articles.title` → `text`, of every column. */
  readonly columns: ReadonlyMap<string, string>;
}

function columnsOf(db: DatabaseSync, { tables }: Schema): ReadonlyMap<string, string> {
  const statement = db.prepare('select "name", "type" from pragma_table_info(?)');
  return new Map(
    tables.flatMap((table) =>
      statement.all(table.name).map(({ name, type }) => [`${table.name}.${name}`, String(type).toLowerCase()] as const),
    ),
  );
}

/** The tables that migrations of the project make. @throws UserError for one that cannot be run. */
function tablesAfter(root: string, migrations: readonly string[]): Tables {
  const db = openMemory();
  try {
    db.exec(D1_MIGRATIONS_SQL);
    for (const name of migrations)
      try {
        db.exec(readFileSync(join(root, MIGRATIONS, name), 'utf8'));
      } catch (error) {
        throw new UserError(`${MIGRATIONS}/${name} cannot be run: ${(error as Error).message}`);
      }
    const schema = schemaOf(db.prepare(SCHEMA_SQL).all() as unknown as readonly Noted[]);
    return { schema, columns: columnsOf(db, schema) };
  } finally {
    db.close();
  }
}

function assertMigrations({ migrations }: Manifest, known: readonly string[]): void {
  assertReleased(migrations, known, 'backup');
  const strange = migrations.find((name, index) => known[index] !== name);
  if (strange === undefined) return;
  throw new UserError(
    known.includes(strange)
      ? `The backup has the migrations of ${MIGRATIONS}/ in another order, from ${strange} on: it is that of another project`
      : `The backup has a migration that ${MIGRATIONS}/ does not: ${strange}. It was made by a later state of the project, or by another one: restore it there`,
  );
}

const listed = (names: readonly string[]): string =>
  names
    .slice(0, 10)
    .map((name) => `\n  ${name}`)
    .join('') + (names.length > 10 ? `\n  and ${names.length - 10} more` : '');

function assertColumns({ tables }: Manifest, wanted: ReadonlyMap<string, string>): void {
  const stated: readonly (readonly [string, string])[] = tables.flatMap(({ name, columns, types }) =>
    columns.map((column, index) => [`${name}.${column}`, types[index]?.toLowerCase() ?? ''] as const),
  );
  const there = new Map(stated);
  const text = ([name, type]: readonly [string, string]) => `${name} ${type}`;
  const lacking = [...wanted].filter(([name, type]) => there.get(name) !== type);
  const strange = stated.filter(([name, type]) => wanted.get(name) !== type);
  const lines = [
    ...(lacking.length > 0 ? [`It lacks:${listed(lacking.map(text))}`] : []),
    ...(strange.length > 0 ? [`The project has no place for:${listed(strange.map(text))}`] : []),
    ...(stated.length > there.size ? ['It has columns twice.'] : []),
  ];
  if (lines.length > 0) throw new UserError(['The backup is that of other content types.', ...lines].join('\n'));
}

/**
 * @returns what a restore makes, none of it in the words of the backup.
 * @throws UserError for a backup of a later state, or of other content types.
 */
export function assertFits(root: string, manifest: Manifest): Fitting {
  const known = migrationNames(root);
  assertMigrations(manifest, known);
  const { schema, columns } = tablesAfter(root, manifest.migrations);
  assertColumns(manifest, columns);
  return { due: known.slice(manifest.migrations.length), schema, ...handMade(manifest, schema) };
}
