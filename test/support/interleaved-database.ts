/**
 * @module A D1 database that lets something else happen between the round trips of one request.
 */

/**
 * @param meanwhile is waited for before the batch of that number (the first is 0) and for no other, so that what it does
 * comes after the request has read and before it writes.
 */
export function interleavedDatabase(real: D1Database, at: number, meanwhile: () => Promise<unknown>): D1Database {
  let batches = 0;
  const withSession = (constraint?: string) => {
    const session = real.withSession(constraint);
    const batch = async (statements: D1PreparedStatement[]) => {
      const number = batches;
      batches += 1;
      if (number === at) await meanwhile();
      return session.batch(statements);
    };
    return { prepare: (sql: string) => session.prepare(sql), batch, getBookmark: () => session.getBookmark() };
  };
  return { withSession } as never;
}
