/**
 * @module A D1 database whose statements another process runs: prepared here as data, and sent in one message.
 */
import type { Rendered, Results, Row } from '../../../sql/statement.ts';

/** Runs all of some statements or none. */
export type RunStatements = (statements: readonly Rendered[]) => Promise<Results>;

/** What the commands use of a prepared statement. */
interface PreparedStatement extends Pick<D1PreparedStatement, 'all' | 'run' | 'first'> {
  readonly statement: Rendered;
  bind(...params: readonly unknown[]): PreparedStatement;
}

async function resultsOf(run: RunStatements, statements: readonly Rendered[]): Promise<readonly D1Result[]> {
  return (await run(statements)).map((results) => ({ results, success: true }) as unknown as D1Result);
}

function prepared(run: RunStatements, statement: Rendered): PreparedStatement {
  const one = async () => (await resultsOf(run, [statement]))[0] as D1Result<never>;
  return {
    statement,
    bind: (...params) => prepared(run, { ...statement, params }),
    all: one,
    run: one,
    first: async (column?: string) => {
      const row = (await one()).results[0] as Row | undefined;
      return (column === undefined ? row : row?.[column]) ?? null;
    },
  } as PreparedStatement;
}

/** Prepared statements, alone and in batches, and the rows of their answers. */
export function relayedDatabase(run: RunStatements): D1Database {
  const database = {
    prepare: (sql: string) => prepared(run, { sql, params: [] }),
    batch: (statements: readonly PreparedStatement[]) =>
      resultsOf(
        run,
        statements.map(({ statement }) => statement),
      ),
  };
  return database as unknown as D1Database;
}
