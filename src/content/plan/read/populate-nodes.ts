/**
 * @module Builds and merges the nodes of a populate.
 */
import { isHidden, isScalar } from '../../../schema/attribute-kinds.ts';
import type { Attribute } from '../../../schema/model.ts';
import { allOf } from '../model/condition.ts';
import { isComponentNode, isLink, isMixedNode, isReference, isUsage, isZoneNode } from '../model/node-kinds.ts';
import type { Condition, Populate, PopulateCommon, Selection, Step } from '../model/read-plan.ts';
import { cohortCondition } from '../model/versions.ts';
import { shownScalars } from './fields.ts';
import { canReadDrafts, lacksDrafts, type NameScope, type PlanContext, type RelationStep } from './name-scope.ts';

export const isPopulatable = (attribute: Attribute): boolean => !isScalar(attribute) && !isHidden(attribute);

/** Selects all visible scalars. */
export const scalarSelection = (scope: NameScope): Selection => ({ attributes: shownScalars(scope), populate: [] });

type Options = Partial<Pick<PopulateCommon, 'order' | 'count' | 'where' | 'slice' | 'withCount'>>;

/** Returns the condition of `publicationFilter` on targets. @throws ApiError 403 if the caller may not read drafts */
function cohortOf({ step, scope: { type } }: RelationStep, context: PlanContext): Condition | undefined {
  const { publicationFilter: filter } = context;
  if (!filter || !type?.draftAndPublish || isComponentNode(step)) return undefined;
  if (!canReadDrafts(type, context)) throw lacksDrafts(type);
  return cohortCondition(type, isLink(step) ? step.link.status : step.status, filter, context.visible);
}

function isMultiple(step: Step): boolean {
  if (isLink(step)) return step.link.multiple;
  if (isReference(step)) return step.attribute.multiple;
  return step.kind === 'localizations' || step.attribute.repeatable;
}

/** Returns the node of a step; without options all targets, in their stored order. @throws ApiError 403 as `cohortOf` */
export function nodeOf(
  name: string,
  lead: RelationStep,
  selection: Selection,
  context: PlanContext,
  { where: filters, ...options }: Options = {},
): Step & PopulateCommon {
  const { step } = lead;
  const where = allOf([filters, cohortOf(lead, context)].filter((condition) => condition !== undefined));
  const multiple = isMultiple(step);
  return { ...step, name, selection, order: [], count: false, multiple, ...options, ...(where && { where }) };
}

/** Leaves out what the caller may not find. */
export const present = (nodes: readonly (Populate | undefined | null)[]): readonly Populate[] =>
  nodes.filter((node) => node !== undefined && node !== null);

/** Merges nodes by name: `author.avatar,author.links` is one author with both. */
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
  if (isZoneNode(a) && isZoneNode(b)) {
    const parts = [...a.parts].map(([uid, part]) => [uid, mergeSelections(part, b.parts.get(uid) ?? part)] as const);
    return { ...a, parts: new Map(parts) };
  }
  // A path ends at values of several types, and at the uses of a file.
  if (isMixedNode(a) || isMixedNode(b)) return b;
  if (isZoneNode(a) || isZoneNode(b) || isUsage(a) || isUsage(b)) return b;
  return { ...a, selection: mergeSelections(a.selection, b.selection) };
}
