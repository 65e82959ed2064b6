/**
 * @module Replaces the tables of a database by the staging tables of a restore.
 */
import { COUNTER_TABLE, IMPORT_TABLE, STAMP_TABLE } from '../../registry/names.ts';
import { D1_MIGRATIONS, filledTables, runBatch } from '../core/sql/database.ts';
import { RENEW_STAMPS } from '../core/sql/renew-stamps.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';
import type { Manifest } from './manifest.ts';
import { partsOf, readEntries, type Schema, stagingName, stagingTables } from './schema.ts';

/** Tables whose rows are no content; roles come from the settings. */
const WITHOUT_CONTENT = [COUNTER_TABLE, IMPORT_TABLE, STAMP_TABLE, D1_MIGRATIONS, 'up_roles'];

/** Returns tables with content: documents, files, users, tokens. */
export async function tablesWithContent(db: D1Database): Promise<readonly string[]> {
  const names = partsOf(await readEntries(db)).tables.map(({ name }) => name);
  return filledTables(
    db,
    names.filter((name) => !WITHOUT_CONTENT.includes(name)),
  );
}

/** `if exists`: dropping a search index drops its shadow tables. */
const dropped = (name: string): string => `drop table if exists ${identifier(name)}`;

/** Drops what an interrupted restore left. */
export async function dropStagingTables(db: D1Database): Promise<void> {
  await runBatch(db, stagingTables(await readEntries(db)).map(dropped));
}

/** @throws UserError for a staging table that lacks rows. */
export async function assertFilled(db: D1Database, { tables }: Manifest): Promise<void> {
  const counted = await runBatch(
    db,
    tables.map(({ name }) => `select count(*) as "rows" from ${identifier(stagingName(name))}`),
  );
  const lacking = tables.find(({ rows }, index) => counted[index]?.[0]?.rows !== rows);
  if (lacking) throw new UserError(`Rows of ${lacking.name} are missing. The former content is unchanged`);
}

function sequenceStatements({ sequences, tables }: Manifest): readonly string[] {
  const counted = sequences.filter(([name]) => tables.some((table) => table.name === name));
  return counted.flatMap(([name, seq]) => [
    `delete from sqlite_sequence where "name" = ${literal(name)}`,
    `insert into sqlite_sequence ("name", "seq") values (${literal(name)}, ${seq})`,
  ]);
}

/** Replaces all tables in one transaction. */
export async function swap(db: D1Database, manifest: Manifest, schema: Schema): Promise<void> {
  const { tables, virtual, rest } = partsOf(await readEntries(db));
  const views = rest.filter(({ type }) => type === 'view');
  await runBatch(db, [
    ...views.map(({ name }) => `drop view ${identifier(name)}`),
    // Tables first: their triggers write to the search indexes.
    ...[...tables, ...virtual].map(({ name }) => dropped(name)),
    ...[...schema.tables, ...schema.searches].map(
      ({ name }) => `alter table ${identifier(stagingName(name))} rename to ${identifier(name)}`,
    ),
    ...schema.rest.map(({ sql }) => sql),
    ...sequenceStatements(manifest),
    RENEW_STAMPS,
  ]);
}
