/**
 * @module What filters mean, written a second time in JavaScript: three-valued logic over rows that are known.
 */
import type { things } from '../support/condition-cases.ts';

export type Row = Readonly<Partial<Record<keyof (typeof things)[0], unknown>>> & { readonly documentId: string };

/** `null` is SQL's "unknown". */
type Truth = boolean | null;

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | {
      readonly kind: 'is';
      readonly attribute: keyof Row;
      readonly operator: string;
      readonly values: readonly string[];
    };

const encoder = new TextEncoder();

/** Text compares by its bytes in UTF-8. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const fold = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Stored value and operand in a form that compares. */
function comparable(value: unknown, operand: string): [number | string, number | string] {
  if (typeof value === 'number') return [value, Number(operand)];
  if (typeof value === 'boolean') return [Number(value), Number(!['false', 'f', '0', ''].includes(operand))];
  return [String(value), operand];
}

function compare(value: unknown, operand: string): number {
  const [a, b] = comparable(value, operand);
  return typeof a === 'number' ? a - Number(b) : compareTexts(a, String(b));
}

/** Text operators see a value as SQLite prints it. */
const asText = (value: unknown): string => fold(String(typeof value === 'boolean' ? Number(value) : value));

const ONE: Readonly<Record<string, (value: unknown, operand: string) => boolean>> = {
  $eq: (value, operand) => compare(value, operand) === 0,
  $ne: (value, operand) => compare(value, operand) !== 0,
  $lt: (value, operand) => compare(value, operand) < 0,
  $lte: (value, operand) => compare(value, operand) <= 0,
  $gt: (value, operand) => compare(value, operand) > 0,
  $gte: (value, operand) => compare(value, operand) >= 0,
  $eqi: (value, operand) => asText(value) === fold(operand),
  $nei: (value, operand) => asText(value) !== fold(operand),
  $contains: (value, operand) => asText(value).includes(fold(operand)),
  $containsi: (value, operand) => asText(value).includes(fold(operand)),
  $notContains: (value, operand) => !asText(value).includes(fold(operand)),
  $notContainsi: (value, operand) => !asText(value).includes(fold(operand)),
  $startsWith: (value, operand) => asText(value).startsWith(fold(operand)),
  $startsWithi: (value, operand) => asText(value).startsWith(fold(operand)),
  $endsWith: (value, operand) => asText(value).endsWith(fold(operand)),
  $endsWithi: (value, operand) => asText(value).endsWith(fold(operand)),
};

export const SIMPLE_OPERATORS = Object.keys(ONE);

function leaf(row: Row, { attribute, operator, values }: Extract<Filter, { kind: 'is' }>): Truth {
  const value = row[attribute] ?? null;
  const [first = '', second = ''] = values;
  if (operator === '$null' || operator === '$notNull')
    return ((value === null) === (operator === '$null')) === (first === 'true');
  if (value === null) return null;
  if (operator === '$between') return compare(value, first) >= 0 && compare(value, second) <= 0;
  if (operator === '$in') return values.some((operand) => compare(value, operand) === 0);
  if (operator === '$notIn') return values.every((operand) => compare(value, operand) !== 0);
  return values.some((operand) => ONE[operator]?.(value, operand));
}

export function holds(row: Row, filter: Filter): Truth {
  if (filter.kind === 'is') return leaf(row, filter);
  if (filter.kind === 'not') {
    const truth = holds(row, filter.filter);
    return truth === null ? null : !truth;
  }
  const truths = filter.filters.map((item) => holds(row, item));
  const decisive = filter.kind === 'or';
  if (truths.includes(decisive)) return decisive;
  return truths.includes(null) ? null : !decisive;
}

/** As `filters` of a query. */
export function written(filter: Filter): Readonly<Record<string, unknown>> {
  if (filter.kind === 'is') {
    const { attribute, operator, values } = filter;
    return { [attribute]: { [operator]: values.length === 1 ? values[0] : values } };
  }
  return filter.kind === 'not'
    ? { $not: written(filter.filter) }
    : { [`$${filter.kind}`]: filter.filters.map(written) };
}
