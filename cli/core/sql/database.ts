/**
 * @module What several commands ask of a D1 database, and write into it.
 */
import { EVERY_STAMP, FENCE, PURGE, STAMP_TABLE } from '../../../src/schema/names.ts';
import { identifier, jsonPath, literal } from './sql-text.ts';
import { runBatches, runOne } from './statements.ts';

/** The table in which wrangler notes the migrations that it has applied. */
export const D1_MIGRATIONS = 'd1_migrations';

export async function hasTable(db: D1Database, name: string): Promise<boolean> {
  const sql = "select 1 from sqlite_master where type = 'table' and name = ?";
  return (await runOne(db, { sql, params: [name] })).length > 0;
}

/** Those of the tables that have a row. */
export async function filledTables(db: D1Database, tables: readonly string[]): Promise<readonly string[]> {
  const rows = await runBatches(
    db,
    tables.map((table) => `select 1 from ${identifier(table)} limit 1`),
  );
  return tables.filter((_, index) => rows[index]?.length !== 0);
}

/** The migrations that a database has, in the order in which they were applied. */
export async function appliedMigrations(db: D1Database): Promise<readonly string[]> {
  if (!(await hasTable(db, D1_MIGRATIONS))) return [];
  const rows = await runOne(db, `select "name" from ${identifier(D1_MIGRATIONS)} order by "id"`);
  return rows.map(({ name }) => String(name));
}

const STAMPS = identifier(STAMP_TABLE);

/** As migrations rotate the stamps that an earlier version of Edgewise has made: without the fence. */
const FORMER_ROTATION = `INSERT INTO ${STAMPS} ("id", "stamps") VALUES (1, json_object(${literal(EVERY_STAMP)}, lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps"`;

/**
 * Rotates all version stamps (`content/sql/stamps.ts`), which invalidates cached responses after the database was changed directly;
 * the next cron trigger purges the shared cache. Stands in every migration too. The fence stays.
 */
export const ROTATE_STAMPS = `INSERT INTO ${STAMPS} ("id", "stamps") VALUES (1, json_object(${literal(EVERY_STAMP)}, lower(hex(randomblob(8))), ${literal(PURGE)}, 1)) ON CONFLICT ("id") DO UPDATE SET "stamps" = json_patch("excluded"."stamps", json_object(${literal(FENCE)}, ${STAMPS}."stamps" ->> ${jsonPath(FENCE)}))`;

/** The text of a migration, so that it keeps the fence. */
export const keepingFence = (text: string): string => text.replaceAll(FORMER_ROTATION, () => ROTATE_STAMPS);
