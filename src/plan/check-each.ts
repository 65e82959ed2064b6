/**
 * @module Validates the items of a list.
 */
import { type Issue, MAX_ISSUES } from '../errors.ts';

type Path = readonly string[];

/**
 * Checks items in order, until the maximum number of issues is reached. Strapi checks all items concurrently, and lists
 * issues in the order in which their checks finish.
 * @param roundsOf the number of rounds that Strapi needs for an item.
 */
export function checkEach(
  list: readonly unknown[],
  path: Path,
  check: (item: unknown, path: Path) => readonly Issue[],
  roundsOf: (item: unknown) => number,
): readonly Issue[] {
  const wrong: { readonly item: unknown; readonly issues: readonly Issue[] }[] = [];
  let count = 0;
  for (let index = 0; index < list.length && count < MAX_ISSUES; index += 1) {
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
