/**
 * @module The tables that are there, and those that wait to take their place, in one transaction.
 */
import { COUNTER_TABLE, IMPORT_TABLE, STAMP_TABLE } from '../../registry/names.ts';
import { D1_MIGRATIONS, filledTables, runBatch } from '../core/sql/database.ts';
import { RENEW_STAMPS } from '../core/sql/renew-stamps.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';
import type { Manifest } from './manifest.ts';
import { type Noted, partsOf, SCHEMA_SQL, type Schema, waiting, waitingTables } from './schema.ts';

/** Tables with rows that are nobody's content; roles are those of the settings. */
const WITHOUT_CONTENT = [COUNTER_TABLE, IMPORT_TABLE, STAMP_TABLE, D1_MIGRATIONS, 'up_roles'];

const notedIn = async (db: D1Database): Promise<readonly Noted[]> =>
  (await db.prepare(SCHEMA_SQL).all()).results as unknown as readonly Noted[];

/** Tables with content: documents, files, users, tokens, whatever somebody would miss. */
export async function tablesWithContent(db: D1Database): Promise<readonly string[]> {
  const names = partsOf(await notedIn(db)).tables.map(({ name }) => name);
  return filledTables(
    db,
    names.filter((name) => !WITHOUT_CONTENT.includes(name)),
  );
}

const dropped = (name: string): string => `drop table ${identifier(name)}`;

/** Takes away what a restore that was interrupted has left. */
export async function dropWaiting(db: D1Database): Promise<void> {
  await runBatch(db, waitingTables(await notedIn(db)).map(dropped));
}

/** @throws UserError when a table has not got all of its rows. */
export async function assertFilled(db: D1Database, { tables }: Manifest): Promise<void> {
  const counted = await runBatch(
    db,
    tables.map(({ name }) => `select count(*) as "rows" from ${identifier(waiting(name))}`),
  );
  const lacking = tables.find(({ rows }, index) => counted[index]?.[0]?.rows !== rows);
  if (lacking) throw new UserError(`The rows of ${lacking.name} are not all there. What was there before is unchanged`);
}

function sequenceStatements({ sequences, tables }: Manifest): readonly string[] {
  const counted = sequences.filter(([name]) => tables.some((table) => table.name === name));
  return counted.flatMap(([name, seq]) => [
    `delete from sqlite_sequence where "name" = ${literal(name)}`,
    `insert into sqlite_sequence ("name", "seq") values (${literal(name)}, ${seq})`,
  ]);
}

/** Puts what waits in the place of what is there; all of it, or nothing. */
export async function swap(
  db: D1Database,
  manifest: Manifest,
  schema: Schema,
  indexes: readonly string[],
): Promise<void> {
  const { tables, virtual, rest } = partsOf(await notedIn(db));
  const views = rest.filter(({ type }) => type === 'view');
  const taking = [...schema.tables, ...schema.searches];
  await runBatch(db, [
    ...views.map(({ name }) => `drop view ${identifier(name)}`),
    // Their triggers go with them, before the search indexes that these write to.
    ...[...tables, ...virtual].map(({ name }) => dropped(name)),
    ...taking.map(({ name }) => `alter table ${identifier(waiting(name))} rename to ${identifier(name)}`),
    ...schema.rest.map(({ sql }) => sql),
    ...indexes,
    ...sequenceStatements(manifest),
    RENEW_STAMPS,
  ]);
}
