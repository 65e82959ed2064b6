/**
 * @module The nodes of a populate: what a step leads to, with what is shown of it.
 */
import type { Attribute } from '../registry/model.ts';
import { shownScalars } from './plan-fields.ts';
import type { Populate, PopulateCommon, Selection } from './read-plan.ts';
import { isHidden } from './resolve.ts';
import { mayFind, type Place, type PlanContext, type Step } from './scope.ts';

export const isPopulatable = (attribute: Attribute): boolean =>
  attribute.kind !== 'scalar' && attribute.kind !== 'creator' && !isHidden(attribute);

/** May the caller not know of what the attribute leads to? Then it is left out. */
export const isForbidden = (attribute: Attribute, context: PlanContext): boolean =>
  attribute.kind === 'relation' && !mayFind(attribute, context);

/** Nothing below, everything of its own. */
export const plain = (place: Place): Selection => ({ attributes: shownScalars(place), populate: [] });

type Options = Partial<Pick<PopulateCommon, 'order' | 'count' | 'where'>>;

/** What a step leads to: without options all of it, in its stored order. */
export function nodeOf(name: string, { via }: Step, selection: Selection, options: Options = {}): Populate {
  const common: PopulateCommon = { name, selection, order: [], count: false, ...options };
  switch (via.kind) {
    case 'link':
      return { ...common, kind: 'link', link: via.link };
    case 'reference':
      return { ...common, kind: 'reference', attribute: via.attribute, target: via.target, status: via.status };
    case 'component':
      return { ...common, kind: 'component', attribute: via.attribute };
    default:
      return { ...common, kind: 'localizations', type: via.type, status: via.status };
  }
}
