/**
 * @module `filters` of a request ↔ conditions that a form shows. What has no form is kept as it is.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';
import { isQuery, type Query } from '../api/query-string.ts';
import type { Attribute } from '../model/attribute.ts';
import { TYPES } from '../model/attribute-types.ts';
import { OPERATOR_LABELS, plainOperator } from '../model/operators.ts';
import { type Text, text } from '../texts/text.ts';

const TIME_LABELS: Readonly<Record<string, Text>> = {
  $lt: 'before',
  $lte: 'up to',
  $gt: 'after',
  $gte: 'from',
  $between: 'between',
};

const EQUAL = ['$eq', '$ne'];
const CONTAINS = ['$containsi', '$notContainsi'];
const TEXT = [...CONTAINS, '$eqi', '$nei', '$startsWithi', '$endsWithi'];
const ORDER = ['$lt', '$lte', '$gt', '$gte', '$between'];
const LISTS = ['$in', '$notIn'];
const PRESENCE = ['$notNull', '$null'];

export const takesNoValue = (operator: string): boolean => PRESENCE.includes(operator);
export const takesList = (operator: string): boolean => LISTS.includes(operator);

/** One operator for each meaning, the most likely first. */
const OFFERED: Readonly<Record<AttributeType, readonly string[]>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'password'], [...TEXT, ...LISTS, ...PRESENCE]),
  enumeration: [...EQUAL, ...LISTS, ...PRESENCE],
  ...sameFor(['integer', 'biginteger', 'decimal', 'float'], [...EQUAL, ...ORDER, ...LISTS, ...PRESENCE]),
  boolean: ['$eq', ...PRESENCE],
  ...sameFor(['date', 'time'], [...ORDER, ...EQUAL, ...PRESENCE]),
  datetime: [...ORDER, ...PRESENCE],
  ...sameFor(['json', 'blocks'], [...CONTAINS, ...PRESENCE]),
  // It `is` a document: see `filter-words.ts`.
  relation: ['$eq', ...PRESENCE],
  ...sameFor(['media', 'component', 'dynamiczone'], PRESENCE),
};

/** Returns the operators that forms offer for an attribute. */
export const operatorsOf = (attribute: Attribute | undefined): readonly string[] =>
  OFFERED[attribute?.type ?? 'string'];

const ignoringCase = (attribute: Attribute | undefined, name: string): string =>
  operatorsOf(attribute).includes(`${name}i`) ? `${name}i` : name;

/** Returns the offered operator that means the same: of those for texts, only `$eq` and `$ne` distinguish A from a. */
export const offeredOperator = (attribute: Attribute | undefined, name: string): string =>
  EQUAL.includes(name) ? name : ignoringCase(attribute, name);

const EXACT_LABELS: Readonly<Record<string, Text>> = { $eq: 'is exactly', $ne: 'is not exactly' };

/** Returns an operator in words; an unknown one as it is. */
export function operatorLabel(attribute: Attribute | undefined, name: string): string {
  const plain = plainOperator(name);
  const ofTime = attribute && TYPES[attribute.type].isMoment ? TIME_LABELS[plain] : undefined;
  const ofText = ignoringCase(attribute, name) === name ? undefined : EXACT_LABELS[plain];
  const label = ofTime ?? ofText ?? OPERATOR_LABELS[plain];
  return label ? text(label) : name;
}

export interface FilterCondition {
  readonly kind: 'condition';
  /** The attribute, with the relations and components that lead to it. */
  readonly path: readonly string[];
  readonly operator: string;
  /** One value, two of `$between`, many of `$in`, none of `$null`. */
  readonly values: readonly string[];
}

export interface Group {
  readonly kind: 'group';
  /** `not`: the parts do not all hold. */
  readonly logic: 'and' | 'or' | 'not';
  readonly parts: readonly FilterPart[];
}

/** Filters that no condition can show. */
interface Raw {
  readonly kind: 'raw';
  readonly filters: Query;
}

export type FilterPart = FilterCondition | Group | Raw;

export const group = (logic: Group['logic'], parts: readonly FilterPart[]): Group => ({ kind: 'group', logic, parts });

const isPlain = (value: unknown): value is string => typeof value === 'string';
const isPlainList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isPlain);

const condition = (path: readonly string[], operator: string, ...values: readonly string[]): FilterCondition => ({
  kind: 'condition',
  path,
  operator,
  values,
});

