/**
 * @module What a populate of all levels brings and leaves out.
 */

/** What `populate=@deep:3` brought. */
export interface Populated {
  /** Levels. */
  readonly depth: number;
  /** Paths within these levels that the caller may find, and that were not populated: the first of them. */
  readonly leftOut: readonly string[];
  /** How many there are. */
  readonly leftOutCount: number;
}
