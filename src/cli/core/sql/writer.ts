/**
 * @module Batches on their way to the database, one after the other: while one is under way the next is made ready.
 */
import { setImmediate } from 'node:timers/promises';
import type { Statement } from '../../../sql/statement.ts';

/** Of the event loop, in which a batch leaves: the next one is made without letting go of the process. */
const TURNS = 3;

/** One prepared statement for each text: to prepare one is a round trip of its own. @param db absent: nothing is written. */
export function newWriter(db?: D1Database) {
  const prepared = new Map<string, D1PreparedStatement>();
  let pending: Promise<unknown> = Promise.resolve();
  const bound = (to: D1Database, { sql, params }: Statement): D1PreparedStatement => {
    const statement = prepared.get(sql) ?? to.prepare(sql);
    prepared.set(sql, statement);
    return params.length > 0 ? statement.bind(...params) : statement;
  };
  return {
    /** Sends a batch when the one before is done. @throws what the one before has failed with. */
    async write(statements: readonly Statement[]): Promise<void> {
      if (!db) return;
      await pending;
      pending = db.batch(statements.map((statement) => bound(db, statement)));
      // Told by the next one, or by `finish`.
      pending.catch(() => undefined);
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
    },
    /** Waits for the last one. */
    async finish(): Promise<void> {
      await pending;
    },
  };
}

export type Writer = ReturnType<typeof newWriter>;