function readOperator(path: readonly string[], operator: string, value: unknown): FilterPart | undefined {
  if (operator === '$not') {
    const parts = isQuery(value) ? readAttribute(path, value) : undefined;
    return parts && group('not', parts);
  }
  if (takesNoValue(operator)) {
    const opposite = operator === '$null' ? '$notNull' : '$null';
    if (value === 'true' || value === 'false') return condition(path, value === 'true' ? operator : opposite);
  } else if (isPlainList(value)) {
    const isFitting = operator === '$between' ? value.length === 2 : takesList(operator);
    if (isFitting) return condition(path, operator, ...value);
  } else if (isPlain(value) && operator !== '$between') return condition(path, operator, value);
  return undefined;
}

/** Two attributes below one relation mean the same target, which conditions apart from each other do not. */
function readAttribute(path: readonly string[], value: unknown): readonly FilterPart[] | undefined {
  if (isPlain(value)) return [condition(path, '$eq', value)];
  if (isPlainList(value)) return [condition(path, '$in', ...value)];
  if (!isQuery(value)) return undefined;
  const entries = Object.entries(value);
  const [name = '$', inner] = entries[0] ?? [];
  if (entries.length === 1 && !name.startsWith('$')) return readAttribute([...path, name], inner);
  const parts = entries.map(([key, operand]) => (key.startsWith('$') ? readOperator(path, key, operand) : undefined));
  const read = parts.filter((part) => part !== undefined);
  return read.length === parts.length ? read : undefined;
}

function readItem(item: unknown): FilterPart {
  const parts = readParts(item);
  return parts.length === 1 && parts[0] ? parts[0] : group('and', parts);
}

function readEntry(key: string, value: unknown): readonly FilterPart[] {
  const isList = Array.isArray(value) && value.every(isQuery);
  if ((key === '$and' || key === '$or') && isList) return [group(key === '$or' ? 'or' : 'and', value.map(readItem))];
  if (key === '$not' && isQuery(value)) return [group('not', readParts(value))];
  const parts = key.startsWith('$') ? undefined : readAttribute([key], value);
  return parts ?? [{ kind: 'raw', filters: { [key]: value } }];
}

const readParts = (filters: unknown): readonly FilterPart[] =>
  isQuery(filters) ? Object.entries(filters).flatMap(([key, value]) => readEntry(key, value)) : [];

/** @param filters as a query string has them: all values are texts */
export function readFilters(filters: unknown): Group {
  const parts = readParts(filters);
  const [only] = parts;
  return parts.length === 1 && only?.kind === 'group' && only.logic === 'and' ? only : group('and', parts);
}

/** Whether nothing of a condition has to be filled in. */
function isComplete({ path, operator, values }: FilterCondition): boolean {
  if (path.length === 0) return false;
  if (takesNoValue(operator)) return true;
  const filled = values.filter((value) => value !== '');
  return operator === '$between' ? filled.length === 2 : filled.length > 0;
}

function writeCondition({ path, operator, values }: FilterCondition): Query {
  const isList = operator === '$between' || takesList(operator);
  const value = takesNoValue(operator) ? 'true' : isList ? values.filter((entry) => entry !== '') : values[0];
  return path.reduceRight<Query>((inner, name) => ({ [name]: inner }), { [operator]: value });
}

function writePart(part: FilterPart): Query | undefined {
  if (part.kind === 'raw') return part.filters;
  if (part.kind === 'condition') return isComplete(part) ? writeCondition(part) : undefined;
  if (part.logic === 'and') return writeFilters(part);
  if (part.logic === 'not') {
    const inner = writeFilters(group('and', part.parts));
    return inner && { $not: inner };
  }
  const parts = part.parts.map(writePart).filter((written) => written !== undefined);
  return parts.length === 0 ? undefined : { $or: parts };
}

/** Returns `filters` of all conditions that are complete, or undefined where none is. */
export function writeFilters(root: Group): Query | undefined {
  if (root.logic !== 'and') return writePart(root);
  const parts = root.parts.map(writePart).filter((written) => written !== undefined);
  const keys = parts.flatMap((part) => Object.keys(part));
  if (new Set(keys).size < keys.length) return { $and: parts };
  return parts.length === 0 ? undefined : Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}
