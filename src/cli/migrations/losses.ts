/**
 * @module Counts the rows of a database that data losses affect, and words them.
 */
import { counted } from '../core/counted.ts';
import type { Run } from '../core/sql/database.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import type { Loss } from './migration-work.ts';

/** A loss with the number of affected rows; undefined if they could not be counted. */
export interface CountedLoss extends Loss {
  readonly rows: number | undefined;
}

/** D1 denies access to its own tables. */
const COLUMNS = `SELECT "table"."name" AS "table", "column"."name" AS "column"
  FROM sqlite_master AS "table" JOIN pragma_table_info("table"."name") AS "column"
  WHERE "table"."type" = 'table' AND "table"."name" NOT LIKE '\\_cf\\_%' ESCAPE '\\'`;

type Columns = ReadonlyMap<string, ReadonlySet<string>>;

async function columnsOf(run: Run): Promise<Columns> {
  const [rows = []] = await run([COLUMNS]);
  const tables = Map.groupBy(rows, ({ table }) => String(table));
  return new Map([...tables].map(([name, own]) => [name, new Set(own.map(({ column }) => String(column)))]));
}

const tablesIn = (count: string): readonly string[] =>
  [...count.matchAll(/\bFROM "([^"]+)"/g)].map(([, table = '']) => table);

const columnsIn = (count: string): readonly (readonly [table: string, column: string])[] =>
  [...count.matchAll(/"([^"]+)"\."([^"]+)"/g)].map(([, table = '', column = '']) => [table, column]);

/** Does the database have the tables and columns of a statement? Other qualifiers are aliases in the statement. */
const isCountable = (count: string, columns: Columns): boolean =>
  tablesIn(count).every((table) => columns.has(table)) &&
  columnsIn(count).every(([table, column]) => columns.get(table)?.has(column) !== false);

type Numbers = ReadonlyMap<string, number>;

async function numbersOf(counts: readonly string[], run: Run): Promise<Numbers> {
  const rows = counts.length === 0 ? [] : await run(counts);
  return new Map(counts.map((count, index) => [count, Number(rows[index]?.[0]?.rows)]));
}

/** Counts with the statements whose tables and columns exist. */
async function presentNumbers(counts: readonly string[], run: Run): Promise<Numbers> {
  const columns = await columnsOf(run);
  const present = counts.filter((count) => isCountable(count, columns));
  return numbersOf(present, run);
}

/** The sum, if all are known. */
const sumOf = (numbers: readonly (number | undefined)[]): number | undefined =>
  numbers.reduce<number | undefined>(
    (sum, number) => (sum === undefined || number === undefined ? undefined : sum + number),
    0,
  );

/** Counts the rows that each loss affects. */
export async function countLosses(losses: readonly Loss[], run: Run): Promise<readonly CountedLoss[]> {
  if (losses.length === 0) return [];
  const counts = [...new Set(losses.flatMap((loss) => loss.counts))];
  const numbers = await numbersOf(counts, run)
    .catch(() => presentNumbers(counts, run))
    .catch((): Numbers => new Map());
  return losses.map((loss) => ({ ...loss, rows: sumOf(loss.counts.map((count) => numbers.get(count))) }));
}

/** The losses that affect rows, or may do so. */
export const storedLosses = async (losses: readonly Loss[], run: Run): Promise<readonly CountedLoss[]> =>
  (await countLosses(losses, run)).filter(({ rows }) => rows !== 0);

function rowsText(rows: number | undefined, target: Target): string {
  const database = databaseName(target);
  if (rows === undefined) return `rows of the ${database} unknown`;
  return `${counted(rows, 'row')} of the ${database}`;
}

export const lossWords = (count: number): string => `${count === 1 ? 'change loses' : 'changes lose'} stored content`;

/** One line for each loss. */
export const lossTexts = (losses: readonly CountedLoss[], target: Target): readonly string[] =>
  losses.map(({ subject, reason, rows }) => `  ${subject}: ${reason} (${rowsText(rows, target)})`);
