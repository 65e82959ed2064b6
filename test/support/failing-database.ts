/**
 * @module A D1 database that fails as told, for what cannot be made to happen in a real one.
 */

export interface FailingDatabase {
  readonly database: D1Database;
  /** How many batches were asked for. */
  asked(): number;
}

/**
 * Throws the messages in turn, one for each batch, then works as `real` does.
 * @param messages what D1 would say; the text is D1's own, so that its translation is tested too.
 */
export function failingDatabase(real: D1Database, messages: readonly string[]): FailingDatabase {
  let batches = 0;
  const withSession = (constraint?: string) => {
    const session = real.withSession(constraint);
    const batch = (statements: D1PreparedStatement[]) => {
      const message = messages[batches];
      batches += 1;
      return message === undefined ? session.batch(statements) : Promise.reject(new Error(message));
    };
    return { prepare: (sql: string) => session.prepare(sql), batch, getBookmark: () => session.getBookmark() };
  };
  return { database: { withSession } as never, asked: () => batches };
}
