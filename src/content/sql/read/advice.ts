/**
 * @module The setting of an index for a list that reads many rows.
 */

import { isIndexable } from '../../../schema/indexes.ts';
import type { ContentType, IndexTerm } from '../../../schema/model.ts';
import { isComparison, isGroup } from '../../plan/model/condition.ts';
import type { Condition, ReadPlan } from '../../plan/model/read-plan.ts';
import { looksForText } from './search-index.ts';

type Comparing = Extract<Condition, { kind: 'compare' }>;

const RANGES: ReadonlySet<string> = new Set(['$lt', '$lte', '$gt', '$gte', '$between']);

/** Returns the comparisons that every row of a list meets. */
export function comparisons(condition: Condition | undefined): readonly Comparing[] {
  if (isGroup(condition) && condition.kind === 'and') return condition.conditions.flatMap(comparisons);
  return isComparison(condition) ? [condition] : [];
}

const namesOf = (compared: readonly Comparing[], type: ContentType): readonly string[] => [
  ...new Set(compared.map(({ attribute }) => attribute.name).filter((name) => isIndexable(name, type))),
];

const termOf = ({ name, descending }: Omit<IndexTerm, 'column'>): string => (descending ? `${name}:desc` : name);

/** Returns what is compared with single values, then what the list is sorted by or else compared with a range. */
function termsOf({ type, where, order }: ReadPlan): readonly string[] {
  const compared = comparisons(where);
  const fixed = namesOf(
    compared.filter(({ operator, operands }) => operator === '$in' || (operator === '$eq' && operands[0] !== null)),
    type,
  );
  const end = order.findIndex(({ steps, attribute }) => steps.length > 0 || !isIndexable(attribute.name, type));
  const sorted = order.slice(0, end < 0 ? undefined : end).filter(({ attribute }) => !fixed.includes(attribute.name));
  if (sorted.length > 0)
    return [...fixed, ...sorted.map(({ attribute: { name }, descending }) => termOf({ name, descending }))];
  const [range] = namesOf(
    compared.filter(({ operator }) => RANGES.has(operator)),
    type,
  );
  return range === undefined ? fixed : [...fixed, range];
}

/** Returns a setting for `edgewise.config.ts`; undefined if no index would help, or it exists. */
export function adviceFor(plan: ReadPlan): string | undefined {
  const { type, where, versions } = plan;
  if (type.system || type.kind === 'singleType') return undefined;
  if (where && looksForText(where)) return type.searchable ? undefined : `search: ['${type.uid}']`;
  if (versions.locales?.length !== 1) return undefined;
  const terms = termsOf(plan);
  const exists = type.indexes.some((index) => index.map(termOf).join() === terms.join());
  if (terms.length === 0 || exists) return undefined;
  return `indexes: { '${type.uid}': [[${terms.map((term) => `'${term}'`).join(', ')}]] }`;
}
