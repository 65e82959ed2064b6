/**
 * @module Replays the migrations on an empty database and compares the tables with `drizzle/meta/`, so that a migration which
 * was edited, lost or moved is found before a database runs it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { D1_LIMITS, openMemory } from '../core/sql/sqlite.ts';
import { UserError } from '../core/terminal.ts';
import { statementsBetween } from './drizzle-kit.ts';
import { beginTotal } from './history-total.ts';
import { EMPTY_LAYOUT } from './layout.ts';
import { EMPTY_STATE } from './migration.ts';
import { MIGRATIONS, type Migration } from './migration-files.ts';
import type { SchemaState } from './migration-work.ts';
import { withSearchIndexes } from './search-index.ts';

type Row = Readonly<Record<string, unknown>>;

/** Not those of SQLite itself, and not those that keep a virtual table. */
const TABLES = `SELECT "name", "type", "wr", "strict" FROM pragma_table_list
  WHERE "schema" = 'main' AND "type" <> 'shadow' AND "name" NOT LIKE 'sqlite%'`;
const COLUMNS = `SELECT "table"."name" AS "table", "column"."name", upper("column"."type") AS "type", "notnull", "dflt_value",
  "pk", "hidden" FROM (${TABLES}) AS "table" JOIN pragma_table_xinfo("table"."name") AS "column"`;
const INDEX_COLUMNS = `SELECT "index"."name" AS "index", "tbl_name", "column"."name", "desc", "coll"
  FROM sqlite_master AS "index" JOIN pragma_index_xinfo("index"."name") AS "column"
  WHERE "index"."type" = 'index' AND "sql" IS NOT NULL AND "key" = 1 ORDER BY "seqno"`;
const TEXTS = `SELECT "type", "name", "sql" FROM sqlite_master WHERE "sql" IS NOT NULL AND "name" NOT LIKE 'sqlite%'`;

const TOKEN = /'(?:[^']|'')*'|[`"][^`"]*[`"]|\w+|[^\s\w]/g;

/** The tokens of a statement: without quotes around names, which renames change, and in one case, but for texts. */
const tokensOf = (sql: unknown): string =>
  Array.from(String(sql).matchAll(TOKEN), ([token]) =>
    token.startsWith("'") ? token : token.replaceAll(/[`"]/g, '').toLowerCase(),
  ).join(' ');

/** What SQLite keeps as text alone: of a table whether ids are never reused, of an index its kind and its condition. */
function textOf({ type, sql }: Row): string {
  const text = tokensOf(sql);
  if (type === 'index') return `${text.startsWith('create unique ')}${/ where .*$/.exec(text)?.[0] ?? ''}`;
  return type === 'table' && !text.startsWith('create virtual ') ? String(text.includes('autoincrement')) : text;
}

/**
 * The parts of a schema by name, as SQLite has parsed them, so that differently written statements compare equal:
 * `"rating" desc` and `` `rating` DESC `` create the same index.
 * `table articles`, `column articles.title`, `index articles_slug`, `trigger …`.
 */
export function schemaParts(database: DatabaseSync): ReadonlyMap<string, unknown> {
  const rowsOf = (sql: string): readonly Row[] => Array.from(database.prepare(sql).iterate(), (row) => ({ ...row }));
  const indexed = Map.groupBy(rowsOf(INDEX_COLUMNS), ({ index }) => index);
  const tables = new Map(rowsOf(TABLES).map((row) => [row.name, row]));
  const own = rowsOf(TEXTS).filter(({ type, name }) => type !== 'table' || tables.has(name));
  return new Map<string, unknown>([
    ...own.map(
      (row) => [`${row.type} ${row.name}`, [textOf(row), tables.get(row.name), indexed.get(row.name)]] as const,
    ),
    ...rowsOf(COLUMNS).map((row) => [`column ${row.table}.${row.name}`, row] as const),
  ]);
}

function differences(made: ReadonlyMap<string, unknown>, declared: ReadonlyMap<string, unknown>): readonly string[] {
  const missing = [...declared.keys()].filter((name) => !made.has(name));
  const other = [...declared].filter(([name, part]) => made.has(name) && !isDeepStrictEqual(made.get(name), part));
  // Indexes may be added by hand.
  const added = [...made.keys()].filter((name) => !declared.has(name) && !name.startsWith('index '));
  return [
    ...missing.map((name) => `${name} is missing`),
    ...other.map(([name]) => `${name} differs`),
    ...added.map((name) => `${name} is not in drizzle/meta/`),
  ];
}

/** Runs migrations on an empty database. @throws UserError that names the one which fails */
export function replayed(migrations: readonly Migration[]): DatabaseSync {
  const database = openMemory();
  for (const { name, text } of migrations)
    try {
      database.exec(text);
    } catch (error) {
      throw new UserError(`${MIGRATIONS}/${name} fails after those before it: ${(error as Error).message}`);
    }
  return database;
}

/**
 * Runs new migrations with the limits of D1, after those of a project, which D1 may have accepted with other limits.
 * @throws UserError for those that D1 would reject
 */
export function assertWithinLimits(present: readonly Migration[], added: readonly Migration[]): void {
  if (added.length === 0) return;
  const database = replayed(present);
  Object.assign(database.limits, D1_LIMITS);
  for (const { text } of added)
    try {
      database.exec(text);
    } catch (error) {
      throw new UserError(
        `D1 would reject the migration: ${(error as Error).message}`,
        'Nothing was written. Make a part of the changes, run npx edgewise generate, then make the others.',
      );
    }
}

/** The first ten differences between the tables that migrations create and a state, one line each. */
export async function replayProblems(migrations: readonly Migration[], state: SchemaState): Promise<readonly string[]> {
  for (const [index, { name }] of migrations.entries()) {
    const number = Number.parseInt(name, 10);
    if (number !== index + 1) return [`${name} has number ${number} and not ${index + 1}`];
  }
  const declared = openMemory();
  const tables = await statementsBetween(EMPTY_STATE.snapshot, state.snapshot);
  const { statements } = withSearchIndexes(tables, EMPTY_LAYOUT, state.layout);
  for (const statement of [...statements, ...beginTotal(EMPTY_LAYOUT, state.layout)]) declared.exec(statement);
  try {
    return differences(schemaParts(replayed(migrations)), schemaParts(declared)).slice(0, 10);
  } catch (error) {
    return [(error as Error).message];
  }
}
