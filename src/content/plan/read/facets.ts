/**
 * @module Resolves `facets`: attributes with few values, and relations.
 */
import { invalid, invalidKey } from '../../../common/errors.ts';
import { isRelation, isScalar } from '../../../schema/attribute-kinds.ts';
import { FIELDS } from '../../../schema/fields.ts';
import type { Attribute } from '../../../schema/model.ts';
import { isLink } from '../model/node-kinds.ts';
import type { Facet } from '../model/read-plan.ts';
import { DOCUMENT_ID } from '../model/resolve.ts';
import { isForbidden, type NameScope, type PlanContext, resolveStep } from './name-scope.ts';

/** May a list count its values? */
export const hasFacet = (attribute: Attribute): boolean =>
  isRelation(attribute) || (isScalar(attribute) && FIELDS[attribute.type].facet === true);

/**
 * Follows relations as filters do, so that a count is the total of the list with a filter for its value.
 * @throws ApiError 400 for too many, for unknown and hidden keys, and for attributes without facets; 403 for drafts that
 * the caller may not read
 */
export function planFacets(names: readonly string[], scope: NameScope, context: PlanContext): readonly Facet[] {
  const { source, limits } = context;
  if (names.length > limits.facets)
    throw invalid(`Too many facets. Expected at most ${limits.facets}`, { ...source, limit: 'facets' });
  const named = names.map((name) => {
    const attribute = scope.attributes.get(name);
    if (!attribute) throw invalidKey(name, null, source);
    return attribute;
  });
  const forbidden = named.find((attribute) => isForbidden(attribute, context));
  if (forbidden) throw invalidKey(forbidden.name, forbidden.name, source);
  return named.map((attribute) => {
    const { name } = attribute;
    const expected = "Invalid parameter at 'facets'. Expected relations, enumerations, booleans, integers and strings";
    if (!hasFacet(attribute)) throw invalid(`${expected}, received: ${name}`, source);
    if (isScalar(attribute)) return { name, attribute };
    const step = resolveStep(attribute, scope, context)?.step;
    if (!isLink(step)) throw invalidKey(name, name, source);
    return { name, attribute: DOCUMENT_ID, step };
  });
}
