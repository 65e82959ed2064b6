/**
 * @module A slice of a list: which entries a response shows.
 */

export interface Slice {
  /** Entries to skip. */
  readonly start: number;
  /** Absent: all after these. */
  readonly limit?: number;
}

/** Returns the list itself without a slice. */
export function inSlice<T>(list: readonly T[], slice: Slice | undefined): readonly T[] {
  if (!slice) return list;
  const { start, limit = list.length } = slice;
  return list.slice(start, start + limit);
}
