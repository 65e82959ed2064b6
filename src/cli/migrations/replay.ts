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

/** Indexes may be added by hand. */
const isOwn = (name: string): boolean => name.startsWith('index ');

function differences(made: ReadonlyMap<string, unknown>, asked: ReadonlyMap<string, unknown>): readonly string[] {
  const missing = [...asked.keys()].filter((name) => !made.has(name)).map((name) => `${name} is missing`);
  const other = [...asked].filter(([name, part]) => made.has(name) && !isDeepStrictEqual(made.get(name), part));
  const added = [...made.keys()].filter((name) => !asked.has(name) && !isOwn(name));
  return [
    ...missing,
    ...other.map(([name]) => `${name} differs`),
    ...added.map((name) => `${name} is not in drizzle/meta/`),
  ];
}

/** The statements that create the tables of a state. */
async function statementsOf({ snapshot, layout }: SchemaState): Promise<readonly string[]> {
  const tables = await statementsBetween(EMPTY_STATE.snapshot, snapshot);
  return withSearchIndexes(tables, EMPTY_LAYOUT, layout).statements;
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

const numberOf = (name: string): number => Number.parseInt(name, 10);

/** Checks that the numbers of migrations are unique and without gaps. */
function numberProblems(migrations: readonly Migration[]): readonly string[] {
  const at = migrations.findIndex(({ name }, index) => numberOf(name) !== index + 1);
  return at < 0 ? [] : [`${migrations[at]?.name} has number ${numberOf(migrations[at]?.name ?? '')} and not ${at + 1}`];
}

/** The first ten differences between the tables that migrations create and a state, one line each. */
export async function replayProblems(migrations: readonly Migration[], state: SchemaState): Promise<readonly string[]> {
  const numbers = numberProblems(migrations);
  if (numbers.length > 0) return numbers;
  const asked = openMemory();
  for (const statement of await statementsOf(state)) asked.exec(statement);
  try {
    return differences(schemaParts(replayed(migrations)), schemaParts(asked)).slice(0, 10);
  } catch (error) {
    return [(error as Error).message];
  }
}
