/**
 * @module A D1 database that writes down every round trip it is asked for.
 */

export interface CountedDatabase {
  readonly database: D1Database;
  /** The SQL of each batch, in order. */
  readonly batches: (readonly string[])[];
  /** SQL → how many rows its statements have read. */
  readonly rowsRead: Map<string, number>;
  /** SQL → how many rows of tables and indexes its statements have written. */
  readonly rowsWritten: Map<string, number>;
  /** Batches that are part of the answer: the note of when a token was last used comes after it. */
  answering(): readonly (readonly string[])[];
}

const isNote = (batch: readonly string[]): boolean =>
  batch.length === 1 && batch[0]?.startsWith('update "strapi_api_tokens" set "last_used_at"') === true;

function refuse(name: string): never {
  throw new Error(`D1 was asked outside of a session's batch: ${name}`);
}

function countedSession(
  session: D1DatabaseSession,
  { batches, rowsRead, rowsWritten }: Pick<CountedDatabase, 'batches' | 'rowsRead' | 'rowsWritten'>,
): D1DatabaseSession {
  const texts = new WeakMap<object, string>();
  const prepare = (sql: string) => ({
    bind: (...values: unknown[]) => {
      const bound = session.prepare(sql).bind(...values);
      texts.set(bound, sql);
      return bound;
    },
  });
  const batch = async (statements: D1PreparedStatement[]) => {
    const asked = statements.map((statement) => texts.get(statement) ?? refuse('a statement without bind'));
    batches.push(asked);
    const results = await session.batch(statements);
    for (const [index, sql] of asked.entries()) {
      rowsRead.set(sql, (rowsRead.get(sql) ?? 0) + (results[index]?.meta.rows_read ?? 0));
      rowsWritten.set(sql, (rowsWritten.get(sql) ?? 0) + (results[index]?.meta.rows_written ?? 0));
    }
    return results;
  };
  return { prepare, batch, getBookmark: () => session.getBookmark() } as never;
}

export function countedDatabase(real: D1Database): CountedDatabase {
  const batches: (readonly string[])[] = [];
  const rowsRead = new Map<string, number>();
  const rowsWritten = new Map<string, number>();
  const counts = { batches, rowsRead, rowsWritten };
  const database = {
    withSession: (constraint?: string) => countedSession(real.withSession(constraint), counts),
    prepare: () => refuse('prepare'),
    batch: () => refuse('batch'),
    exec: () => refuse('exec'),
    dump: () => refuse('dump'),
  };
  return {
    database: database as never,
    ...counts,
    answering: () => batches.filter((batch) => !isNote(batch)),
  };
}
