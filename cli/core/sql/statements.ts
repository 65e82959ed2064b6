/**
 * @module The only way of statements from commands to D1. What D1 would reject for its limits is rejected here, before any of it
 * is sent; what need not be one transaction is split.
 */

import {
  MAX_PARAMS,
  MAX_SQL_BYTES,
  MAX_STATEMENTS,
  MAX_TERMS,
  MAX_VALUE_BYTES,
} from '../../../src/common/d1-limits.ts';
import { groupsOf } from '../../../src/common/groups.ts';
import type { Rendered, Results, Row } from '../../../src/content/sql/statement.ts';
import { UserError } from '../terminal.ts';

export type Sent = string | Rendered;

/** Runs all of some statements or none, wherever the database is. @returns the rows of each. */
export type Run = (statements: readonly string[]) => Promise<Results>;

/** Statements of one batch, with room for a few that are added. */
export const BATCH_SIZE = MAX_STATEMENTS - 100;

const bytesIn = (text: string): number => Buffer.byteLength(text);

/** Texts, names and comments, in which a word or a bracket means nothing. */
const QUOTED = /'(?:[^']|'')*'|"[^"]*"|`[^`]*`|--.*$/gm;

/** Counts the terms of the longest compound SELECT of a statement. */
function termsIn(sql: string): number {
  let most = 1;
  const open = [1];
  for (const [token] of sql.replaceAll(QUOTED, '').matchAll(/[();]|\b(?:union|intersect|except)\b/gi)) {
    const terms = open.pop() ?? 1;
    if (token === '(') open.push(terms, 1);
    else if (token === ';') open.push(1);
    else if (token !== ')') open.push(terms + 1);
    most = Math.max(most, open.at(-1) ?? 1);
  }
  return most;
}

/** Returns what D1 rejects of a statement; undefined if nothing. */
function excessOf({ sql, params }: Rendered): string | undefined {
  if (bytesIn(sql) > MAX_SQL_BYTES) return `has ${bytesIn(sql)} bytes, and D1 takes ${MAX_SQL_BYTES}`;
  if (params.length > MAX_PARAMS) return `has ${params.length} parameters, and D1 takes ${MAX_PARAMS}`;
  const longest = Math.max(0, ...params.map((value) => (typeof value === 'string' ? bytesIn(value) : 0)));
  if (longest > MAX_VALUE_BYTES) return `has a value of ${longest} bytes, and D1 stores ${MAX_VALUE_BYTES}`;
  const terms = termsIn(sql);
  return terms > MAX_TERMS ? `combines ${terms} SELECTs, and D1 takes ${MAX_TERMS}` : undefined;
}

const renderedOf = (statement: Sent): Rendered =>
  typeof statement === 'string' ? { sql: statement, params: [] } : statement;

/** Characters of a statement that a message shows. */
const SHOWN = 120;

/** @throws UserError for a statement that D1 would reject for its limits. */
export function assertAccepted(statements: readonly Sent[]): void {
  for (const statement of statements) {
    const { sql, params } = renderedOf(statement);
    const excess = excessOf({ sql, params });
    if (excess === undefined) continue;
    throw new UserError(`Nothing was sent to the database: a statement ${excess}: ${sql.slice(0, SHOWN)}`);
  }
}

/**
 * Runs all of some statements or none.
 * @returns the rows of each.
 * @throws UserError for a statement that D1 would reject for its limits.
 */
export async function runBatch(db: D1Database, statements: readonly Sent[]): Promise<Results> {
  if (statements.length === 0) return [];
  assertAccepted(statements);
  const prepared = statements.map(renderedOf).map(({ sql, params }) => db.prepare(sql).bind(...params));
  return (await db.batch<Row>(prepared)).map(({ results }) => results);
}

/**
 * Runs statements that need not be one transaction, in as many as D1's limit takes.
 * @returns the rows of each.
 * @throws UserError as `runBatch`, before the first one.
 */
export async function runBatches(db: D1Database, statements: readonly Sent[]): Promise<Results> {
  assertAccepted(statements);
  const results: Results[] = [];
  for (const some of groupsOf(statements, BATCH_SIZE)) results.push(await runBatch(db, some));
  return results.flat();
}

/** Runs one statement. @returns its rows. @throws UserError as `runBatch`. */
export async function runOne(db: D1Database, statement: Sent): Promise<readonly Row[]> {
  assertAccepted([statement]);
  const { sql, params } = renderedOf(statement);
  return (
    await db
      .prepare(sql)
      .bind(...params)
      .all<Row>()
  ).results;
}

/** @throws UserError for more statements than D1 runs in one transaction. */
export function assertOneBatch(count: number): void {
  if (count > MAX_STATEMENTS)
    throw new UserError(`Nothing was changed: it takes ${count} statements, and D1 runs 1,000 in one transaction`);
}

/** A database at Cloudflare, whose batches a Worker of wrangler runs: it rejects those with more statements than D1 runs. */
export const lentDatabase = (db: D1Database): D1Database =>
  ({
    prepare: (sql: string) => db.prepare(sql),
    async batch(statements: D1PreparedStatement[]) {
      assertOneBatch(statements.length);
      return db.batch(statements);
    },
  }) as D1Database;

/** Does a statement only read, so that it may run in a transaction of its own? */
const isRead = (sql: string): boolean => /^\s*select\b/i.test(sql);

/** Characters of an argument of wrangler; Linux takes 128 KiB. */
const MAX_ARGUMENT = MAX_SQL_BYTES + 20_000;

/**
 * Makes texts for `wrangler d1 execute` of statements: one, which runs all or none, or several if they only read.
 * @throws UserError for statements that D1 would reject for their limits, and changes that are too long for one text.
 */
export function commandTexts(statements: readonly string[]): readonly string[] {
  assertAccepted(statements);
  const text = statements.join(';\n');
  const bytes = bytesIn(text);
  if (bytes <= MAX_ARGUMENT) return [text];
  const middle = Math.ceil(statements.length / 2);
  if (statements.every(isRead)) return [statements.slice(0, middle), statements.slice(middle)].flatMap(commandTexts);
  throw new UserError(
    `Nothing was sent to the database: the changes have ${bytes} bytes, and wrangler takes ${MAX_ARGUMENT} at once`,
  );
}
