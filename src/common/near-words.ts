/**
 * @module Which word was meant, when one was mistyped.
 */

/** Do so many insertions, deletions, replacements and swaps of neighbours turn one word into the other? */
function isNear(from: string, to: string, most: number): boolean {
  if (from === to) return true;
  if (from[0] === to[0]) return isNear(from.slice(1), to.slice(1), most);
  if (most === 0) return false;
  const isSwapped = from[0] === to[1] && from[1] === to[0];
  return (
    isNear(from.slice(1), to, most - 1) ||
    isNear(from, to.slice(1), most - 1) ||
    isNear(from.slice(1), to.slice(1), most - 1) ||
    (isSwapped && isNear(from.slice(2), to.slice(2), most - 1))
  );
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The known word that `word` nearly is, if any: another case or other signs between, or two letters in a long word. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const written = plain(word);
  const allowed = written.length > 6 ? 2 : Number(written.length > 3);
  for (let most = 0; most <= allowed; most += 1) {
    const near = known.find((candidate) => isNear(written, plain(candidate), most));
    if (near !== undefined) return near;
  }
  return undefined;
}

/** The same for a message, behind the word: ` (did you mean article?)`, or nothing. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}
