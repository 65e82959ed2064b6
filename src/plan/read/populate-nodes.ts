/**
 * @module The nodes of a populate: what a step leads to, with what is shown of it.
 */
import { forbidden } from '../../errors.ts';
import { type Attribute, isHidden } from '../../registry/model.ts';
import { allOf } from '../model/condition.ts';
import type { Condition, Populate, PopulateCommon, Selection, Step } from '../model/read-plan.ts';
import { cohortCondition } from '../model/versions.ts';
import { shownScalars } from './fields.ts';
import { type Lead, mayReadDrafts, type NameScope, type PlanContext } from './name-scope.ts';

export const isPopulatable = (attribute: Attribute): boolean => attribute.kind !== 'scalar' && !isHidden(attribute);

/** Nothing below, everything of its own. */
export const plain = (scope: NameScope): Selection => ({ attributes: shownScalars(scope), populate: [] });

type Options = Partial<Pick<PopulateCommon, 'order' | 'count' | 'where'>>;

/**
 * `publicationFilter` chooses among targets with drafts by the state of each.
 * @throws ApiError 403 for who may not read drafts: it tells which published documents differ from theirs.
 */
function cohortOf({ step, scope: { type } }: Lead, context: PlanContext): Condition | undefined {
  const { publicationFilter: filter } = context;
  if (!filter || !type?.draftAndPublish || step.kind === 'component') return undefined;
  if (!mayReadDrafts(type, context)) throw forbidden();
  return cohortCondition(type, step.kind === 'link' ? step.link.status : step.status, filter);
}

function isMultiple(step: Step): boolean {
  if (step.kind === 'link') return step.link.multiple;
  if (step.kind === 'reference') return step.attribute.multiple;
  return step.kind === 'localizations' || step.attribute.repeatable;
}

/**
 * What a step leads to: without options all of it, in its stored order.
 * @throws ApiError 403 for a `publicationFilter` of who may not read drafts.
 */
export function nodeOf(
  name: string,
  lead: Lead,
  selection: Selection,
  context: PlanContext,
  { where: asked, ...options }: Options = {},
): Populate {
  const { step } = lead;
  const where = allOf([asked, cohortOf(lead, context)].filter((condition) => condition !== undefined));
  const multiple = isMultiple(step);
  return { ...step, name, selection, order: [], count: false, multiple, ...options, ...(where && { where }) };
}
