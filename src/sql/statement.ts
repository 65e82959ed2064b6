/**
 * @module Pieces of SQL → Statement, inside D1's limits on parameters.
 */
import { ANY_DOCUMENT } from '../plan/read-plan.ts';
import { identifier, join, MARK, type SQL, sql } from './fragment.ts';

export interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
  /** The same, with the whole answer measured first: for when it is said to exceed its fair share. */
  readonly measured?: () => Statement;
  /** It has one row at most, of these columns, which no other such statement has: one for a value, more for a credential. */
  readonly columns?: readonly string[];
  /** So many columns has each of its rows, of a page of documents. */
  readonly width?: number;
  /** Tells nothing of content, and costs next to nothing: asked for anybody. */
  readonly open?: true;
  /** Which index would serve it, for when it reads many rows. */
  readonly advice?: () => string | undefined;
}

/** The code of an answer that exceeds its fair share. */
export const SHARE = 'SHARE';

/** D1 binds at most 100 (https://developers.cloudflare.com/d1/platform/limits/); the guard of a credential needs some. */
export const MAX_PARAMETERS = 90;

/** D1 takes 100 KB (https://developers.cloudflare.com/d1/platform/limits/): conditions have to fit beside it. */
export const LONGEST_SQL = 80_000;

/**
 * Values that are too many to bind travel as one JSON list; `->>` keeps them text, integer, real or null. Beside it goes
 * whichever document.
 */
export function toStatement({ text: spaced, values }: SQL): Statement {
  const text = spaced.trimStart();
  if (values.length <= MAX_PARAMETERS) return { sql: text, params: values };
  let index = 0;
  const packed = text.replaceAll(MARK, () => {
    const place = index++;
    return values[place] === ANY_DOCUMENT ? '?2' : `(?1->>'$[${place}]')`;
  });
  return { sql: packed, params: [JSON.stringify(values), ...(values.includes(ANY_DOCUMENT) ? [ANY_DOCUMENT] : [])] };
}

/** A statement about `ANY_DOCUMENT`, about one of them. */
export function aboutDocument(statement: Statement, documentId: string): Statement {
  const { params, measured } = statement;
  return {
    ...statement,
    params: params.map((param) => (param === ANY_DOCUMENT ? documentId : param)),
    ...(measured && { measured: () => aboutDocument(measured(), documentId) }),
  };
}

/** A statement names its columns again and again; names are those of the registry, so there are few. */
const columnsOf = new Map<string, Map<string, SQL>>();

/** `"table"."column"` */
export function columnOf(table: string, column: string): SQL {
  const columns = columnsOf.get(table) ?? new Map<string, SQL>();
  const known = columns.get(column) ?? sql`${identifier(table)}.${identifier(column)}`;
  columnsOf.set(table, columns.set(column, known));
  return known;
}

/** A list as rows of one column `value`, bound as one parameter. */
export const valuesOf = (list: readonly unknown[]): SQL => sql`(select value from json_each(${JSON.stringify(list)}))`;

export const commaList = (fragments: readonly SQL[]): SQL => join(fragments, ', ');

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
