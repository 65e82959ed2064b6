/**
 * @module Conditions of grants, one for each operator of filters. A new operator joins all fuzzers by its entry.
 */
import type { LOGIC, OperatorName } from '../../src/content/request/operators.ts';

export type Where = Readonly<Record<string, unknown>>;

/** What a condition decides by: a text attribute, the value of documents that it shows, and those of hidden ones. */
export interface Marked {
  readonly attribute: string;
  readonly shown: string;
  readonly hidden: readonly string[];
}

type Condition = (marked: Marked) => Where;

const shownBy =
  (comparison: (shown: string) => unknown): Condition =>
  ({ attribute, shown }) => ({ [attribute]: comparison(shown) });

/** None of the hidden values. */
const none =
  (operator: OperatorName): Condition =>
  ({ attribute, hidden }) => ({ $and: hidden.map((value) => ({ [attribute]: { [operator]: value } })) });

const CONDITIONS: Readonly<Record<OperatorName | keyof typeof LOGIC, Condition>> = {
  $eq: shownBy((shown) => shown),
  $eqi: shownBy((shown) => ({ $eqi: shown.toUpperCase() })),
  $ne: none('$ne'),
  $nei: none('$nei'),
  $lt: shownBy((shown) => ({ $gte: shown, $lt: `${shown}~` })),
  $lte: shownBy((shown) => ({ $gte: shown, $lte: shown })),
  $gt: shownBy((shown) => ({ $gt: shown.slice(0, -1), $lte: shown })),
  $gte: shownBy((shown) => ({ $gte: shown, $eq: shown })),
  $in: shownBy((shown) => ({ $in: [shown] })),
  $notIn: ({ attribute, hidden }) => ({ [attribute]: { $notIn: hidden } }),
  $contains: shownBy((shown) => ({ $contains: shown.slice(1, -1) })),
  $notContains: none('$notContains'),
  $containsi: shownBy((shown) => ({ $containsi: shown.slice(1).toUpperCase() })),
  $notContainsi: none('$notContainsi'),
  $startsWith: shownBy((shown) => ({ $startsWith: shown.slice(0, 3) })),
  $startsWithi: shownBy((shown) => ({ $startsWithi: shown.toUpperCase() })),
  $endsWith: shownBy((shown) => ({ $endsWith: shown.slice(-3) })),
  $endsWithi: shownBy((shown) => ({ $endsWithi: shown.toUpperCase() })),
  $null: shownBy((shown) => ({ $null: false, $eq: shown })),
  $notNull: shownBy((shown) => ({ $notNull: true, $in: [shown] })),
  $between: shownBy((shown) => ({ $between: [shown, shown] })),
  $and: ({ attribute, shown, hidden }) => ({ $and: [{ [attribute]: { $notIn: hidden } }, { [attribute]: shown }] }),
  $or: ({ attribute, shown, hidden }) => ({ $or: [{ [attribute]: shown }, { [attribute]: { $notIn: hidden } }] }),
  $not: ({ attribute, hidden }) => ({ $not: { [attribute]: { $in: hidden } } }),
};

/** Returns a function that returns conditions by one operator after the other. @param first from which one */
export function conditionsFrom(first: number): Condition {
  const all = Object.values(CONDITIONS);
  let at = first;
  return (marked) => {
    at += 1;
    return (all[at % all.length] as Condition)(marked);
  };
}
