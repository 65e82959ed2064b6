/**
 * @module Predicates of the kinds of plan nodes: a new kind has its callers here.
 */
import { kindOf } from '../../../common/kinds.ts';
import type { Populate, PopulatedBlocks, Selection } from './read-plan.ts';

/** Of steps and of nodes of a populate. */
export const isLink = kindOf('link');
export const isReference = kindOf('reference');
export const isLocalizations = kindOf('localizations');
export const isComponentNode = kindOf('component');
export const isZoneNode = kindOf('dynamiczone');
export const isMixedNode = kindOf('polymorphic');
export const isUsage = kindOf('related');

export const isBlocks = (node: Populate): node is PopulatedBlocks => isComponentNode(node) || isZoneNode(node);

/** Has the response the number of its targets beside them? */
export const hasCount = (node: Populate): boolean => !isZoneNode(node) && !isUsage(node) && node.withCount === true;

/** Returns what a response shows of all that a node leads to, one for each type. */
export function selectionsOf(node: Populate): readonly Selection[] {
  switch (node.kind) {
    case 'link':
    case 'reference':
    case 'localizations':
    case 'component':
      return [node.selection];
    case 'dynamiczone':
      return [...node.parts.values()];
    case 'polymorphic':
      return node.parts.map(({ selection }) => selection);
    case 'related':
      return [];
    default:
      return node satisfies never;
  }
}
