/**
 * @module What is sent to D1 and what comes back.
 */

/** A row of a result, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows of each statement of a batch, in order. */
export type Results = readonly (readonly Row[])[];

export interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
  /** The same, with the whole answer measured first: for when it is said to exceed its fair share. */
  readonly measured?: () => Statement;
  /** It has one row at most, of these columns, which no other such statement has: one for a value, more for a credential. */
  readonly columns?: readonly string[];
  /** So many columns has each of its rows, of a page of documents. */
  readonly width?: number;
  /** Tells nothing of content, and costs next to nothing: asked for anybody. */
  readonly open?: true;
  /** Which index would serve it, for when it reads many rows. */
  readonly advice?: () => string | undefined;
}

/** The code of an answer that exceeds its fair share. */
export const SHARE = 'SHARE';

/** D1 takes 100 KB (https://developers.cloudflare.com/d1/platform/limits/): conditions have to fit beside it. */
export const LONGEST_SQL = 80_000;
