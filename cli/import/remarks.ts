/**
 * @module Warnings of an import, each reported once with its number of occurrences.
 */
export function newRemarks() {
  const counts = new Map<string, number>();
  return {
    /** Counts one more of a kind; the text must not hold values of the archive that may be secret. */
    note(text: string, count = 1): void {
      if (count > 0) counts.set(text, (counts.get(text) ?? 0) + count);
    },
    /** Each remark with its count, in the order in which they came up first. */
    lines: (): readonly string[] =>
      [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`)),
  };
}

export type Remarks = ReturnType<typeof newRemarks>;
