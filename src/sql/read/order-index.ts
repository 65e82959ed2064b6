/**
 * @module Which orders an index holds, so that the rows of a page need no sort.
 */
import type { Condition, Order, ReadPlan } from '../../plan/model/read-plan.ts';
import { ID } from '../../plan/model/resolve.ts';
import type { IndexTerm } from '../../registry/model.ts';

/** Columns that have one value in all rows that meet a condition. */
function fixedColumns(condition: Condition | undefined): ReadonlySet<string> {
  if (condition?.kind === 'and') return new Set(condition.conditions.flatMap((item) => [...fixedColumns(item)]));
  if (condition?.kind !== 'compare') return new Set();
  const { operator, operands, attribute } = condition;
  const isFixed = operator === '$eq' && operands.length === 1 && !attribute.overflow;
  return new Set(isFixed ? [attribute.column] : []);
}

/** Is it the `id` of the row itself, which every row has? That of what steps lead to may be missing. */
export const isOwnId = ({ attribute, steps }: Order): boolean => attribute === ID && steps.length === 0;

/** The terms of an order before the `id`, which stands at the end of every index too. */
const termsOf = (order: readonly Order[]): readonly Order[] => order.filter((term) => !isOwnId(term));

const isSame = ({ steps, attribute }: Order, term: IndexTerm | undefined): boolean =>
  steps.length === 0 && !attribute.overflow && attribute.column === term?.column;

/** Terms of indexes behind those that a filter holds at one value. */
function openTerms({ type, versions, where }: ReadPlan): readonly (readonly IndexTerm[])[] {
  if (versions.locales?.length !== 1) return [];
  const fixed = fixedColumns(where);
  return type.indexes.map((terms) => {
    const first = terms.findIndex(({ column }) => !fixed.has(column));
    return first < 0 ? [] : terms.slice(first);
  });
}

/** Is the order that of the `id`, or that of an index to its last term? */
export function isOrdered(plan: ReadPlan): boolean {
  const terms = termsOf(plan.order);
  const [first] = plan.order;
  if (first && isOwnId(first)) return true;
  if (plan.order.at(-1)?.descending !== false) return false;
  return openTerms(plan).some(
    (open) =>
      open.length === terms.length &&
      terms.every((term, place) => isSame(term, open[place]) && term.descending === open[place]?.descending),
  );
}

/** Can an index begin at a place of the order, by its first term? */
export const isSought = (plan: ReadPlan): boolean => {
  const [first] = termsOf(plan.order);
  return first !== undefined && openTerms(plan).some(([term]) => isSame(first, term));
};
