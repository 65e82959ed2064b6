/**
 * @module Long lists in groups, as what D1 takes at once is limited.
 */

/** @returns the list in groups of at most `size`, in order; none of an empty list. */
export const groupsOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));
