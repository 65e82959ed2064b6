/**
 * @module All that a read asks, as one statement: what D1 takes to carry a statement is more than SQLite takes to run it.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Results, Row } from './batch.ts';
import { around, Finished, MAX_PARAMETERS } from './render.ts';
import { commaList, LONGEST_SQL, type Statement } from './statement.ts';

export interface Gathered {
  readonly statements: readonly Statement[];
  /** @returns the rows of each statement that was given, in order; a row of nulls is none. */
  spread(results: Results): Results;
}

/** Column of the last row, which is none of the page: a list of all that has one row. */
const BESIDE = '$beside';

/** D1 stops at 100 columns (https://developers.cloudflare.com/d1/platform/limits/). */
const MOST_COLUMNS = 100;

/** As they are. */
export const apart = (statements: readonly Statement[]): Gathered => ({ statements, spread: (results) => results });

const isShort = ({ sql, params }: Statement): boolean => sql.length <= LONGEST_SQL && params.length <= MAX_PARAMETERS;

/** JSON takes no bytes. */
function asText(column: string): SQL {
  const value = sql.identifier(column);
  return sql`iif(typeof(${value}) = 'blob', cast(${value} as text), ${value})`;
}

/** As subqueries of its columns, what has one row reads no row more than it does alone. */
function besideOf(values: readonly Statement[], credential: Statement | undefined): Statement {
  const own = credential?.columns ?? [];
  const list = commaList([...values.map((value) => sql`(${new Finished(value)})`), ...own.map(asText)]);
  const from = credential ? sql` from (${new Finished(credential)})` : sql``;
  return {
    ...around(sql`json_array(${list}) as ${sql.identifier(BESIDE)}${from}`),
    columns: [...values.flatMap(({ columns = [] }) => columns), ...own],
  };
}

/** The rows of a page, then the one beside them. */
function withPage(page: Statement, beside: Statement): Statement {
  const { width = 0, advice } = page;
  const columns = commaList([...Array.from({ length: width }, () => sql`null`), sql`${new Finished(beside)}`]);
  const own = sql`select *, null as ${sql.identifier(BESIDE)} from (${new Finished(page)})`;
  return { ...around(sql`${own} union all select ${columns}`), ...(advice && { advice }) };
}

/** Rows without the one beside them. */
export const pageOf = (rows: readonly Row[]): readonly Row[] =>
  typeof rows.at(-1)?.[BESIDE] === 'string' ? rows.slice(0, -1) : rows;

/** Of the last of these, by the names of what stands in its list; whatever that does not tell is null. */
function besideIn(rows: readonly Row[], { columns = [] }: Statement): Row {
  const list = rows.at(-1)?.[BESIDE];
  const values: readonly unknown[] = typeof list === 'string' ? JSON.parse(list) : [];
  return Object.fromEntries(columns.map((name, place) => [name, values[place] ?? null]));
}

/**
 * For reads, whose order does not matter. A batch has one credential at most; where the database knows no such
 * credential nothing else is told either. Who asked for columns is given those of the others too.
 */
export function gathered(given: readonly Statement[]): Gathered {
  const pages = given.filter(({ columns }) => !columns);
  const values = given.filter(({ columns }) => columns?.length === 1);
  const [credential, ...others] = given.filter(({ columns }) => columns && columns.length > 1);
  const [page, ...more] = pages;
  if (others.length > 0 || (values.length === 0 && !credential)) return apart(given);
  const beside = besideOf(values, credential);
  const spread = (told: Row, ofPages: Results): Results => {
    let next = 0;
    return given.map(({ columns }) => {
      if (!columns) return ofPages[next++] ?? [];
      return columns.some((column) => told[column] !== null) ? [told] : [];
    });
  };
  const one = page?.width !== undefined && page.width < MOST_COLUMNS && more.length === 0 && withPage(page, beside);
  if (one && isShort(one))
    return { statements: [one], spread: ([rows = []]) => spread(besideIn(rows, beside), [pageOf(rows)]) };
  const few = around(sql`select ${new Finished(beside)}`);
  if (given.length - pages.length < 2 || !isShort(few)) return apart(given);
  return { statements: [few, ...pages], spread: ([rows = [], ...rest]) => spread(besideIn(rows, beside), rest) };
}
