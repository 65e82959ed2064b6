/**
 * @module Queries of one shape: built with Drizzle and rendered once, with placeholders for what differs.
 */
import { type AnyColumn, type GetColumnData, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { type Compiled, query } from './compiled.ts';
import { integer } from './pieces.ts';
import { filled, toBuiltStatement } from './render.ts';
import type { Row, Statement } from './statement.ts';

/** Builds queries, and runs none: `batch.ts` does, since a batch of Drizzle knows neither sessions nor what it has cost. */
export const db = new BaseSQLiteDatabase<'sync', void>('sync', new SQLiteSyncDialect(), undefined as never, undefined);

type Values = Readonly<Record<string, unknown>>;

/** A query of Drizzle, by what its rows are. */
interface Query<Rows> extends SQLWrapper {
  readonly _: { readonly result: Rows };
}

/** Of rows with the names that the query gives them. */
export interface Prepared<R> {
  /** @throws Error for a placeholder without a value */
  statement(values: Values): Statement;
  read<T>(values: Values, decode: (rows: readonly R[]) => T): Compiled<T>;
}

export function prepared<R>(built: Query<R[]> | Query<void>): Prepared<R> {
  const rendered = toBuiltStatement(built.getSQL());
  const statement = (values: Values) => filled(rendered, values);
  return {
    statement,
    // D1 names the values of a row as the query does.
    read: (values, decode) => query(statement(values), (rows: readonly Row[]) => decode(rows as readonly R[])),
  };
}

type Shown = Readonly<Record<string, AnyColumn | SQL>>;
type Names<T extends Shown> = {
  [K in keyof T]: SQL.Aliased<T[K] extends AnyColumn ? GetColumnData<T[K]> : T[K] extends SQL<infer U> ? U : never>;
};

/** Columns under the names that their row is to have; Drizzle goes by their order, D1 by their names. */
export const named = <T extends Shown>(columns: T): Names<T> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(name)])) as Names<T>;

/** Drizzle binds a number, for which SQLite would prepare the statement anew (`integer`). */
export const rowsAtMost = (rows: number): number => integer(rows) as unknown as number;
