/**
 * @module Statements together with what to make of their rows, so that no other file depends on their number and order.
 */
import type { Results, Row, Statement } from './statement.ts';

/** A read. */
export interface Compiled<T> {
  readonly statements: readonly Statement[];
  /** @param results the rows of each statement, in order. */
  decode(results: Results): T;
}

/** A value without a round trip. */
export const constant = <T>(value: T): Compiled<T> => ({ statements: [], decode: () => value });

/** A read of one statement. */
export const query = <T>(statement: Statement, decode: (rows: readonly Row[]) => T): Compiled<T> => ({
  statements: [statement],
  decode: ([rows = []]) => decode(rows),
});

/** The same read with another result. */
export const mapped = <T, U>({ statements, decode }: Compiled<T>, change: (value: T) => U): Compiled<U> => ({
  statements,
  decode: (results) => change(decode(results)),
});

/** The same read, whose decoding is left to the caller. */
export const deferred = <T>({ statements, decode }: Compiled<T>): Compiled<() => T> => ({
  statements,
  decode: (results) => () => decode(results),
});

/** Several reads in one batch; each decodes the rows of its own statements. */
export function together<T extends readonly unknown[] | []>(parts: { [K in keyof T]: Compiled<T[K]> }): Compiled<T> {
  const list: readonly Compiled<unknown>[] = parts;
  return {
    statements: list.flatMap(({ statements }) => statements),
    decode(results) {
      const rest = [...results];
      const values: readonly unknown[] = list.map(({ statements, decode }) =>
        decode(rest.splice(0, statements.length)),
      );
      return values as T;
    },
  };
}
