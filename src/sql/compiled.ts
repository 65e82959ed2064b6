/**
 * @module Statements together with what to make of their rows, so that no other file depends on their number and order.
 */
import type { Results, Row, Statement } from './statement.ts';

/** A read or a question, ready to be asked. */
export interface Compiled<T> {
  readonly statements: readonly Statement[];
  /** @param results the rows of each statement, in order. */
  decode(results: Results): T;
}

/** What is known without asking. */
export const known = <T>(value: T): Compiled<T> => ({ statements: [], decode: () => value });

/** One statement. */
export const asked = <T>(statement: Statement, decode: (rows: readonly Row[]) => T): Compiled<T> => ({
  statements: [statement],
  decode: ([rows = []]) => decode(rows),
});

/** The same statements, for something that follows from what they say. */
export const mapped = <T, U>({ statements, decode }: Compiled<T>, change: (value: T) => U): Compiled<U> => ({
  statements,
  decode: (results) => change(decode(results)),
});

/** Several in one batch; each is given the rows of its own statements. */
export function together<T extends readonly unknown[]>(
  parts: { readonly [K in keyof T]: Compiled<T[K]> },
): Compiled<T> {
  const list: readonly Compiled<unknown>[] = parts;
  return {
    statements: list.flatMap(({ statements }) => statements),
    decode(results) {
      let next = 0;
      const values = list.map(({ statements, decode }) => {
        const own = results.slice(next, next + statements.length);
        next += statements.length;
        return decode(own);
      });
      return values as readonly unknown[] as T;
    },
  };
}
