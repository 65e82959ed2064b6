/**
 * @module A list → what is wrong with its items.
 */
import { type Issue, MOST_ISSUES } from '../errors.ts';

type Path = readonly string[];

/**
 * Checks one item after the other, until there are more issues than anybody is told. The reference looks at all items at
 * once, and tells first what it is first done with.
 * @param roundsOf how long the reference is about an item.
 */
export function checkEach(
  list: readonly unknown[],
  path: Path,
  check: (item: unknown, path: Path) => readonly Issue[],
  roundsOf: (item: unknown) => number,
): readonly Issue[] {
  const wrong: { readonly item: unknown; readonly issues: readonly Issue[] }[] = [];
  let count = 0;
  for (let index = 0; index < list.length && count < MOST_ISSUES; index += 1) {
    const issues = check(list[index], [...path, String(index)]);
    count += issues.length;
    if (issues.length > 0) wrong.push({ item: list[index], issues });
  }
  if (wrong.length < 2) return wrong.flatMap(({ issues }) => issues);
  return wrong
    .map(({ item, issues }) => ({ issues, rounds: roundsOf(item) }))
    .sort((a, b) => a.rounds - b.rounds)
    .flatMap(({ issues }) => issues);
}
