/**
 * @module The operators of filters, and the types of attributes that they fit.
 */
import { type Attribute, isPopulated, NUMBER_TYPES, TIME_TYPES } from '../model/attribute.ts';

const LABELS: Readonly<Record<string, string>> = {
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
  $notIn: 'is none of',
  $notNull: 'has a value',
  $null: 'has no value',
};

const EQUAL = ['$eq', '$ne'];
const CONTAINS = ['$containsi', '$notContainsi'];
const TEXT = '$startsWithi $endsWithi $eqi $nei $contains $notContains $startsWith $endsWith'.split(' ');
const ORDER = ['$lt', '$lte', '$gt', '$gte', '$between'];
const LISTS = ['$in', '$notIn'];
const PRESENCE = ['$notNull', '$null'];

/** `contains · $containsi` */
export const operatorLabel = (name: string): string => `${LABELS[name] ?? LABELS[name.slice(0, -1)]} · ${name}`;

export const takesNoValue = (operator: string): boolean => PRESENCE.includes(operator);
export const takesList = (operator: string): boolean => LISTS.includes(operator);

/** Returns the operators that fit an attribute, the most likely first. */
export function operatorsOf(attribute: Attribute | undefined): readonly string[] {
  const { type } = attribute ?? { type: 'string' };
  if (attribute && isPopulated(attribute)) return PRESENCE;
  if (type === 'boolean') return [...EQUAL, ...PRESENCE];
  if (type === 'json' || type === 'blocks') return [...CONTAINS, ...PRESENCE];
  if (type === 'enumeration') return [...EQUAL, ...LISTS, ...PRESENCE, ...CONTAINS, ...TEXT];
  const others = [...ORDER, ...LISTS, ...PRESENCE];
  const isOrdered = NUMBER_TYPES.includes(type) || TIME_TYPES.includes(type);
  return isOrdered ? [...EQUAL, ...others] : [...CONTAINS, ...EQUAL, ...TEXT, ...others];
}
