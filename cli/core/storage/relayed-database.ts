/**
 * @module A D1 database whose statements another process runs: prepared here as data, and sent in one message.
 */
import type { Rendered, Results } from '../../../src/content/sql/statement.ts';

export type RunStatements = (statements: readonly Rendered[]) => Promise<Results>;

/** Prepared statements, alone and in batches, and their rows: what the commands use of D1. */
export function relayedDatabase(run: RunStatements): D1Database {
  const batch = async (statements: readonly Rendered[]) =>
    (await run(statements.map(({ sql, params }) => ({ sql, params })))).map((results) => ({ results, success: true }));
  const prepared = (sql: string, params: readonly unknown[]): object => {
    const all = async () => (await batch([{ sql, params }]))[0];
    return {
      ...{ sql, params, all, run: all },
      bind: (...values: readonly unknown[]) => prepared(sql, values),
      async first(column?: string) {
        const row = (await all())?.results[0];
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    };
  };
  return { prepare: (sql: string) => prepared(sql, []), batch } as unknown as D1Database;
}
