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

type Numbers = ReadonlyMap<string, number>;

/** Leaves out statements whose tables or columns do not exist: it halves a list that fails. */
async function numbersOf(counts: readonly string[], run: Run): Promise<Numbers> {
  try {
    const rows = await run(counts);
    return new Map(counts.map((count, index) => [count, Number(rows[index]?.[0]?.rows)]));
  } catch (error) {
    if (counts.length === 1 || !/no such (table|column)/.test((error as Error).message)) return new Map();
    const middle = Math.ceil(counts.length / 2);
    const first = await numbersOf(counts.slice(0, middle), run);
    return new Map([...first, ...(await numbersOf(counts.slice(middle), run))]);
  }
}

/** Counts the rows that each loss affects. */
export async function countLosses(losses: readonly Loss[], run: Run): Promise<readonly CountedLoss[]> {
  const counts = [...new Set(losses.flatMap((loss) => loss.counts))];
  const numbers: Numbers = counts.length > 0 ? await numbersOf(counts, run) : new Map();
  return losses.map((loss) => {
    // An unknown number makes the sum NaN.
    const rows = loss.counts.reduce((sum, count) => sum + (numbers.get(count) ?? Number.NaN), 0);
    return { ...loss, rows: Number.isNaN(rows) ? undefined : rows };
  });
}

/** The losses that affect rows, or may do so. */
export const storedLosses = async (losses: readonly Loss[], run: Run): Promise<readonly CountedLoss[]> =>
  (await countLosses(losses, run)).filter(({ rows }) => rows !== 0);

export const lossWords = (count: number): string => `${count === 1 ? 'change loses' : 'changes lose'} stored content`;

/** One line for each loss. */
export const lossTexts = (losses: readonly CountedLoss[], target: Target): readonly string[] =>
  losses.map(({ subject, reason, rows }) => {
    const database = `of the ${databaseName(target)}`;
    const affected = rows === undefined ? `rows ${database} unknown` : `${counted(rows, 'row')} ${database}`;
    return `  ${subject}: ${reason} (${affected})`;
  });
