/**
 * @module The state of the tables of a local database, noted in the database in the batch that changes them: `npm run dev`
 * adds to them at a save, so they may be ahead of the migrations.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { LOCAL_TABLE } from '../../src/schema/names.ts';
import { hasTable } from '../core/sql/database.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import { runOne } from '../core/sql/statements.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { stateFolder } from '../core/storage/state-folder.ts';
import { type Target, type Wrangler, wrangler } from '../core/wrangler/wrangler.ts';
import type { SchemaState } from './migration-work.ts';

export interface LocalSchema {
  /** The tables of the files that were served last. */
  readonly state: SchemaState;
  /** Is it another state than that of the migrations in the project? */
  readonly pushed: boolean;
  /** Names of those that the database had when this was noted. */
  readonly migrations: readonly string[];
}

const TABLE = identifier(LOCAL_TABLE);
const READ_SCHEMA = `SELECT "schema" FROM ${TABLE} WHERE "id" = 1`;

/** The statements that note a state. */
export function noteSchemaSql(schema: LocalSchema): readonly string[] {
  const text = deflateSync(JSON.stringify(schema)).toString('base64');
  return [
    `CREATE TABLE IF NOT EXISTS ${TABLE} ("id" integer PRIMARY KEY, "schema" text NOT NULL)`,
    `INSERT OR REPLACE INTO ${TABLE} ("id", "schema") VALUES (1, ${literal(text)})`,
  ];
}

const parseSchema = (text: string): LocalSchema => JSON.parse(inflateSync(Buffer.from(text, 'base64')).toString());

/** Reads the noted state; undefined if only migrations have changed the database. */
export async function readSchema(db: D1Database): Promise<LocalSchema | undefined> {
  const [row] = (await hasTable(db, LOCAL_TABLE)) ? await runOne(db, READ_SCHEMA) : [];
  return row ? parseSchema(String(row.schema)) : undefined;
}

/** Reads the state of a local database that is ahead of the migrations; undefined if it is not. */
export async function readAhead(root: string, target: Target, execute: Wrangler): Promise<SchemaState | undefined> {
  const isAbsent = execute === wrangler && !existsSync(join(stateFolder(root, target), 'v3'));
  if (target.remote || isAbsent) return undefined;
  // A database that only migrations have changed lacks the table.
  const [[row] = []] = await executeSql([READ_SCHEMA], target, execute).catch(() => []);
  if (typeof row?.schema !== 'string') return undefined;
  const { pushed, state } = parseSchema(row.schema);
  return pushed ? state : undefined;
}
