/**
 * @module Operators of filters in words, which stand between an attribute and a value.
 */
import type { Text } from '../texts/text.ts';

/** By the name of an operator, as `plainOperator` returns it. */
export const OPERATOR_LABELS: Readonly<Record<string, Text>> = {
  $eq: 'is',
  $ne: 'is not',
  $contains: 'contains',
  $notContains: 'does not contain',
  $startsWith: 'starts with',
  $endsWith: 'ends with',
  $lt: 'is less than',
  $lte: 'is at most',
  $gt: 'is more than',
  $gte: 'is at least',
  $between: 'is between',
  $in: 'is one of',
  $notIn: 'is not one of',
  $notNull: 'has a value',
  $null: 'has no value',
};

/** `$containsi` → `$contains`; operators that ignore letter case have the words of the others. */
export const plainOperator = (name: string): string =>
  Object.hasOwn(OPERATOR_LABELS, name) ? name : name.replace(/i$/, '');
