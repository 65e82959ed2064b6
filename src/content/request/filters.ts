/**
 * @module Parses `filters` into a tree. `plan/` resolves its keys; malformed parts stay in the tree, since an unknown key
 * is reported first.
 */

import { invalid } from '../../common/errors.ts';
import { isObject } from '../../common/json.ts';
import { kindOf } from '../../common/kinds.ts';
import { type Comparison, type Flag, isComparison, isFlag } from './operators.ts';
import { type RawQuery, type RawValue, switchOf } from './query-string.ts';

/** A conjunction. */
export type Filter = readonly FilterNode[];

/** An operand as sent; undefined for a list or object. */
export type WrittenOperand = string | null | undefined;

export type FilterNode =
  /** `[$or][0]…`; undefined stands for a malformed filter or list. */
  | {
      readonly kind: 'group';
      readonly operator: '$and' | '$or';
      readonly filters: readonly (Filter | undefined)[] | undefined;
    }
  /** `[$not][title]=x` negates a filter, `[title][$not]=x` a value. */
  | { readonly kind: 'negation'; readonly of: 'filter' | 'value'; readonly filter: Filter }
  /** `[$null]=true`. */
  | { readonly kind: 'flag'; readonly operator: Flag; readonly isNull: boolean }
  | { readonly kind: 'comparison'; readonly operator: Comparison; readonly operands: readonly WrittenOperand[] }
  /** Any other key. */
  | { readonly kind: 'key'; readonly key: string; readonly filter: Filter };

export const isGroup = kindOf('group');
export const isNegation = kindOf('negation');
export const isFlagNode = kindOf('flag');
export const isComparisonNode = kindOf('comparison');
export const isKey = kindOf('key');

function comparison(operator: Comparison, value: RawValue): FilterNode {
  const operands = [value].flat().map((item) => (typeof item === 'object' && item !== null ? undefined : item));
  return { kind: 'comparison', operator, operands };
}

/** Like Strapi, reads lists and objects as true. */
function flag(operator: Flag, value: RawValue): FilterNode {
  const set = value !== '' && value !== null && switchOf(value) !== false;
  return { kind: 'flag', operator, isNull: set === (operator === '$null') };
}

const isFilter = (value: RawValue): boolean => (Array.isArray(value) ? value.every(isFilter) : isObject(value));

/** Joins the items of a list: `[$or][0][0]…&[$or][0][1]…`. */
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

/** Returns undefined without a value. @throws ApiError 400 for texts and lists */
export function parseFilters(raw: RawValue | undefined): Filter | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'string') throw invalid('The filters parameter must be an object or an array');
  if (!isObject(raw))
    throw invalid('Invalid filters parameter. Expected an object', { source: 'query', param: 'filters' });
  return nodesOf(raw);
}
