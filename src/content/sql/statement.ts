/**
 * @module Statements for D1, and their rows.
 */

import { MAX_SQL_BYTES } from '../../common/d1-limits.ts';
import { groupsOf } from '../../common/groups.ts';
import { kindOf } from '../../common/kinds.ts';

/** A row of a result, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows of each statement of a batch, in order. */
export type Results = readonly (readonly Row[])[];

export interface Rendered {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** A change, or any other read. */
export interface PlainStatement extends Rendered {
  readonly kind?: undefined;
}

/** Aborts the batch unless a condition holds; nothing reads its row. */
export interface AssertionStatement extends Rendered {
  readonly kind: 'assertion';
}

/** A page of documents. */
export interface PageStatement extends Rendered {
  readonly kind: 'page';
  /** Number of columns. */
  readonly width: number;
  /** For a page that exceeds its share: measures the response before reading it. Absent on a measured page. */
  readonly measured?: () => MeasuredPage;
  /** Returns the setting of an index that would help, in case it reads many rows. */
  readonly advice?: () => string | undefined;
}

/** A statement that fails if the response is too large, and the page, without shares. */
export type MeasuredPage = readonly [measure: PlainStatement, page: PageStatement];

/** One row at most, of one column, which no other statement of the batch has. */
export interface ValueStatement extends Rendered {
  readonly kind: 'value';
  readonly columns: readonly [string];
  /** Runs for every caller: it reveals no content, and costs next to nothing. */
  readonly unguarded: boolean;
}

/** One row at most: the caller's credential. No other statement of the batch has its columns. */
export interface CredentialStatement extends Rendered {
  readonly kind: 'credential';
  readonly columns: readonly string[];
}

export type Statement = PlainStatement | AssertionStatement | PageStatement | ValueStatement | CredentialStatement;

export const isAssertion = kindOf('assertion');
export const isPage = kindOf('page');
export const isValue = kindOf('value');
export const isCredential = kindOf('credential');
export const isOfOneRow = (statement: Statement): statement is ValueStatement | CredentialStatement =>
  isValue(statement) || isCredential(statement);

/** The code of a page that exceeds its share. */
export const SHARE = 'SHARE';

/** The code of a write by a version that does not know the form of the stored values. */
export const SCHEMA = 'SCHEMA';

/** The guards of a statement need some of the bytes. */
export const MAX_SQL = MAX_SQL_BYTES - 20_000;

/** With the condition of a cached response; that of a credential still has room. */
export const MAX_GUARDED = MAX_SQL_BYTES - 5_000;

/** Returns the characters of a statement, or of the measured page in its place, which may take twice as many. */
export const longestForm = (statement: Statement): number =>
  statement.sql.length * (isPage(statement) && statement.measured ? 2 : 1);

/** Makes one statement of a list, or as many as its length requires, each of successive items. */
export function fitting<T, S extends Rendered>(
  list: readonly T[],
  make: (some: readonly T[]) => S,
  max = MAX_SQL,
): readonly S[] {
  const whole = make(list);
  const count = Math.min(list.length, Math.ceil(whole.sql.length / max));
  if (count <= 1) return [whole];
  return groupsOf(list, Math.ceil(list.length / count)).flatMap((some) => fitting(some, make, max));
}

/** Rewrites a statement, and its measured page. */
export function rewritten<S extends Statement>(statement: S, rewrite: (each: Rendered) => Rendered): S {
  const own = { ...statement, ...rewrite(statement) };
  if (!isPage(own) || !own.measured) return own;
  const { measured } = own;
  const rewrittenPage = (): MeasuredPage => {
    const [measure, page] = measured();
    return [rewritten(measure, rewrite), rewritten(page, rewrite)];
  };
  return { ...own, measured: rewrittenPage };
}
