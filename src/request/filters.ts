/**
 * @module `filters` → a tree of groups, negations, operators and keys. Which keys are attributes, and what their operands
 * have to be, is for `plan/` to say; so is what is malformed, since an unknown key is named first.
 */

import { invalid } from '../errors.ts';
import { isObject } from '../json.ts';
import { type Comparison, type Flag, isComparison, isFlag } from './operators.ts';
import { type RawQuery, type RawValue, switchOf } from './query-string.ts';

/** All of them hold. */
export type Filter = readonly FilterNode[];

/** An operand as it was written; undefined where neither text nor null stands. */
export type WrittenOperand = string | null | undefined;

export type FilterNode =
  /** `[$or][0]…`; an undefined filter is neither an object nor a list of filters, undefined `filters` are no list. */
  | {
      readonly kind: 'group';
      readonly operator: '$and' | '$or';
      readonly filters: readonly (Filter | undefined)[] | undefined;
    }
  /** `[$not][title]=x` negates filters; `[title][$not]=x` a value that is not an object, with the operator it implies. */
  | { readonly kind: 'negation'; readonly of: 'filter' | 'value'; readonly filter: Filter }
  /** `[$null]=true`. */
  | { readonly kind: 'flag'; readonly operator: Flag; readonly isNull: boolean }
  | { readonly kind: 'comparison'; readonly operator: Comparison; readonly operands: readonly WrittenOperand[] }
  /** Any other key: an attribute, or a mistake. */
  | { readonly kind: 'key'; readonly key: string; readonly filter: Filter };

function comparison(operator: Comparison, value: RawValue): FilterNode {
  const list = Array.isArray(value) ? (value as readonly RawValue[]) : [value];
  const operands = list.map((item) => (typeof item === 'object' && item !== null ? undefined : item));
  return { kind: 'comparison', operator, operands };
}

/** Lists and objects are true, as in Strapi. */
function flag(operator: Flag, value: RawValue): FilterNode {
  const set = value !== '' && value !== null && switchOf(value) !== false;
  return { kind: 'flag', operator, isNull: set === (operator === '$null') };
}

const isFilter = (value: RawValue): boolean => (Array.isArray(value) ? value.every(isFilter) : isObject(value));

/** All items of a list hold: `[$or][0][0]…&[$or][0][1]…`. */
const conjunctionOf = (value: RawValue): Filter =>
  Array.isArray(value) ? value.flatMap(conjunctionOf) : filterOf(value);

function group(operator: '$and' | '$or', value: RawValue): FilterNode {
  if (!Array.isArray(value)) return { kind: 'group', operator, filters: undefined };
  const filters = value.map((item: RawValue) => (isFilter(item) ? conjunctionOf(item) : undefined));
  return { kind: 'group', operator, filters };
}

function nodeOf(key: string, value: RawValue): FilterNode {
  if (key === '$and' || key === '$or') return group(key, value);
  if (key === '$not')
    return { kind: 'negation', of: isFilter(value) ? 'filter' : 'value', filter: conjunctionOf(value) };
  if (isFlag(key)) return flag(key, value);
  if (isComparison(key)) return comparison(key, value);
  return { kind: 'key', key, filter: filterOf(value) };
}

/** `=x` means `[$eq]=x`, and a list `[$in]`. */
function filterOf(value: RawValue): Filter {
  if (isObject(value)) return nodesOf(value);
  return [comparison(Array.isArray(value) ? '$in' : '$eq', value)];
}

const nodesOf = (raw: RawQuery): Filter => Object.entries(raw).map(([key, value]) => nodeOf(key, value));

/**
 * Reads `filters[title]=x`; absent without a value.
 * @throws ApiError 400 for what is no object.
 */
export function parseFilters(raw: RawValue | undefined): Filter | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'string') throw invalid('The filters parameter must be an object or an array');
  if (!isObject(raw))
    throw invalid('Invalid filters parameter. Expected an object', { source: 'query', param: 'filters' });
  return nodesOf(raw);
}
