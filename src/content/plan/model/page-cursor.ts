/**
 * @module The start of a page of a list that is read by cursors.
 */

/** A document's sort values, one for each term of the order. */
export type Keys = readonly (string | number | null)[];

export interface PageCursor {
  /** What the list reads, part by part as in `DIFFERENCES`. */
  readonly list: readonly string[];
  /** The page starts after a document with these values; absent: at the first document. */
  readonly after?: Keys;
}
