/**
 * @module The median.
 */

/** The middle of some numbers; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return Number.isInteger(middle) ? (lower + (sorted[middle] ?? lower)) / 2 : lower;
}
