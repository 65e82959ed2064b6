/**
 * @module Replays the migrations on an empty database and compares the tables with `drizzle/meta/`, so that a migration which
 * was edited, lost or moved is found before a database runs it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { openMemory } from '../core/sql/memory-database.ts';
import { EMPTY_LAYOUT } from './layout.ts';
import { EMPTY_STATE, type SchemaState } from './migration.ts';
import type { Migration } from './migration-files.ts';
import { schemaParts } from './schema-parts.ts';
import { withSearchIndexes } from './search-index.ts';
import { statementsBetween } from './snapshot.ts';

function differences(made: ReadonlyMap<string, unknown>, asked: ReadonlyMap<string, unknown>): readonly string[] {
  const missing = [...asked.keys()].filter((name) => !made.has(name));
  const other = [...asked].filter(([name, part]) => made.has(name) && !isDeepStrictEqual(made.get(name), part));
  // Indexes may be added by hand.
  const added = [...made.keys()].filter((name) => !asked.has(name) && !name.startsWith('index '));
  return [
    ...missing.map((name) => `${name} is missing`),
    ...other.map(([name]) => `${name} differs`),
    ...added.map((name) => `${name} is not in drizzle/meta/`),
  ];
}

/** Runs migrations on an empty database. @throws Error that names the one which fails. */
function replayed(migrations: readonly Migration[]): DatabaseSync {
  const database = openMemory();
  for (const { name, text } of migrations)
    try {
      database.exec(text);
    } catch (error) {
      throw new Error(`${name} fails after those before it: ${(error as Error).message}`);
    }
  return database;
}

/** The first ten differences between the tables that migrations create and a state, one line each. */
export async function replayProblems(
  migrations: readonly Migration[],
  { snapshot, layout }: SchemaState,
): Promise<readonly string[]> {
  for (const [index, { name }] of migrations.entries()) {
    const number = Number.parseInt(name, 10);
    if (number !== index + 1) return [`${name} has number ${number} and not ${index + 1}`];
  }
  const asked = openMemory();
  const tables = await statementsBetween(EMPTY_STATE.snapshot, snapshot);
  for (const statement of withSearchIndexes(tables, EMPTY_LAYOUT, layout).statements) asked.exec(statement);
  try {
    return differences(schemaParts(replayed(migrations)), schemaParts(asked)).slice(0, 10);
  } catch (error) {
    return [(error as Error).message];
  }
}
