/**
 * @module A session of D1 whose batches tell the SQL of their statements.
 */

function refuse(name: string): never {
  throw new Error(`D1 was asked outside of a session's batch: ${name}`);
}

/**
 * @param run runs the statements of a batch in place of the session, and is told the SQL of each, and its values.
 * @throws Error for statements that were not bound.
 */
export function legibleSession(
  session: D1DatabaseSession,
  run: (
    statements: D1PreparedStatement[],
    texts: readonly string[],
    values: readonly (readonly unknown[])[],
  ) => Promise<unknown>,
): D1DatabaseSession {
  const asked = new WeakMap<object, { readonly sql: string; readonly values: readonly unknown[] }>();
  const prepare = (sql: string) => ({
    bind: (...values: unknown[]) => {
      const bound = session.prepare(sql).bind(...values);
      asked.set(bound, { sql, values });
      return bound;
    },
  });
  const batch = (statements: D1PreparedStatement[]) => {
    const all = statements.map((statement) => asked.get(statement) ?? refuse('a statement without bind'));
    return run(
      statements,
      all.map(({ sql }) => sql),
      all.map(({ values }) => values),
    );
  };
  return { prepare, batch, getBookmark: () => session.getBookmark() } as never;
}

/** A database that is asked by its sessions alone, as the product asks. */
export const legibleDatabase = (withSession: (constraint?: string) => D1DatabaseSession): D1Database =>
  ({
    withSession,
    prepare: () => refuse('prepare'),
    batch: () => refuse('batch'),
    exec: () => refuse('exec'),
    dump: () => refuse('dump'),
  }) as never;
