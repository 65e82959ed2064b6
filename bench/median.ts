/**
 * @module The median, and other quantiles.
 */

/** Returns the value below which a part of some numbers is (0.25: a quarter), by linear interpolation; NaN of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const position = (sorted.length - 1) * part;
  const [lower = Number.NaN, upper = lower] = sorted.slice(Math.floor(position));
  return lower + (upper - lower) * (position % 1);
}

/** The middle of some numbers; NaN of none. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
