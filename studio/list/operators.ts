/**
 * @module The operators of filters, and the types of attributes that they fit.
 */
import { type Attribute, isPopulated, NUMBER_TYPES, TIME_TYPES } from '../model/attribute.ts';

export const OPERATORS: Readonly<Record<string, string>> = {
  $eq: 'is',
  $ne: 'is not',
  $containsi: 'contains',
  $notContainsi: 'does not contain',
  $startsWithi: 'starts with',
  $endsWithi: 'ends with',
  $lt: 'is less than',
  $lte: 'is at most',
  $gt: 'is more than',
  $gte: 'is at least',
  $between: 'is between',
  $in: 'is one of',
  $notIn: 'is none of',
  $notNull: 'has a value',
  $null: 'has no value',
  $eqi: 'is',
  $nei: 'is not',
  $contains: 'contains',
  $notContains: 'does not contain',
  $startsWith: 'starts with',
  $endsWith: 'ends with',
};

const PRESENCE = ['$notNull', '$null'];
const LISTS = ['$in', '$notIn'];
const ORDER = ['$lt', '$lte', '$gt', '$gte', '$between'];
const TEXT = [
  '$containsi',
  '$notContainsi',
  '$startsWithi',
  '$endsWithi',
  '$eqi',
  '$nei',
  '$contains',
  '$notContains',
  '$startsWith',
  '$endsWith',
];

export const takesNoValue = (operator: string): boolean => PRESENCE.includes(operator);
export const takesList = (operator: string): boolean => LISTS.includes(operator);

/** Returns the operators that fit an attribute, the most likely first. */
export function operatorsOf(attribute: Attribute | undefined): readonly string[] {
  const { type } = attribute ?? { type: 'string' };
  if (attribute && isPopulated(attribute)) return PRESENCE;
  if (type === 'boolean') return ['$eq', '$ne', ...PRESENCE];
  if (NUMBER_TYPES.includes(type) || TIME_TYPES.includes(type)) return ['$eq', '$ne', ...ORDER, ...LISTS, ...PRESENCE];
  if (type === 'enumeration') return ['$eq', '$ne', ...LISTS, ...PRESENCE, ...TEXT];
  if (type === 'json' || type === 'blocks') return ['$containsi', '$notContainsi', ...PRESENCE];
  return ['$containsi', '$eq', '$ne', ...TEXT.slice(1), ...ORDER, ...LISTS, ...PRESENCE];
}
