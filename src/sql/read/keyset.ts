/**
 * @module The rows behind a cursor. By a condition, or as several ranges of an index, one after the other: an index
 * finds where each begins, so that every page costs the same.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Order } from '../../plan/model/read-plan.ts';
import { balanced } from '../pieces.ts';
import type { Scope } from '../scope.ts';
import { sortedValue } from './conditions.ts';
import { isOwnId } from './order-index.ts';

type Key = string | number | null;

/** D1 puts at most five lists behind one another. */
const MOST_RANGES = 5;

const isExact = ({ attribute }: Order): boolean => attribute.type === 'biginteger';

/** What a cursor has of a term; whole numbers beyond 2^53 are text on their way, those beyond 2^63 are real numbers. */
export const keyOf = (term: Order, scope: Scope): SQL => {
  const value = sortedValue(term, scope);
  return isExact(term) ? sql`iif(typeof(${value}) = 'real', ${value}, cast(${value} as text))` : value;
};

const bound = (key: Key, term: Order): SQL =>
  isExact(term) && typeof key === 'string' ? sql`cast(${key} as integer)` : sql`${key}`;

const same = (term: Order, key: Key, scope: Scope): SQL => {
  const value = sortedValue(term, scope);
  return key === null ? sql`${value} is null` : sql`${value} = ${bound(key, term)}`;
};

/** The ranges behind a value, in their order: nulls come first ascending and last descending. */
function behind(term: Order, key: Key, scope: Scope): readonly SQL[] {
  const value = sortedValue(term, scope);
  if (!term.descending) return [key === null ? sql`${value} is not null` : sql`${value} > ${bound(key, term)}`];
  if (key === null) return [];
  const less = sql`${value} < ${bound(key, term)}`;
  return isOwnId(term) ? [less] : [less, sql`${value} is null`];
}

/** One condition: behind in the first term, or the same there and behind in the others. */
export function rowsBehind(order: readonly Order[], after: readonly Key[], scope: Scope): SQL {
  const [term, ...terms] = order;
  const [key = null, ...keys] = after;
  if (!term) return sql`0`;
  const further = behind(term, key, scope);
  if (terms.length === 0) return balanced(further, 'or');
  const tied = balanced([same(term, key, scope), rowsBehind(terms, keys, scope)], 'and');
  return balanced([...further, tied], 'or');
}

/** The same as ranges, the nearest first. */
export function rangesBehind(order: readonly Order[], after: readonly Key[], scope: Scope): readonly SQL[] {
  const ranges = order.flatMap((_, place) => {
    const ties = order.slice(0, place).map((term, index) => same(term, after[index] ?? null, scope));
    const last = order[place] as Order;
    return [behind(last, after[place] ?? null, scope).map((range) => balanced([...ties, range], 'and'))];
  });
  if (ranges.flat().length <= MOST_RANGES) return ranges.toReversed().flat();
  const [first, ...terms] = order;
  const [key = null, ...keys] = after;
  if (!first) return [];
  const tied = balanced([same(first, key, scope), rowsBehind(terms, keys, scope)], 'and');
  return [tied, ...behind(first, key, scope)];
}
