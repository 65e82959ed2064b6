/**
 * @module Queries of one shape: built with Drizzle and rendered once, with placeholders for what differs.
 */
import { type AnyColumn, type GetColumnData, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { memoized } from '../common/cache.ts';
import { type Compiled, query } from './compiled.ts';
import { filled, toBuiltStatement } from './render.ts';
import type { Statement } from './statement.ts';

/** Builds queries and runs none: a batch of Drizzle returns neither sessions nor costs, so `batch.ts` runs them. */
export const db = new BaseSQLiteDatabase<'sync', void>('sync', new SQLiteSyncDialect(), undefined as never, undefined);

type Values = Readonly<Record<string, unknown>>;

/** A query of Drizzle by the type of its result. */
interface Query<Result> extends SQLWrapper {
  readonly _: { readonly result: Result };
}

/**
 * Builds and renders a query once, on its first use: a Worker that starts needs none yet. Its `statement` throws an Error
 * for a placeholder without a value.
 * @param build returns a query whose rows are of type `R`, with the column names of `named`
 */
export function prepared<R>(build: () => Query<R[]> | Query<void>) {
  const rendered = memoized(() => toBuiltStatement(build().getSQL()));
  const statement = (values: Values): Statement => filled(rendered(), values);
  const read = <T>(values: Values, decode: (rows: readonly R[]) => T): Compiled<T> =>
    query(statement(values), (rows) => decode(rows as readonly R[]));
  return { statement, read };
}

type Columns = Readonly<Record<string, AnyColumn | SQL>>;
type Names<T extends Columns> = {
  [K in keyof T]: SQL.Aliased<T[K] extends AnyColumn ? GetColumnData<T[K]> : T[K] extends SQL<infer U> ? U : never>;
};

/** Names the columns as the query does: Drizzle decodes a row by position, D1 by name. */
export const named = <T extends Columns>(columns: T): Names<T> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(name)])) as Names<T>;
