/**
 * @module The rows behind a cursor: as a condition, or as successive ranges of an index. An index finds the start of
 * each, so every page costs the same.
 */
import { type SQL, sql } from 'drizzle-orm';
import { MAX_TERMS } from '../../../common/d1-limits.ts';
import { FIELDS } from '../../../schema/fields.ts';
import type { Order } from '../../plan/model/read-plan.ts';
import { balanced } from '../pieces.ts';
import type { Scope } from '../scope.ts';
import { sortedValue } from './conditions.ts';
import { isOwnId } from './order-index.ts';

type Key = string | number | null;

/** A rank is a small integer. */
const isExact = ({ attribute, rank }: Order): boolean => !rank && FIELDS[attribute.type].exact === true;

/** The value for a cursor: integers as text, since they may exceed 2^53; real numbers are those beyond 2^63. */
export const orderKey = (term: Order, scope: Scope): SQL => {
  const value = sortedValue(term, scope);
  return isExact(term) ? sql`iif(typeof(${value}) = 'real', ${value}, cast(${value} as text))` : value;
};

const bound = (key: Key, term: Order): SQL =>
  isExact(term) && typeof key === 'string' ? sql`cast(${key} as integer)` : sql`${key}`;

const same = (term: Order, key: Key, scope: Scope): SQL => {
  const value = sortedValue(term, scope);
  return key === null ? sql`${value} is null` : sql`${value} = ${bound(key, term)}`;
};

/** The ranges behind a value, in order. Nulls come first ascending and last descending. */
function behind(term: Order, key: Key, scope: Scope): readonly SQL[] {
  const value = sortedValue(term, scope);
  if (!term.descending) return [key === null ? sql`${value} is not null` : sql`${value} > ${bound(key, term)}`];
  if (key === null) return [];
  const less = sql`${value} < ${bound(key, term)}`;
  return isOwnId(term) || term.rank ? [less] : [less, sql`${value} is null`];
}

/** The rows that are tied in the first term and behind in the others, and those behind in the first. */
function splitBehind([term, ...terms]: readonly Order[], [key = null, ...keys]: readonly Key[], scope: Scope) {
  if (!term) return { tied: [], further: [] };
  const tied = terms.length > 0 ? [balanced([same(term, key, scope), rowsBehind(terms, keys, scope)], 'and')] : [];
  return { tied, further: behind(term, key, scope) };
}

export function rowsBehind(order: readonly Order[], after: readonly Key[], scope: Scope): SQL {
  const { tied, further } = splitBehind(order, after, scope);
  return balanced([...further, ...tied], 'or');
}

/** The same rows as ranges, in order. */
export function rangesBehind(order: readonly Order[], after: readonly Key[], scope: Scope): readonly SQL[] {
  const ranges = order.map((last, count) => {
    const ties = order.slice(0, count).map((term, index) => same(term, after[index] ?? null, scope));
    return behind(last, after[count] ?? null, scope).map((range) => balanced([...ties, range], 'and'));
  });
  if (ranges.flat().length <= MAX_TERMS) return ranges.toReversed().flat();
  const { tied, further } = splitBehind(order, after, scope);
  return [...tied, ...further];
}
