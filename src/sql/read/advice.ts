/**
 * @module Which index would serve a list that reads many rows.
 */
import type { Condition, Order, ReadPlan } from '../../plan/model/read-plan.ts';
import { isIndexable } from '../../registry/indexes.ts';
import type { ContentType, ScalarAttribute } from '../../registry/model.ts';
import { looksForText } from './search-index.ts';

type Comparing = Extract<Condition, { kind: 'compare' }>;

const RANGES: ReadonlySet<string> = new Set(['$lt', '$lte', '$gt', '$gte', '$between']);

/** Comparisons that every row of a list meets. */
function comparisons(condition: Condition | undefined): readonly Comparing[] {
  if (condition?.kind === 'and') return condition.conditions.flatMap(comparisons);
  return condition?.kind === 'compare' ? [condition] : [];
}

const namesOf = (compared: readonly Comparing[], type: ContentType): readonly string[] => [
  ...new Set(compared.map(({ attribute }) => attribute.name).filter((name) => isIndexable(name, type))),
];

const isOwn = ({ steps, attribute }: Order, type: ContentType): boolean =>
  steps.length === 0 && isIndexable(attribute.name, type);

const termOf = ({ attribute, descending }: { attribute: ScalarAttribute; descending: boolean }): string =>
  `${attribute.name}${descending ? ':desc' : ''}`;

/** What is compared with one value, then what the list is sorted by, or else what has to lie in a range. */
function termsOf({ type, where, order }: ReadPlan): readonly string[] {
  const compared = comparisons(where);
  const fixed = namesOf(
    compared.filter(({ operator, operands }) => operator === '$in' || (operator === '$eq' && operands[0] !== null)),
    type,
  );
  const end = order.findIndex((term) => !isOwn(term, type));
  const sorted = order.slice(0, end < 0 ? undefined : end).filter(({ attribute }) => !fixed.includes(attribute.name));
  if (sorted.length > 0) return [...fixed, ...sorted.map(termOf)];
  const [range] = namesOf(
    compared.filter(({ operator }) => RANGES.has(operator)),
    type,
  );
  return range === undefined ? fixed : [...fixed, range];
}

/** A setting for `edgewise.config.ts`; undefined where no index would help, or the one that would is there. */
export function adviceFor(plan: ReadPlan): string | undefined {
  const { type, where, versions } = plan;
  if (type.system || type.kind === 'singleType') return undefined;
  if (where && looksForText(where)) return type.searchable ? undefined : `search: ['${type.uid}']`;
  if (versions.locales?.length !== 1) return undefined;
  const terms = termsOf(plan);
  const isThere = type.indexes.some(
    (index) => index.map(({ name, descending }) => (descending ? `${name}:desc` : name)).join() === terms.join(),
  );
  return terms.length === 0 || isThere
    ? undefined
    : `indexes: { '${type.uid}': [[${terms.map((term) => `'${term}'`).join(', ')}]] }`;
}
