/**
 * @module Warnings of an import, each reported once with its number of occurrences.
 */

export interface Remarks {
  /** Counts one more of a kind; the text must not hold values of the archive that may be secret. */
  note(text: string, count?: number): void;
  /** Each remark with its count, in the order in which they came up first. */
  readonly lines: () => readonly string[];
}

export function newRemarks(): Remarks {
  const counts = new Map<string, number>();
  return {
    note: (text, count = 1) => {
      if (count > 0) counts.set(text, (counts.get(text) ?? 0) + count);
    },
    lines: () => [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`)),
  };
}
