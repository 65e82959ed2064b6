/**
 * @module Pieces of SQL that keep within the limits of D1.
 */
import { type SQL, type SQLChunk, StringChunk, sql } from 'drizzle-orm';
import { memoized } from '../memory.ts';
import { rendered } from './render.ts';

/** Stands for a documentId, in a statement that serves every document. */
export const ANY_DOCUMENT = sql.placeholder('documentId');

/** Names are those of the registry, so there are few. */
const columnsOf = memoized((table: string) =>
  memoized((column: string) => rendered(sql`${sql.identifier(table)}.${sql.identifier(column)}`)),
);

/** `"table"."column"` */
export const columnOf = (table: string, column: string): SQL => columnsOf(table)(column);

/** A list as rows of one column `value`, bound as one parameter: D1 takes 100, and a list may be longer. */
export const valuesOf = (list: readonly unknown[]): SQL => sql`(select value from json_each(${JSON.stringify(list)}))`;

const COMMA = new StringChunk(', ');

export const commaList = (pieces: readonly SQLChunk[]): SQL => sql.join([...pieces], COMMA);

const PLAIN = /^[\w:. "$-]+$/;

/**
 * A text of the registry as a literal, where a value would take one of few parameters.
 * @throws Error for a text that could end the literal
 */
export function literal(text: string): SQL {
  if (!PLAIN.test(text)) throw new Error(`no name of the registry: ${text}`);
  return sql.raw(`'${text}'`);
}

const OPERATORS = { and: sql` and `, or: sql` or `, '+': sql` + `, '||': sql` || ` } as const;
const OF_NOTHING = { and: sql`1`, or: sql`0`, '+': sql`0`, '||': sql`''` } as const;

/**
 * How many rows; SQLite refuses what is no 64-bit integer, and beyond 2^53 there are none. Never the parameter alone:
 * SQLite would prepare the statement anew for each value (sqlite3ExprIsInteger() in
 * https://sqlite.org/src/file/src/expr.c).
 */
export const integer = (value: number): SQL => sql`cast(${Math.min(value, Number.MAX_SAFE_INTEGER)} as integer)`;

/** Binary tree of one operator: SQLite counts a chain of n operators as depth n, and stops at 100. */
export function balanced(fragments: readonly SQL[], operator: keyof typeof OPERATORS): SQL {
  const [first, second] = fragments;
  if (!first) return OF_NOTHING[operator];
  if (!second) return first;
  const middle = Math.ceil(fragments.length / 2);
  const left = balanced(fragments.slice(0, middle), operator);
  const right = balanced(fragments.slice(middle), operator);
  return sql`(${left}${OPERATORS[operator]}${right})`;
}

/** Aborts the batch where `holds` is false: a JSON path that does not parse is an error of the statement that runs. */
export const assert = (holds: SQL, code: string): SQL => sql`select iif(${holds}, 1, json_extract('{}', ${code}))`;
