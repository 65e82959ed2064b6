/**
 * @module Finds the references below a component or zone column whose targets one subquery reads: zones allow many
 * components, most of which lead to the same few types.
 */
import { isObject } from '../../../common/json.ts';
import type { ScalarAttribute } from '../../../schema/model.ts';
import { isComponentNode, isMixedNode, isReference, isUsage, isZoneNode, selectionsOf } from '../model/node-kinds.ts';
import type { Populate, PopulatedBlocks, PopulatedReference, Selection, SharedTargets } from '../model/read-plan.ts';

/** Replaces what a plan refers to by its name. */
function nameReferences(_: string, value: unknown): unknown {
  if (value instanceof Map) return [...value];
  if (!isObject(value)) return value;
  if (value.kind === 'scalar') return value.name;
  return 'uid' in value ? value.uid : value;
}

/** Equal for references that read the same rows, with the same populate. A count shows none of it. */
const keyOf = ({ target, status, visible, where, order, count, selection }: PopulatedReference): string =>
  JSON.stringify([target, status, visible, where, order, count ? [] : selection.populate], nameReferences);

/** @param node in the column */
function referencesIn(node: Populate): readonly PopulatedReference[] {
  if (isReference(node)) return [node];
  if (isMixedNode(node)) return node.parts.filter(isReference);
  return selectionsOf(node).flatMap(({ populate }) => populate.flatMap(referencesIn));
}

/** Returns the list that has all attributes, since pieces of SQL are kept by list; a new one if none has. */
function unionOf(lists: readonly (readonly ScalarAttribute[])[]): readonly ScalarAttribute[] {
  const all = [...new Set(lists.flat())];
  return lists.find(({ length }) => length === all.length) ?? all;
}

function sharedBy(references: SharedTargets['references']): SharedTargets {
  const shown = references.filter(({ count }) => !count).map(({ selection }) => selection);
  const [{ populate } = { populate: [] }] = shown;
  return { references, selection: { attributes: unionOf(shown.map(({ attributes }) => attributes)), populate } };
}

function sharedTargets(column: PopulatedBlocks): readonly SharedTargets[] {
  const alike = [...Map.groupBy(referencesIn(column), keyOf).values()];
  return alike.flatMap(([first, ...others]) => (first ? [sharedBy([first, ...others])] : []));
}

function planned(node: Populate, isInColumn: boolean): Populate {
  const below = (selection: Selection, inColumn: boolean): Selection => ({
    ...selection,
    populate: selection.populate.map((each) => planned(each, inColumn)),
  });
  if (isUsage(node)) return node;
  if (isMixedNode(node))
    return { ...node, parts: node.parts.map((part) => ({ ...part, selection: below(part.selection, false) })) };
  if (!isComponentNode(node) && !isZoneNode(node)) return { ...node, selection: below(node.selection, false) };
  const blocks: PopulatedBlocks =
    node.kind === 'component'
      ? { ...node, selection: below(node.selection, true) }
      : { ...node, parts: new Map([...node.parts].map(([uid, part]) => [uid, below(part, true)])) };
  return isInColumn ? blocks : { ...blocks, shared: sharedTargets(blocks) };
}

/** Adds to each component and zone of a row what its references read. @param populate that of a row, merged */
export const withSharedTargets = (populate: readonly Populate[]): readonly Populate[] =>
  populate.map((node) => planned(node, false));
