/**
 * @module Resolves `sort`, through relations, media and components.
 */
import { invalid, invalidKey } from '../../../common/errors.ts';
import { isHidden, isRelation, isScalar, isZone } from '../../../schema/attribute-kinds.ts';
import type { Attribute } from '../../../schema/model.ts';
import { isRank, type SortTerm } from '../../request/sort.ts';
import type { Order, Step, WordSearch } from '../model/read-plan.ts';
import { childPath, ID, identityOf, RANK } from '../model/resolve.ts';
import { canFind, type NameScope, type PlanContext, resolveStep } from './name-scope.ts';

/** @throws ApiError 400 for an unknown direction. */
function isDescending({ direction: written = 'asc' }: SortTerm): boolean {
  const direction = written.toLowerCase();
  if (direction === 'asc' || direction === 'desc') return direction === 'desc';
  throw invalid('Invalid order. order can only be one of asc|desc|ASC|DESC');
}

type Target = Pick<Order, 'steps' | 'attribute' | 'rank'>;

/** Strapi reads the direction of an attribute that is not a scalar as an unknown name. */
const misplaced = (direction: string | undefined, attribute: Attribute): boolean =>
  Boolean(direction) && !isZone(attribute);

/** @throws ApiError 400 "Invalid key", 403 */
function resolveTerm({ path, direction }: SortTerm, start: NameScope, context: PlanContext): Target {
  const { source } = context;
  const steps: Step[] = [];
  let scope = start;
  let at: string | null = null;
  for (const [index, key] of path.entries()) {
    const last = index === path.length - 1;
    const attribute = identityOf(key) ?? scope.attributes.get(key);
    if (!attribute) throw invalidKey(key, at, source);
    const here = childPath(at, key);
    if (isHidden(attribute)) throw invalidKey(key, here, source);
    if (isScalar(attribute)) {
      if (!last) throw invalidKey(path[index + 1] ?? '', here, source);
      return { steps, attribute };
    }
    const unseen = isRelation(attribute) && !canFind(attribute, context);
    if (last && !unseen && misplaced(direction, attribute)) throw invalidKey(direction ?? '', here, source);
    const lead = last || unseen ? undefined : resolveStep(attribute, scope, context);
    if (!lead) throw invalidKey(key, here, source);
    steps.push(lead.step);
    scope = lead.scope;
    at = here;
  }
  throw invalidKey('', at, source);
}

/**
 * Validates names first, then directions; like Strapi, rejects a malformed direction only beside other terms.
 * @param rank the search by whose rank a term may sort
 * @throws ApiError 400 "Invalid key", and for too many terms; 403 for drafts that the caller may not read
 */
export function planSort(
  terms: readonly SortTerm[],
  scope: NameScope,
  context: PlanContext,
  rank?: WordSearch,
): readonly Order[] {
  const max = context.limits.sortTerms;
  if (terms.length > max)
    throw invalid(`Too many sort terms. Expected at most ${max}`, { ...context.source, limit: 'sortTerms' });
  const targetOf = (term: SortTerm): Target =>
    rank && isRank(term) ? { steps: [], attribute: RANK, rank } : resolveTerm(term, scope, context);
  const targets = terms.map((term) => ({ term, target: targetOf(term) }));
  if (terms.length > 1 && terms.some(({ ignoredBecause }) => ignoredBecause === 'malformed'))
    throw invalid('Invalid sort type expected object or string got object');
  const sorting = targets.filter(({ term }) => !term.ignoredBecause);
  return sorting.map(({ term, target }) => ({ ...target, descending: isDescending(term) }));
}

/** Appends `id`, so that pages never overlap. */
export function endInId(order: readonly Order[]): readonly Order[] {
  const ends = order.some(({ attribute, steps }) => attribute === ID && steps.length === 0);
  return ends ? order : [...order, { steps: [], attribute: ID, descending: false }];
}
