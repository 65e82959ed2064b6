/**
 * @module Which word was meant, when one was mistyped.
 */

/** Insertions, deletions, replacements, and swaps of neighbours that turn one word into the other. */
function distance(from: string, to: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const costs = [(last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1)];
      if (swapped) costs.push((before[column - 2] ?? 0) + 1);
      next.push(Math.min(...costs));
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The known word that `word` nearly is, if any: another case or other signs between, or two letters in a long word. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const written = plain(word);
  const same = known.find((candidate) => plain(candidate) === written);
  if (same) return same;
  const allowed = written.length > 6 ? 2 : Number(written.length > 3);
  const near = known.map((candidate) => [distance(written, plain(candidate)), candidate] as const);
  return near.filter(([cost]) => cost <= allowed).sort(([left], [right]) => left - right)[0]?.[1];
}

/** The same for a message, behind the word: ` (did you mean article?)`, or nothing. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}
