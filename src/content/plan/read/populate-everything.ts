/**
 * @module Attributes with the scalars of what they lead to, and `populate=*`, which brings all of these.
 */
import { isRelated } from '../../../schema/attribute-kinds.ts';
import type { Attribute } from '../../../schema/model.ts';
import type { Populate } from '../model/read-plan.ts';
import { isForbidden, type NameScope, relationStep } from './name-scope.ts';
import { isMixed, mixedNode, relatedNode } from './populate-mixed.ts';
import { isPopulatable, nodeOf, present, scalarSelection } from './populate-nodes.ts';
import { type Node, type Walk, walkBelow } from './populate-walk.ts';

/** Selects an attribute with its scalars. */
export function simpleNode(attribute: Attribute, scope: NameScope, walk: Walk): Node {
  if (isMixed(attribute)) return mixedNode(attribute, scope, scalarSelection, walk);
  if (isRelated(attribute)) return relatedNode(attribute, walk);
  const lead = relationStep(attribute, scope, walk);
  return lead && nodeOf(attribute.name, lead, scalarSelection(lead.scope), walk);
}

/** `populate=*`: one level of all visible attributes. Its caller counts the key. */
export function everything(scope: NameScope, walk: Walk): readonly Populate[] {
  const attributes = [...scope.attributes.values()].filter((item) => isPopulatable(item) && !isForbidden(item, walk));
  const nodes = attributes.map((attribute) => {
    walkBelow(walk, attribute);
    return simpleNode(attribute, scope, walk);
  });
  return present(nodes);
}
