/**
 * @module Batches on their way to the database, one after the other: while one is under way the next is made ready.
 */
import { setImmediate } from 'node:timers/promises';
import type { Statement } from '../../../sql/statement.ts';

export interface Writer {
  /** Sends a batch when the one before is done. @throws what the one before has failed with. */
  write(statements: readonly Statement[]): Promise<void>;
  /** Waits for the last one. */
  finish(): Promise<void>;
}

/** Of the event loop, in which a batch leaves: the next one is made without letting go of the process. */
const TURNS = 3;

/** One prepared statement for each text: to prepare one is a round trip of its own. */
export function newWriter(db: D1Database): Writer {
  const prepared = new Map<string, D1PreparedStatement>();
  let pending: Promise<unknown> = Promise.resolve();
  const bound = ({ sql, params }: Statement): D1PreparedStatement => {
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return params.length > 0 ? statement.bind(...params) : statement;
  };
  return {
    async write(statements) {
      await pending;
      pending = db.batch(statements.map(bound));
      // Told by the next one, or by `finish`.
      pending.catch(() => undefined);
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
    },
    async finish() {
      await pending;
    },
  };
}

/** For an import that only looks. */
export const NO_WRITER: Writer = { write: async () => undefined, finish: async () => undefined };
