/**
 * @module Combines the statements of a read into one: sending a statement to D1 costs more than running it in SQLite.
 */
import { sql } from 'drizzle-orm';
import { memoized } from '../../common/cache.ts';
import { MAX_COLUMNS } from '../../common/d1-limits.ts';
import { commaList } from './pieces.ts';
import { MAX_PARAMETERS, STATEMENT_PART, template } from './render.ts';
import type { Results, Row, Statement } from './statement.ts';
import { isCredential, isOfOneRow, isPage, isValue, MAX_SQL } from './statement.ts';

export interface Gathered {
  readonly statements: readonly Statement[];
  /** Returns the rows of each given statement, in order; a row of nulls counts as no row. */
  spread(results: Results): Results;
}

/** Column of an extra last row of a page: a JSON list of the values of all single-row statements. */
const COMBINED_COLUMN = '$beside';

/** Leaves the statements separate. */
export const ungathered = (statements: readonly Statement[]): Gathered => ({
  statements,
  spread: (results) => results,
});

/**
 * A page of `width` columns, then a row with the values of single-row statements and the `columns` of the credential, if it
 * is not empty. As subqueries of one row these read no more rows than as separate statements.
 */
const withExtraRow = memoized(
  (columns: readonly string[]) =>
    memoized((values: number) =>
      memoized((width: number) => {
        const name = sql.identifier(COMBINED_COLUMN);
        const list = [
          ...Array.from({ length: values }, () => sql`(${STATEMENT_PART})`),
          ...columns.map((column) => sql.identifier(column)),
        ];
        const nulls = commaList(Array.from({ length: width }, () => sql`null`));
        return template(sql`
          select *, null as ${name} from (${STATEMENT_PART})
          union all select ${nulls}, json_array(${commaList(list)}) as ${name}${columns.length > 0 ? sql` from (${STATEMENT_PART})` : sql``}`);
      }),
    ),
  new WeakMap(),
);

const NO_CREDENTIAL: readonly string[] = [];

/** Returns the rows without the extra row. */
export const pageOf = (rows: readonly Row[]): readonly Row[] =>
  typeof rows.at(-1)?.[COMBINED_COLUMN] === 'string' ? rows.slice(0, -1) : rows;

/** Returns the values of the extra row by column; a missing value is null. */
function extraOf(rows: readonly Row[], columns: readonly string[]): Row {
  const list = rows.at(-1)?.[COMBINED_COLUMN];
  const values: readonly unknown[] = typeof list === 'string' ? JSON.parse(list) : [];
  return Object.fromEntries(columns.map((name, index) => [name, values[index] ?? null]));
}

/**
 * Combines a page with all single-row statements of the read. If the database does not have the credential, they return
 * nothing. Each of them receives the merged row. Leaves other batches separate, and pages that would exceed a limit.
 */
export function gathered(given: readonly Statement[]): Gathered {
  const values = given.filter(isValue);
  const [credential, ...others] = given.filter(isCredential);
  const [page, ...more] = given.filter((each) => !isOfOneRow(each));
  const isAlone = values.length === 0 && !credential;
  if (!isPage(page) || page.width >= MAX_COLUMNS || isAlone || others.length + more.length > 0)
    return ungathered(given);
  const { kind, width, advice } = page;
  const combine = withExtraRow(credential?.columns ?? NO_CREDENTIAL)(values.length)(width);
  const both = combine(page, ...values, ...(credential ? [credential] : []));
  const one = { kind, width: width + 1, ...both, ...(advice && { advice }) };
  if (one.sql.length > MAX_SQL || one.params.length > MAX_PARAMETERS) return ungathered(given);
  const columns = [...values, ...(credential ? [credential] : [])].flatMap((each) => each.columns);
  const spread = ([rows = []]: Results): Results => {
    const extra = extraOf(rows, columns);
    return given.map((each) => {
      if (!isOfOneRow(each)) return pageOf(rows);
      return each.columns.some((column) => extra[column] !== null) ? [extra] : [];
    });
  };
  return { statements: [one], spread };
}
