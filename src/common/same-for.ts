/**
 * @module Records over all names of a union, of which several have the same value.
 */

/** Returns a record with one value under each key, to be spread into a total one. */
export const sameFor = <K extends string, V>(keys: readonly K[], value: V): Readonly<Record<K, V>> =>
  Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>;
