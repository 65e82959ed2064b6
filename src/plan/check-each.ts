/**
 * @module A list → what is wrong with its items.
 */
import { type Issue, MOST_ISSUES } from '../errors.ts';

type Path = readonly string[];

/** Checks one item after the other, until there are more issues than anybody is told. */
export function checkEach(
  list: readonly unknown[],
  path: Path,
  check: (item: unknown, path: Path) => readonly Issue[],
): readonly Issue[] {
  const issues: Issue[] = [];
  for (let index = 0; index < list.length && issues.length < MOST_ISSUES; index += 1)
    for (const issue of check(list[index], [...path, String(index)])) issues.push(issue);
  return issues;
}
