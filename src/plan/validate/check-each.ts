/**
 * @module Validates the items of a list.
 */
import { type Issue, MAX_ISSUES } from '../../errors.ts';

type Path = readonly string[];

/** Checks items in order, until the maximum number of issues is reached. */
export function checkEach(
  list: readonly unknown[],
  path: Path,
  check: (item: unknown, path: Path) => readonly Issue[],
): readonly Issue[] {
  const issues: Issue[] = [];
  for (let index = 0; index < list.length && issues.length < MAX_ISSUES; index += 1)
    issues.push(...check(list[index], [...path, String(index)]));
  return issues;
}
