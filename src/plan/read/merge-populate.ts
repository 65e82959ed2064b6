/**
 * @module Populates of several paths as one: `author.avatar,author.links` is one author with both.
 */
import type { Populate, Selection } from '../model/read-plan.ts';

/** Each key once, with everything that was asked of it. */
export function merged(nodes: readonly Populate[]): readonly Populate[] {
  const byName = new Map<string, Populate>();
  for (const node of nodes) {
    const before = byName.get(node.name);
    byName.set(node.name, before ? mergeTwo(before, node) : node);
  }
  return [...byName.values()];
}

const mergeSelections = (a: Selection, b: Selection): Selection => ({
  attributes: a.attributes,
  populate: merged([...a.populate, ...b.populate]),
});

function mergeTwo(a: Populate, b: Populate): Populate {
  if (a.kind === 'dynamiczone' && b.kind === 'dynamiczone') {
    const parts = [...a.parts].map(([uid, part]) => [uid, mergeSelections(part, b.parts.get(uid) ?? part)] as const);
    return { ...a, parts: new Map(parts) };
  }
  if (a.kind === 'dynamiczone' || b.kind === 'dynamiczone' || a.kind === 'related' || b.kind === 'related') return b;
  return { ...a, selection: mergeSelections(a.selection, b.selection) };
}
