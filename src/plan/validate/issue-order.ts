/**
 * @module The order in which the reference tells what is wrong with the attributes of a document or component: that of the
 * attributes, where an attribute whose path contains the name of an earlier one has the place of that one.
 */
import type { Issue } from '../../errors.ts';
import type { Attributes } from '../model/component-attributes.ts';
import { printPath } from './messages.ts';

type Path = readonly string[];

interface Group {
  readonly issues: Issue[];
  /** Of the first attribute whose name is in the path. */
  readonly place: number;
  /** Of the attribute itself. */
  readonly own: number;
}

const depthOf = ({ issues }: Group): number => Math.max(...issues.map(({ path }) => path.length));

/** In one place what is less deep comes first, and then the later attribute. */
const before = (a: Group, b: Group): number => a.place - b.place || depthOf(a) - depthOf(b) || b.own - a.own;

/** @param at where the attributes stand; all issues are below. */
export function inOrder(issues: readonly Issue[], attributes: Attributes, at: Path): readonly Issue[] {
  if (issues.length < 2) return issues;
  const names = [...attributes.keys()];
  const groups = new Map<string, Group>();
  for (const issue of issues) {
    const name = issue.path[at.length] ?? '';
    const path = printPath([...at, name]);
    const place = names.findIndex((each) => path.includes(each));
    const group = groups.get(name) ?? { issues: [], place, own: names.indexOf(name) };
    group.issues.push(issue);
    groups.set(name, group);
  }
  return [...groups.values()].sort(before).flatMap((group) => group.issues);
}
