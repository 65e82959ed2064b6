/**
 * @module Pieces of SQL within the limits of D1.
 */
import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import { memoized } from '../../common/cache.ts';
import type { DocumentRef } from '../../schema/document-ref.ts';
import { FIELDS } from '../../schema/fields.ts';
import type { TimeOperand } from '../plan/model/read-plan.ts';
import { isPlaceholder, joined, textPiece } from './drizzle-pieces.ts';
import { rendered } from './render.ts';
import type { Rendered } from './statement.ts';

/** The documentId of a statement that serves every document. */
export const ANY_DOCUMENT = sql.placeholder('documentId');

/** The unique value of a statement that serves every value. */
export const ANY_VALUE = sql.placeholder('value');

/** The values of what a path names in the parameters of statements. */
export const valuesOfName = (named: string | number | null): Readonly<Record<string, unknown>> => ({
  [ANY_DOCUMENT.name]: named,
  [ANY_VALUE.name]: named,
});

/** Replaces a named document by the placeholder, for a plan that serves every document. */
export const plannedDocument = (document: DocumentRef) => (document.kind === 'named' ? ANY_DOCUMENT : document);

const TIME = 'time of ';

/** The time of a request, in a statement that serves every time. */
export const anyTime = ({ time }: TimeOperand): SQL => sql`${sql.placeholder(TIME + time)}`;

/** Does a statement serve every time? */
export const hasAnyTime = ({ params }: Rendered): boolean =>
  params.some((param) => isPlaceholder(param) && param.name.startsWith(TIME));

/** The values of a time in the parameters of statements. @param now milliseconds since 1970 */
export function valuesOfTime(now: number): Readonly<Record<string, unknown>> {
  const text = new Date(now).toISOString();
  const values: Readonly<Record<TimeOperand['time'], unknown>> = {
    datetime: FIELDS.datetime.operand(now, ''),
    date: FIELDS.date.operand(text, ''),
    string: text,
  };
  return Object.fromEntries(Object.entries(values).map(([time, value]) => [TIME + time, value]));
}

const columnsOf = memoized((table: string) =>
  memoized((column: string) => rendered(sql`${sql.identifier(table)}.${sql.identifier(column)}`)),
);

/** `"table"."column"` */
export const columnOf = (table: string, column: string): SQL => columnsOf(table)(column);

/** A list as rows of one column `value`, bound as one parameter, since D1 binds at most 100. */
export const valuesOf = (list: readonly unknown[]): SQL => sql`(select value from json_each(${JSON.stringify(list)}))`;

const COMMA = textPiece(', ');

export const commaList = (pieces: readonly SQLChunk[]): SQL => joined(pieces, COMMA);

/** A query with the tables that it reads, each as `name as (query)`. */
export const withTables = (tables: readonly SQL[], query: SQL): SQL =>
  tables.length === 0 ? query : sql`with ${commaList(tables)} ${query}`;

const UNION = textPiece(' union all ');

/** @param selects at most `MAX_TERMS` of D1's limits */
export const unionAll = (selects: readonly SQL[]): SQL => joined(selects, UNION);

const PLAIN = /^[\w:. "$[\]-]+$/;

/** A name of the registry, or a JSON path of such names, as a literal, without a parameter. @throws Error for a text that could end the literal */
export function literal(text: string): SQL {
  if (!PLAIN.test(text)) throw new Error(`no name of the registry: ${text}`);
  return sql.raw(`'${text}'`);
}

const [OPEN, CLOSE] = [textPiece('('), textPiece(')')];
const JOINERS = {
  and: textPiece(' and '),
  or: textPiece(' or '),
  '+': textPiece(' + '),
  '||': textPiece(' || '),
} as const;
const EMPTY = { and: sql`1`, or: sql`0`, '+': sql`0`, '||': sql`''` } as const;

/**
 * A number of rows, capped at 2^53, since SQLite requires a 64-bit integer. For a parameter alone SQLite would prepare
 * the statement again for each value (sqlite3ExprIsInteger() in https://sqlite.org/src/file/src/expr.c).
 */
export const integer = (value: number): SQL => sql`cast(${Math.min(value, Number.MAX_SAFE_INTEGER)} as integer)`;

/** A binary tree of one operator: SQLite counts a chain of n operators as depth n, and allows 100. */
export function balanced(fragments: readonly SQL[], operator: keyof typeof JOINERS): SQL {
  const [first, second] = fragments;
  if (!first) return EMPTY[operator];
  if (!second) return first;
  const middle = Math.ceil(fragments.length / 2);
  const left = balanced(fragments.slice(0, middle), operator);
  const right = balanced(fragments.slice(middle), operator);
  return joined([OPEN, left, JOINERS[operator], right, CLOSE]);
}

/** Aborts the batch with `code` if `holds` is false, by an error of SQLite about a malformed JSON path. */
export const assert = (holds: SQL, code: string): SQL => sql`select iif(${holds}, 1, json_extract('{}', ${code}))`;
