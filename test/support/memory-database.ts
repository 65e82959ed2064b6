/**
 * @module A database in memory with the interface of D1, for tests in Node that ask it very often.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

type Params = readonly SQLInputValue[];

interface Prepared {
  readonly sql: string;
  readonly params: Params;
}

const META = { rows_read: 0, rows_written: 0 };

/** What D1 throws for what SQLite says. */
const errorOf = (error: unknown): Error => new Error(`D1_ERROR: ${(error as Error).message}: SQLITE_ERROR`);

export interface MemoryDatabase {
  readonly db: D1Database;
  /** The same database, without promises. */
  readonly sqlite: DatabaseSync;
}

export function memoryDatabase(): MemoryDatabase {
  const sqlite = new DatabaseSync(':memory:');
  const rowsOf = ({ sql, params }: Prepared) => sqlite.prepare(sql).all(...params);
  const answer = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw errorOf(error);
    }
  };
  const prepare = (sql: string, params: Params = []) => {
    const all = async () => ({ results: answer(() => rowsOf({ sql, params })), success: true, meta: META });
    return {
      ...{ sql, params, all, run: all },
      bind: (...values: Params) => prepare(sql, values),
      first: async (column?: string) => {
        const [row] = (await all()).results;
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    };
  };
  const batch = async (statements: readonly Prepared[]) => {
    sqlite.exec('BEGIN');
    try {
      const answers = statements.map((one) => ({ results: answer(() => rowsOf(one)), success: true, meta: META }));
      sqlite.exec('COMMIT');
      return answers;
    } catch (error) {
      sqlite.exec('ROLLBACK');
      throw error;
    }
  };
  const session = { prepare: (sql: string) => prepare(sql), batch };
  const db = { ...session, withSession: () => ({ ...session, getBookmark: () => null }) };
  return { db: db as unknown as D1Database, sqlite };
}
