/**
 * @module Does a backup fit the project? Its migrations must be the first ones of the project, and its tables, with the
 * migrations that came later, those that the project's content types ask for.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS, migrationNames } from '../migrations/migration-files.ts';
import { UserError } from '../terminal.ts';
import type { Manifest } from './manifest.ts';
import { MIGRATION_TABLE } from './schema.ts';

const COLUMNS_SQL = `select t."name" || '.' || c."name" || ' ' || lower(c."type") as "column" from pragma_table_list t, pragma_table_xinfo(t."name") c
  where t."schema" = 'main' and t."type" = 'table' and t."name" not like 'sqlite%' and t."name" <> '${MIGRATION_TABLE}'`;

/** `articles.title text` of every column. */
function columnsAfter(statements: readonly string[]): ReadonlySet<string> {
  const db = new DatabaseSync(':memory:');
  try {
    for (const statement of statements) db.exec(statement);
    return new Set(
      db
        .prepare(COLUMNS_SQL)
        .all()
        .map(({ column }) => String(column)),
    );
  } finally {
    db.close();
  }
}

function assertMigrations({ migrations }: Manifest, known: readonly string[]): void {
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

/**
 * @returns the migrations that are due after the restore.
 * @throws UserError for a backup of a later state, or of other content types.
 */
export function assertFits(root: string, manifest: Manifest): readonly string[] {
  const known = migrationNames(root);
  assertMigrations(manifest, known);
  const textOf = (name: string): string => readFileSync(join(root, MIGRATIONS, name), 'utf8');
  const due = known.slice(manifest.migrations.length);
  const made = [...manifest.tables, ...manifest.searches].map(({ sql }) => sql);
  const there = columnsAfter([...made, ...manifest.rest, ...due.map(textOf)]);
  const wanted = columnsAfter(known.map(textOf));
  const lacking = [...wanted].filter((column) => !there.has(column));
  const strange = [...there].filter((column) => !wanted.has(column));
  if (lacking.length === 0 && strange.length === 0) return due;
  throw new UserError(
    `The backup is that of other content types.${lacking.length > 0 ? `\nIt lacks:${listed(lacking)}` : ''}${strange.length > 0 ? `\nThe project has no place for:${listed(strange)}` : ''}`,
  );
}
