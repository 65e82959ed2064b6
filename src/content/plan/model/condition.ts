/**
 * @module Combines conditions, negates them, and evaluates them for a missing row.
 */
import { kindOf } from '../../../common/kinds.ts';
import type { Condition } from './read-plan.ts';

type Group = Extract<Condition, { readonly kind: 'and' | 'or' }>;

export const isNever = kindOf('never');
export const isSearch = kindOf('search');
export const isWordSearch = kindOf('words');
export const isGroup = (condition: Condition | undefined): condition is Group =>
  condition?.kind === 'and' || condition?.kind === 'or';
export const isComparison = kindOf('compare');
const isNull = kindOf('null');
export const isNegation = kindOf('not');
export const isStep = kindOf('related');

/** Returns the conjunction; undefined for an empty list. */
export const allOf = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.length < 2 ? conditions[0] : { kind: 'and', conditions };

/** Negates below relations, as Strapi, which joins first: "not written by Zed" finds documents with another author. */
export function negate(condition: Condition): Condition {
  if (isNegation(condition)) return condition.condition;
  if (isStep(condition)) return { ...condition, where: negate(condition.where) };
  if (!isGroup(condition)) return { kind: 'not', condition };
  return { kind: condition.kind === 'and' ? 'or' : 'and', conditions: condition.conditions.map(negate) };
}

/** Would the condition hold for a row of nulls? SQL's unknown counts as false. */
export function holdsForNullRow(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.every(holdsForNullRow);
    case 'or':
      return condition.conditions.some(holdsForNullRow);
    case 'null':
      return condition.is;
    case 'compare':
      return condition.operator === '$eq' && condition.operands.includes(null);
    case 'not':
      return isNull(condition.condition) && !condition.condition.is;
    case 'related':
      return holdsForNullRow(condition.where);
    case 'search':
    case 'words':
    case 'other-version':
    case 'first-locale':
    case 'version':
    case 'caller':
    case 'never':
      return false;
    default:
      return condition satisfies never;
  }
}
