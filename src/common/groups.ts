/**
 * @module Long lists in groups, since D1 limits statements.
 */

/** Returns groups of at most `size` items, in order. */
export const groupsOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));
