/**
 * @module Sorts the issues of a document or component like Strapi: by attribute, where one whose path contains the name of
 * an earlier attribute comes with that one.
 */
import type { Issue } from '../../../common/errors.ts';
import type { Attributes } from '../model/component-attributes.ts';
import { type IssuePath, printPath } from './issues.ts';

interface Group {
  readonly issues: Issue[];
  /** Index of the first attribute whose name the path contains. */
  readonly first: number;
  /** Index of the attribute. */
  readonly own: number;
}

const depthOf = ({ issues }: Group): number => Math.max(...issues.map(({ path }) => path.length));

const compare = (a: Group, b: Group): number => a.first - b.first || depthOf(a) - depthOf(b) || b.own - a.own;

/** @param at the path of the document or component */
export function inOrder(issues: readonly Issue[], attributes: Attributes, at: IssuePath): readonly Issue[] {
  if (issues.length < 2) return issues;
  const names = [...attributes.keys()];
  const groups = new Map<string, Group>();
  for (const issue of issues) {
    const name = issue.path[at.length] ?? '';
    const path = printPath([...at, name]);
    const first = names.findIndex((each) => path.includes(each));
    const group = groups.get(name) ?? { issues: [], first, own: names.indexOf(name) };
    group.issues.push(issue);
    groups.set(name, group);
  }
  return [...groups.values()].sort(compare).flatMap((group) => group.issues);
}
