/**
 * @module A D1 database that lets something else happen between the round trips of one request.
 */

/** @param meanwhile is waited for before each batch, which it gets with its number: the first is 0 */
function interleaved(
  real: D1Database,
  meanwhile: (batch: readonly D1PreparedStatement[], number: number) => Promise<unknown> | undefined,
): D1Database {
  let batches = 0;
  const withSession = (constraint?: string) => {
    const session = real.withSession(constraint);
    const batch = async (statements: D1PreparedStatement[]) => {
      const number = batches;
      batches += 1;
      await meanwhile(statements, number);
      return session.batch(statements);
    };
    return { prepare: (sql: string) => session.prepare(sql), batch, getBookmark: () => session.getBookmark() };
  };
  return { withSession } as never;
}

/**
 * @param meanwhile is waited for before the batch of that number (the first is 0) and for no other, so that what it does
 * comes after the request has read and before it writes.
 */
export const interleavedDatabase = (real: D1Database, at: number, meanwhile: () => Promise<unknown>): D1Database =>
  interleaved(real, (_, number) => (number === at ? meanwhile() : undefined));

const LARGE = 100;

/** @param meanwhile is waited for once, before the first batch of more than a hundred statements */
export function beforeLargeBatch(real: D1Database, meanwhile: () => Promise<unknown>): D1Database {
  let isDone = false;
  return interleaved(real, ({ length }) => {
    if (isDone || length <= LARGE) return undefined;
    isDone = true;
    return meanwhile();
  });
}
