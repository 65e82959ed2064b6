/**
 * @module What is sent to D1 and what comes back.
 */

/** A row of a result, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows of each statement of a batch, in order. */
export type Results = readonly (readonly Row[])[];

/** SQL with its parameters. */
export interface Rendered {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** A change, an assertion, or rows that stay a result of their own. */
export interface PlainStatement extends Rendered {
  readonly kind?: undefined;
}

/** A page of documents. */
export interface PageStatement extends Rendered {
  readonly kind: 'page';
  /** Number of its columns. */
  readonly width: number;
  /** The same page with the response measured first, for a page that exceeds its share; absent if it is measured. */
  readonly measured?: () => PageStatement;
  /** Returns the setting of an index that would serve it, for when it reads many rows. */
  readonly advice?: () => string | undefined;
}

/** One row at most, of one column. */
export interface ValueStatement extends Rendered {
  readonly kind: 'value';
  /** Its column, which no other single-row statement of the batch has. */
  readonly columns: readonly [string];
  /** Does it run for every caller? It reveals no content, and costs next to nothing. */
  readonly unguarded: boolean;
}

/** One row at most: what the database has of the caller. */
export interface CredentialStatement extends Rendered {
  readonly kind: 'credential';
  /** Its columns, which no other single-row statement of the batch has. */
  readonly columns: readonly string[];
}

export type Statement = PlainStatement | PageStatement | ValueStatement | CredentialStatement;

/** The code of a response that exceeds its share. */
export const SHARE = 'SHARE';

/** D1 takes 100 KB (https://developers.cloudflare.com/d1/platform/limits/): conditions have to fit beside it. */
export const MAX_SQL = 80_000;
