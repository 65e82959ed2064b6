/**
 * @module What migrations lose: as comments in their files, so that whoever applies one knows, and as lines that say how
 * many rows of a database hold what goes.
 */
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

async function sumsOf(groups: readonly (readonly string[])[], target: Target, execute: Wrangler) {
  const answers = await executeSql(groups.flat(), target, execute);
  const numbers = answers.map(([row]) => Number(row?.rows));
  let at = 0;
  return groups.map((group) => {
    const start = at;
    at += group.length;
    return numbers.slice(start, at).reduce((sum, number) => sum + number, 0);
  });
}

const TABLES = `SELECT "name" FROM sqlite_master WHERE "type" = 'table'`;

/** None where the database does not say. Each question is a process of its own. */
async function tablesOf(target: Target, execute: Wrangler): Promise<ReadonlySet<string>> {
  try {
    const [rows = []] = await executeSql([TABLES], target, execute);
    return new Set(rows.map(({ name }) => String(name)));
  } catch {
    return new Set();
  }
}

const readsOnly = (count: string, tables: ReadonlySet<string>): boolean =>
  [...count.matchAll(/\bFROM "([^"]+)"/g)].every(([, table = '']) => tables.has(table));

/** A database that has no such table or column yet does not count. */
async function sumOf(
  counts: readonly string[],
  tables: ReadonlySet<string>,
  target: Target,
  execute: Wrangler,
): Promise<number | undefined> {
  if (!counts.every((count) => readsOnly(count, tables))) return undefined;
  try {
    return (await sumsOf([counts], target, execute))[0];
  } catch {
    return undefined;
  }
}

async function sums(losses: readonly Loss[], target: Target, execute: Wrangler) {
  try {
    return await sumsOf(
      losses.map(({ counts }) => counts),
      target,
      execute,
    );
  } catch {
    const tables = await tablesOf(target, execute);
    return await Promise.all(losses.map(({ counts }) => sumOf(counts, tables, target, execute)));
  }
}

/** Counts in a database all at once, and one by one where that is not possible. */
export async function countLosses(
  losses: readonly Loss[],
  target: Target,
  execute: Wrangler,
): Promise<readonly CountedLoss[]> {
  if (losses.length === 0) return [];
  const rows = await sums(losses, target, execute);
  return losses.map((loss, index) => ({ ...loss, rows: rows[index] }));
}

function rowsText(rows: number | undefined, target: Target): string {
  const database = databaseName(target);
  if (rows === undefined) return `the ${database} does not tell how many rows hold one`;
  return `${rows} row(s) of the ${database}`;
}

/** One line for each loss. */
export const lossTexts = (losses: readonly CountedLoss[], target: Target): readonly string[] =>
  losses.map(({ subject, reason, rows }) => `  ${subject}: ${reason} (${rowsText(rows, target)})`);
