/**
 * @module Conditions put together: conjunction, negation, and what they say of a row that is not there.
 */
import type { Condition } from './read-plan.ts';

/** Undefined for none. */
export function allOf(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length < 2 ? conditions[0] : { kind: 'and', conditions };
}

/**
 * A negation stays with what a relation leads to: "not written by Zed" is about documents with another author, as in
 * the reference, whose joins happen before any condition.
 */
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

/** Would the condition hold for a row whose every column is null? SQL's unknown counts as no. */
export function holdsForNothing(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.every(holdsForNothing);
    case 'or':
      return condition.conditions.some(holdsForNothing);
    case 'null':
      return condition.is;
    case 'compare':
      return condition.operator === '$eq' && condition.operands.includes(null);
    case 'not':
      return condition.condition.kind === 'null' && !condition.condition.is;
    case 'related':
      return holdsForNothing(condition.where);
    default:
      return false;
  }
}
