/**
 * @module Combines the statements of a read into one: sending a statement to D1 costs more than running it in SQLite.
 */
import { type SQL, sql } from 'drizzle-orm';
import { memoized } from '../memory.ts';
import { commaList } from './pieces.ts';
import { around, Finished, MAX_PARAMETERS, rendered } from './render.ts';
import {
  type CredentialStatement,
  LONGEST_SQL,
  type PageStatement,
  type Rendered,
  type Results,
  type Row,
  type Statement,
  type ValueStatement,
} from './statement.ts';

export interface Gathered {
  readonly statements: readonly Statement[];
  /** @returns the rows of each given statement, in order; a row of nulls counts as no row. */
  spread(results: Results): Results;
}

/** Column of the extra last row, which is not part of the page: a list of the values of all single-row statements. */
const BESIDE = '$beside';

/** D1 stops at 100 columns (https://developers.cloudflare.com/d1/platform/limits/). */
const MOST_COLUMNS = 100;

/** Leaves the statements separate. */
export const apart = (statements: readonly Statement[]): Gathered => ({ statements, spread: (results) => results });

const isShort = ({ sql, params }: Rendered): boolean => sql.length <= LONGEST_SQL && params.length <= MAX_PARAMETERS;

/** Casts bytes to text, since JSON cannot hold bytes. */
function asText(column: string): SQL {
  const value = sql.identifier(column);
  return sql`iif(typeof(${value}) = 'blob', cast(${value} as text), ${value})`;
}

// Pieces that every read has: to make them of Drizzle's objects each time takes longer than all else here.
const NAME = rendered(sql.identifier(BESIDE).getSQL());
const columnList = memoized((columns: readonly string[]) => rendered(commaList(columns.map(asText))), new WeakMap());
const nulls = memoized((count: number) => rendered(commaList(Array.from({ length: count }, () => sql`null`))));

/** Reads single-row statements as subqueries of one row, which reads no more rows than separate statements. */
function besideOf(values: readonly ValueStatement[], credential: CredentialStatement | undefined): Rendered {
  const own = values.map((value) => sql`(${new Finished(value)})`);
  if (!credential) return around(sql`json_array(${commaList(own)}) as ${NAME}`);
  const list = commaList([...own, columnList(credential.columns)]);
  return around(sql`json_array(${list}) as ${NAME} from (${new Finished(credential)})`);
}

/** Returns the rows of a page, then the extra row. */
function withPage(page: PageStatement, beside: Rendered): PageStatement {
  const { kind, width, advice } = page;
  const both = sql`
    select *, null as ${NAME} from (${new Finished(page)})
    union all select ${nulls(width)}, ${new Finished(beside)}`;
  return { kind, width: width + 1, ...around(both), ...(advice && { advice }) };
}

/** Returns the rows without the extra row. */
export const pageOf = (rows: readonly Row[]): readonly Row[] =>
  typeof rows.at(-1)?.[BESIDE] === 'string' ? rows.slice(0, -1) : rows;

/** Returns the values of the extra row by column name; a missing value is null. */
function besideIn(rows: readonly Row[], columns: readonly string[]): Row {
  const list = rows.at(-1)?.[BESIDE];
  const values: readonly unknown[] = typeof list === 'string' ? JSON.parse(list) : [];
  return Object.fromEntries(columns.map((name, place) => [name, values[place] ?? null]));
}

/**
 * Combines the statements of a read, whose order does not matter. A batch has at most one credential; if the database
 * does not have it, the single-row statements return nothing either. Every single-row statement receives the merged row.
 */
export function gathered(given: readonly Statement[]): Gathered {
  const values = given.filter((each) => each.kind === 'value');
  const [credential, ...others] = given.filter((each) => each.kind === 'credential');
  const lists = given.filter((each) => !('columns' in each));
  const [page, ...more] = lists;
  if (others.length > 0 || (values.length === 0 && !credential)) return apart(given);
  const beside = besideOf(values, credential);
  const columns = [...values, ...(credential ? [credential] : [])].flatMap((each) => each.columns);
  const spread = (last: readonly Row[], ofLists: Results): Results => {
    const merged = besideIn(last, columns);
    let next = 0;
    return given.map((each) => {
      if (!('columns' in each)) return ofLists[next++] ?? [];
      return each.columns.some((column) => merged[column] !== null) ? [merged] : [];
    });
  };
  const one = page?.kind === 'page' && page.width < MOST_COLUMNS && more.length === 0 && withPage(page, beside);
  if (one && isShort(one)) return { statements: [one], spread: ([rows = []]) => spread(rows, [pageOf(rows)]) };
  const few = around(sql`select ${new Finished(beside)}`);
  if (given.length - lists.length < 2 || !isShort(few)) return apart(given);
  return { statements: [few, ...lists], spread: ([rows = [], ...rest]) => spread(rows, rest) };
}
