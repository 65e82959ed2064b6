/**
 * @module Statements of one row, asked as one: what D1 takes to carry a statement is more than SQLite takes to run it.
 */
import type { Results, Row } from './batch.ts';
import { LONGEST_SQL, MAX_PARAMETERS, type Statement } from './statement.ts';

interface Gathered {
  readonly statements: readonly Statement[];
  /** @returns the rows of each statement that was given, in order; a row of nulls is none. */
  spread(results: Results): Results;
}

/** The row of a credential, and a column for each value: as subqueries of its columns they read no row more than alone. */
function join(values: readonly Statement[], [credential]: readonly Statement[]): Statement {
  const columns = values.map(({ sql, columns }) => `(${sql}) as "${columns?.[0]}"`);
  const all = [...values, ...(credential ? [credential] : [])];
  return {
    sql: credential ? `select ${columns.join(', ')}, * from (${credential.sql})` : `select ${columns.join(', ')}`,
    params: all.flatMap(({ params }) => params),
  };
}

function rowsOf({ columns = [] }: Statement, [row]: readonly Row[]): readonly Row[] {
  const own = columns.map((column) => [column, row?.[column] ?? null] as const);
  return own.some(([, value]) => value !== null) ? [Object.fromEntries(own)] : [];
}

/**
 * For reads, whose order does not matter. A batch has one credential at most; where the database knows no such
 * credential nothing else is told either.
 */
export function gathered(given: readonly Statement[]): Gathered {
  const values = given.filter(({ columns }) => columns?.length === 1);
  const wide = given.filter(({ columns = [] }) => columns.length > 1);
  const joined = join(values, wide);
  const isOne = values.length > 0 && values.length + wide.length > 1 && wide.length < 2;
  if (!isOne || joined.sql.length > LONGEST_SQL || joined.params.length > MAX_PARAMETERS)
    return { statements: given, spread: (results) => results };
  return {
    statements: [joined, ...given.filter(({ columns }) => !columns)],
    spread([rows = [], ...rest]) {
      let next = 0;
      return given.map((statement) => (statement.columns ? rowsOf(statement, rows) : (rest[next++] ?? [])));
    },
  };
}
