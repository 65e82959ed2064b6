/**
 * @module What the tables of a local database are: written down in it, in the same batch as they change. `npm run dev`
 * changes them at every save, so the migrations in the project do not tell.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { LOCAL_TABLE } from '../../registry/names.ts';
import { hasTable } from '../import/marker.ts';
import type { Layout } from '../migrations/layout.ts';
import type { SchemaState } from '../migrations/migration.ts';
import { identifier, literal } from '../migrations/sql-text.ts';
import type { Forms } from './kept-table.ts';
import { type Older, withOlder } from './older-schema.ts';

export interface LocalSchema {
  /** The tables: always those of the files that were served last. */
  readonly state: SchemaState;
  /** Attributes of components that left the files: their keys stay in the JSON of instances. */
  readonly hidden: Layout['components'];
  /** Is it another state than that of the migrations in the project? */
  readonly pushed: boolean;
  /** Those that the database had when this was written down, by name. */
  readonly migrations: readonly string[];
  /** Of the settings, when this was written down. */
  readonly defaultLocale: string;
  /** Every form that a type or an attribute has had (`seenForms`). */
  readonly seen: readonly string[];
  /** The forms of the entries in the table of what is kept. */
  readonly forms: Forms;
}

const TABLE = identifier(LOCAL_TABLE);

export const READ_SCHEMA = `SELECT "schema" FROM ${TABLE} WHERE "id" = 1`;

/** The database of which only the migrations are known. */
export const migratedSchema = (state: SchemaState, migrations: readonly string[]): LocalSchema => ({
  ...{ state, migrations },
  ...{ hidden: {}, pushed: false, defaultLocale: '', seen: [], forms: {} },
});

/** The statements that write it down. */
export function noteSchemaSql(schema: LocalSchema): readonly string[] {
  const text = deflateSync(JSON.stringify(schema)).toString('base64');
  return [
    `CREATE TABLE IF NOT EXISTS ${TABLE} ("id" integer PRIMARY KEY, "schema" text NOT NULL)`,
    `INSERT OR REPLACE INTO ${TABLE} ("id", "schema") VALUES (1, ${literal(text)})`,
  ];
}

export function parseSchema(text: string): LocalSchema {
  const read: LocalSchema | (LocalSchema & Older) = JSON.parse(inflateSync(Buffer.from(text, 'base64')).toString());
  return 'kept' in read ? withOlder({ ...migratedSchema(read.state, read.migrations), pushed: true }, read) : read;
}

/** Undefined for a database that only migrations have changed. */
export async function readSchema(db: D1Database): Promise<LocalSchema | undefined> {
  if (!(await hasTable(db, LOCAL_TABLE))) return undefined;
  const text = await db.prepare(READ_SCHEMA).first<string>('schema');
  return text === null ? undefined : parseSchema(text);
}
