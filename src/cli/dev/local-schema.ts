/**
 * @module What the tables of a local database are: written down in it, in the same step as they change. `npm run dev`
 * changes them at every save, so the migrations in the project do not tell.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { LOCAL_TABLE } from '../../registry/names.ts';
import { hasTable } from '../import/marker.ts';
import type { Layout } from '../migrations/layout.ts';
import type { SchemaState } from '../migrations/migration.ts';
import type { TableSnapshot } from '../migrations/snapshot.ts';
import { identifier, literal } from '../migrations/sql-text.ts';

/** What the content types have no more and the tables still hold. */
export interface Kept {
  readonly layout: Layout;
  /** Tables, each with what is kept of it. */
  readonly tables: Readonly<Record<string, TableSnapshot>>;
}

export interface LocalSchema {
  /** Without what is kept. */
  readonly state: SchemaState;
  readonly kept: Kept;
  /** Is it something else than what the migrations of the project have led to? */
  readonly pushed: boolean;
  /** Those that the database had when this was written down, by name. */
  readonly migrations: readonly string[];
}

export const NOTHING_KEPT: Kept = { layout: { types: {}, components: {} }, tables: {} };

const TABLE = identifier(LOCAL_TABLE);

/** The statements that write it down. */
export function noteSchemaSql(schema: LocalSchema): readonly string[] {
  const text = deflateSync(JSON.stringify(schema)).toString('base64');
  return [
    `CREATE TABLE IF NOT EXISTS ${TABLE} ("id" integer PRIMARY KEY, "schema" text NOT NULL)`,
    `INSERT OR REPLACE INTO ${TABLE} ("id", "schema") VALUES (1, ${literal(text)})`,
  ];
}

/** Undefined for a database that only migrations have changed. */
export async function readSchema(db: D1Database): Promise<LocalSchema | undefined> {
  if (!(await hasTable(db, LOCAL_TABLE))) return undefined;
  const text = await db.prepare(`SELECT "schema" FROM ${TABLE} WHERE "id" = 1`).first<string>('schema');
  return text === null ? undefined : JSON.parse(inflateSync(Buffer.from(text, 'base64')).toString());
}
