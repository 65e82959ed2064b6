/**
 * @module Does an index hold the order of a page, so that its rows need no sort?
 */

import type { IndexTerm } from '../../../schema/model.ts';
import type { Order, ReadPlan } from '../../plan/model/read-plan.ts';
import { ID } from '../../plan/model/resolve.ts';
import { comparisons } from './advice.ts';

/** Returns the columns with one value in all rows that meet the condition. */
const fixedColumns = ({ where }: ReadPlan): readonly string[] =>
  comparisons(where)
    .filter(({ operator, operands, attribute }) => operator === '$eq' && operands.length === 1 && !attribute.overflow)
    .map(({ attribute }) => attribute.column);

/** Is it the `id` of the row itself, which is never null? */
export const isOwnId = ({ attribute, steps }: Order): boolean => attribute === ID && steps.length === 0;

/** Returns the terms without the `id`, which ends every index. */
const termsOf = (order: readonly Order[]): readonly Order[] => order.filter((term) => !isOwnId(term));

const isSame = ({ steps, attribute }: Order, term: IndexTerm | undefined): boolean =>
  steps.length === 0 && !attribute.overflow && attribute.column === term?.column;

/** Returns the terms of each index behind those that a filter fixes. */
function openTerms(plan: ReadPlan): readonly (readonly IndexTerm[])[] {
  if (plan.versions.locales?.length !== 1) return [];
  const fixed = fixedColumns(plan);
  return plan.type.indexes.map((terms) => {
    const first = terms.findIndex(({ column }) => !fixed.includes(column));
    return first < 0 ? [] : terms.slice(first);
  });
}

/** Is it the order of the `id`, or of all terms of an index? */
export function isOrdered(plan: ReadPlan): boolean {
  const terms = termsOf(plan.order);
  const [first] = plan.order;
  if (first && isOwnId(first)) return true;
  if (plan.order.at(-1)?.descending !== false) return false;
  return openTerms(plan).some(
    (open) =>
      open.length === terms.length &&
      terms.every((term, index) => isSame(term, open[index]) && term.descending === open[index]?.descending),
  );
}

/** Can an index seek the first term of the order? */
export const isSought = (plan: ReadPlan): boolean => {
  const [first] = termsOf(plan.order);
  return first !== undefined && openTerms(plan).some(([term]) => isSame(first, term));
};
