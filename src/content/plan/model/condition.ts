/**
 * @module Combines conditions, negates them, and evaluates them for a missing row.
 */
import type { Condition } from './read-plan.ts';

/** Returns the conjunction; undefined for an empty list. */
export const allOf = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.length < 2 ? conditions[0] : { kind: 'and', conditions };

/** Negates below relations, as Strapi, which joins first: "not written by Zed" finds documents with another author. */
export function negate(condition: Condition): Condition {
  switch (condition.kind) {
    case 'not':
      return condition.condition;
    case 'and':
    case 'or':
      return { kind: condition.kind === 'and' ? 'or' : 'and', conditions: condition.conditions.map(negate) };
    case 'related':
      return { ...condition, where: negate(condition.where) };
    default:
      return { kind: 'not', condition };
  }
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
      return condition.condition.kind === 'null' && !condition.condition.is;
    case 'related':
      return holdsForNullRow(condition.where);
    default:
      return false;
  }
}
