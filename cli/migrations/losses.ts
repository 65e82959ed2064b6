/**
 * @module Counts the rows of a database that data losses affect, and words them.
 */
import { plural } from '../../src/common/plural.ts';
import { counted } from '../core/counted.ts';
import type { Run } from '../core/sql/statements.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import type { Loss } from './migration-work.ts';

/** A loss with the number of affected rows; undefined if they could not be counted. */
export type CountedLoss = Omit<Loss, 'versions'> & { readonly rows: number | undefined; readonly versions?: number };

/** D1 denies access to its own tables. */
const COLUMNS = `SELECT "table"."name" AS "table", "column"."name" AS "column"
  FROM sqlite_master AS "table" JOIN pragma_table_info("table"."name") AS "column"
  WHERE "table"."type" = 'table' AND "table"."name" NOT LIKE '\\_cf\\_%' ESCAPE '\\'`;

/** The statements whose tables and columns the database has; other qualifiers are aliases in the statement. */
async function countable(counts: readonly string[], run: Run): Promise<readonly string[]> {
  const [columns = []] = await run([COLUMNS]);
  const tables = Map.groupBy(columns, ({ table }) => table);
  const has = (table: unknown, column: unknown) => tables.get(table)?.some((row) => row.column === column);
  return counts.filter(
    (count) =>
      [...count.matchAll(/\bFROM "([^"]+)"/g)].every(([, table]) => tables.has(table)) &&
      [...count.matchAll(/"([^"]+)"\."([^"]+)"/g)].every(([, table, column]) => has(table, column) !== false),
  );
}

async function numbersOf(counts: readonly string[], run: Run): Promise<ReadonlyMap<string, number>> {
  const rows = counts.length > 0 ? await run(counts) : [];
  return new Map(counts.map((count, index) => [count, Number(rows[index]?.[0]?.rows)]));
}

export async function countLosses(losses: readonly Loss[], run: Run): Promise<readonly CountedLoss[]> {
  const counts = [...new Set(losses.flatMap(({ counts, versions = [] }) => counts.concat(versions)))];
  const numbers = await numbersOf(counts, run)
    .catch(async () => numbersOf(await countable(counts, run), run))
    .catch(() => new Map<string, number>());
  return losses.map(({ versions = '', ...loss }) => {
    // An unknown number makes the sum NaN.
    const rows = loss.counts.reduce((sum, count) => sum + (numbers.get(count) ?? Number.NaN), 0);
    return { ...loss, rows: Number.isNaN(rows) ? undefined : rows, versions: numbers.get(versions) ?? 0 };
  });
}

/** The losses that affect rows, or may do so. */
export const storedLosses = async (losses: readonly Loss[], run: Run): Promise<readonly CountedLoss[]> =>
  (await countLosses(losses, run)).filter(({ rows, versions }) => rows !== 0 || versions !== 0);

export const lossWords = (count: number): string => `${plural(count, 'change loses', 'changes lose')} stored content`;

export const lossTexts = (losses: readonly CountedLoss[], target: Target): readonly string[] =>
  losses.map(({ subject, reason, rows, versions = 0 }) => {
    const database = `of the ${databaseName(target)}`;
    const kept = versions > 0 ? ` and ${counted(versions, 'former version')}` : '';
    const affected = rows === undefined ? `rows ${database} unknown` : `${counted(rows, 'row')}${kept} ${database}`;
    return `  ${subject}: ${reason} (${affected})`;
  });
