/**
 * @module A database in memory with the interface of D1 that returns to an earlier state in no time: everything happens
 * in a savepoint, and each batch in one of its own.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { randomBlob } from './chance.ts';

type Params = readonly SQLInputValue[];
type Row = Readonly<Record<string, unknown>>;

interface Prepared {
  readonly sql: string;
  readonly params: Params;
}

const META = { rows_read: 0, rows_written: 0 };

export interface RevertibleDatabase {
  readonly db: D1Database;
  /** Runs statements without promises. */
  all(sql: string, ...params: Params): readonly Row[];
  exec(sql: string): void;
  /** Marks the state that `revert` returns to. */
  mark(): void;
  revert(): void;
}

export function revertibleDatabase(): RevertibleDatabase {
  const sqlite = new DatabaseSync(':memory:');
  sqlite.function('randomblob', (length: unknown) => randomBlob(Number(length)));
  const prepared = new Map<string, StatementSync>();
  const statementOf = (sql: string): StatementSync => {
    const statement = prepared.get(sql) ?? sqlite.prepare(sql);
    if (prepared.size > 5_000) prepared.clear();
    prepared.set(sql, statement);
    return statement;
  };
  const rowsOf = ({ sql, params }: Prepared) => {
    try {
      return { results: statementOf(sql).all(...params), success: true, meta: META };
    } catch (error) {
      throw new Error(`D1_ERROR: ${(error as Error).message}: SQLITE_ERROR`);
    }
  };
  const prepare = (sql: string) => ({ bind: (...params: Params): Prepared => ({ sql, params }) });
  const batch = async (statements: readonly Prepared[]) => {
    sqlite.exec('savepoint batch');
    try {
      const results = statements.map(rowsOf);
      sqlite.exec('release batch');
      return results;
    } catch (error) {
      sqlite.exec('rollback to batch; release batch');
      throw error;
    }
  };
  const session = { prepare, batch, getBookmark: () => null };
  return {
    db: { withSession: () => session } as unknown as D1Database,
    all: (sql, ...params) => statementOf(sql).all(...params) as Row[],
    exec: (sql) => sqlite.exec(sql),
    mark: () => sqlite.exec('savepoint world'),
    revert: () => sqlite.exec('rollback to world; release world'),
  };
}
