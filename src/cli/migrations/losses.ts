/**
 * @module What migrations lose: as comments in their files, so that whoever applies one knows, and as lines that say how
 * many rows of a database hold what goes.
 */
import { counted } from '../counted.ts';
import { executeSql } from '../platform/execute-sql.ts';
import { databaseName, type Target, type Wrangler } from '../platform/wrangler.ts';
import type { Loss } from './migration-work.ts';

const LOSES = /^-- loses (\S+): (.*)$/;
const COUNTED = /^-- {3}counted by (SELECT .*)$/;

/** The lines that name a loss in a migration. */
export const lossLines = ({ subject, reason, counts }: Loss): readonly string[] => [
  `-- loses ${subject}: ${reason}`,
  ...counts.map((count) => `--   counted by ${count}`),
];

/** The losses that a migration names. */
export function lossesIn(text: string): readonly Loss[] {
  const losses: (Loss & { counts: string[] })[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, subject, reason] = LOSES.exec(line) ?? [];
    const [, count] = COUNTED.exec(line) ?? [];
    if (subject !== undefined && reason !== undefined) losses.push({ subject, reason, counts: [] });
    else if (count !== undefined) losses.at(-1)?.counts.push(count);
  }
  return losses;
}

/** A loss with the number of rows that hold what goes; undefined where the database could not be asked. */
export interface CountedLoss extends Loss {
  readonly rows: number | undefined;
}

/** One number for each statement. */
async function numbersOf(counts: readonly string[], target: Target, execute: Wrangler): Promise<readonly number[]> {
  if (counts.length === 0) return [];
  const answers = await executeSql(counts, target, execute);
  return answers.map(([row]) => Number(row?.rows));
}

/** D1 lets nobody into its own tables. */
const COLUMNS = `SELECT "table"."name" AS "table", "column"."name" AS "column"
  FROM sqlite_master AS "table" JOIN pragma_table_info("table"."name") AS "column"
  WHERE "table"."type" = 'table' AND "table"."name" NOT LIKE '\\_cf\\_%' ESCAPE '\\'`;

type Columns = ReadonlyMap<string, ReadonlySet<string>>;

/** The columns of each table; none where the database does not say. */
async function columnsOf(target: Target, execute: Wrangler): Promise<Columns> {
  try {
    const [rows = []] = await executeSql([COLUMNS], target, execute);
    const tables = Map.groupBy(rows, ({ table }) => String(table));
    return new Map([...tables].map(([name, own]) => [name, new Set(own.map(({ column }) => String(column)))]));
  } catch {
    return new Map();
  }
}

const tablesIn = (count: string): readonly string[] =>
  [...count.matchAll(/\bFROM "([^"]+)"/g)].map(([, table = '']) => table);

const columnsIn = (count: string): readonly (readonly [table: string, column: string])[] =>
  [...count.matchAll(/"([^"]+)"\."([^"]+)"/g)].map(([, table = '', column = '']) => [table, column]);

/** Does the database have what a statement names? Other names before a column stand for rows of the statement itself. */
const isCountable = (count: string, columns: Columns): boolean =>
  tablesIn(count).every((table) => columns.has(table)) &&
  columnsIn(count).every(([table, column]) => columns.get(table)?.has(column) !== false);

type Numbers = ReadonlyMap<string, number | undefined>;

/** Has the database had all of these migrations? Then what it lacks was taken from it because nothing was stored there. */
async function hasAll(migrations: readonly string[], target: Target, execute: Wrangler): Promise<boolean> {
  const [rows = []] = await executeSql(['SELECT "name" FROM d1_migrations'], target, execute).catch(() => []);
  const applied = new Set(rows.map(({ name }) => name));
  return migrations.every((name) => applied.has(name));
}

/** The numbers of the statements that name only what is there; the others have 0 where it is known that nothing was. */
async function numbersOfPresent(
  counts: readonly string[],
  target: Target,
  execute: Wrangler,
  migrations: readonly string[] | undefined,
): Promise<Numbers> {
  const columns = await columnsOf(target, execute);
  if (columns.size === 0) return new Map();
  const absent = migrations && (await hasAll(migrations, target, execute)) ? 0 : undefined;
  const present = counts.filter((count) => isCountable(count, columns));
  const numbers = await numbersOf(present, target, execute).catch(() => []);
  return new Map(
    counts.map((count) => [count, present.includes(count) ? numbers[present.indexOf(count)] : absent] as const),
  );
}

async function numbersByCount(
  counts: readonly string[],
  target: Target,
  execute: Wrangler,
  migrations: readonly string[] | undefined,
): Promise<Numbers> {
  try {
    const numbers = await numbersOf(counts, target, execute);
    return new Map(counts.map((count, index) => [count, numbers[index]]));
  } catch {
    return numbersOfPresent(counts, target, execute, migrations);
  }
}

/** The sum, where all are there. */
const sumOf = (numbers: readonly (number | undefined)[]): number | undefined =>
  numbers.reduce<number | undefined>(
    (sum, number) => (sum === undefined || number === undefined ? undefined : sum + number),
    0,
  );

/**
 * Counts in a database all at once; where that is not possible, by the statements that name only what is there.
 * @param migrations those that the statements presuppose: a database that has had all of them, and lacks a column, holds
 * nothing in it. Absent: it may still get the column.
 */
export async function countLosses(
  losses: readonly Loss[],
  target: Target,
  execute: Wrangler,
  migrations?: readonly string[],
): Promise<readonly CountedLoss[]> {
  if (losses.length === 0) return [];
  const counts = [...new Set(losses.flatMap((loss) => loss.counts))];
  const numbers = await numbersByCount(counts, target, execute, migrations);
  return losses.map((loss) => ({ ...loss, rows: sumOf(loss.counts.map((count) => numbers.get(count))) }));
}

function rowsText(rows: number | undefined, target: Target): string {
  const database = databaseName(target);
  if (rows === undefined) return `the ${database} does not tell how many rows hold one`;
  return `${counted(rows, 'row')} of the ${database}`;
}

/** "change loses stored content", of several: "changes lose stored content". */
export const lossWords = (count: number): string => `${count === 1 ? 'change loses' : 'changes lose'} stored content`;

/** One line for each loss. */
export const lossTexts = (losses: readonly CountedLoss[], target: Target): readonly string[] =>
  losses.map(({ subject, reason, rows }) => `  ${subject}: ${reason} (${rowsText(rows, target)})`);
