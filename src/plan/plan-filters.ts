/**
 * @module `filters` → Condition: every key resolved, every operand converted to its attribute's type.
 */
import type { Limits } from '../config.ts';
import { type ApiError, invalid } from '../errors.ts';
import { FIELDS } from '../registry/fields.ts';
import type { Attribute, ContentType, ScalarAttribute } from '../registry/model.ts';
import { isLogic, isOperatorName, OPERATORS, type OperatorName } from '../request/operators.ts';
import { isRawObject, type RawQuery, type RawValue } from '../request/query-string.ts';
import type { Comparison, Condition, Operand } from './read-plan.ts';
import { childPath, identityOf, invalidKey, isHidden, type Source } from './resolve.ts';

const SOURCE: Source = { source: 'query', param: 'filters' };
const TRUE = new Set<unknown>(['true', 't', '1']);
const FALSE = new Set<unknown>(['false', 'f', '0', '', null]);

interface Walk {
  readonly limits: Limits;
  conditions: number;
  /** The reference names unknown keys before attributes that may not be used, wherever they stand. */
  refused?: ApiError;
}

const expected = (path: string, what: string): ApiError =>
  invalid(`Invalid parameter at 'filters.${path}'. Expected ${what}`, SOURCE);

const tooMany = (limit: 'conditions' | 'listItems', most: number): ApiError =>
  invalid(`Too many ${limit === 'conditions' ? 'filter conditions' : 'values in a filter'}. Expected at most ${most}`, {
    ...SOURCE,
    limit,
  });

function countCondition(walk: Walk): void {
  walk.conditions += 1;
  if (walk.conditions > walk.limits.conditions) throw tooMany('conditions', walk.limits.conditions);
}

export function allOf(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length < 2 ? conditions[0] : { kind: 'and', conditions };
}

function listOf(value: RawValue, walk: Walk): readonly RawValue[] {
  const list = Array.isArray(value) ? (value as readonly RawValue[]) : [value];
  if (list.length > walk.limits.listItems) throw tooMany('listItems', walk.limits.listItems);
  return list;
}

function operandOf(value: RawValue, attribute: ScalarAttribute, operator: OperatorName, path: string): Operand {
  if (!OPERATORS[operator].cast) return String(value);
  if (value === null) return null;
  if (typeof value === 'object') throw expected(path, 'a value');
  return FIELDS[attribute.type].operand(value, `filters.${path}`);
}

function compare(
  operator: Comparison,
  value: RawValue,
  attribute: ScalarAttribute,
  path: string,
  walk: Walk,
): Condition {
  countCondition(walk);
  const at = childPath(path, operator);
  const operands = listOf(value, walk).map((item) => operandOf(item, attribute, operator, at));
  if (OPERATORS[operator].takes === 'pair' && (operands.length !== 2 || operands.includes(null)))
    throw expected(at, 'two values');
  return { kind: 'compare', attribute, operator, operands };
}

function flag(operator: '$null' | '$notNull', value: RawValue, attribute: ScalarAttribute, walk: Walk): Condition {
  countCondition(walk);
  const set = TRUE.has(value) || !FALSE.has(value);
  return { kind: 'null', attribute, is: set === (operator === '$null') };
}

function operatorCondition(
  key: string,
  value: RawValue,
  attribute: ScalarAttribute,
  path: string,
  walk: Walk,
): Condition {
  if (key === '$not') return { kind: 'not', condition: attributeCondition(value, attribute, path, walk) };
  if (isLogic(key)) throw expected(childPath(path, key), 'no group of filters below an attribute');
  if (!isOperatorName(key)) throw invalidKey(key, path, SOURCE);
  if (key === '$null' || key === '$notNull') return flag(key, value, attribute, walk);
  return compare(key, value, attribute, path, walk);
}

/** `filters[a]=x`, `filters[a][]=x`, `filters[a][$op]=x`: a plain value is `$eq`, a list is `$in`. */
function attributeCondition(value: RawValue, attribute: ScalarAttribute, path: string, walk: Walk): Condition {
  if (!isRawObject(value)) return compare(Array.isArray(value) ? '$in' : '$eq', value, attribute, path, walk);
  const conditions = Object.entries(value).map(([key, item]) => operatorCondition(key, item, attribute, path, walk));
  const condition = allOf(conditions);
  if (!condition) throw expected(path, 'a value or an operator');
  return condition;
}

function group(
  key: '$and' | '$or',
  value: RawValue,
  type: ContentType,
  path: string | null,
  walk: Walk,
): Condition | undefined {
  if (!Array.isArray(value)) throw expected(childPath(path, key), 'a list of filters');
  const conditions = value.map((item: RawValue, index: number) => {
    if (!isRawObject(item)) throw expected(childPath(path, `${key}.${index}`), 'a filter');
    return objectCondition(item, type, path, walk);
  });
  const given = conditions.filter((item) => item !== undefined);
  return given.length < 2 ? given[0] : { kind: key === '$and' ? 'and' : 'or', conditions: given };
}

function negation(value: RawValue, type: ContentType, path: string | null, walk: Walk): Condition | undefined {
  const condition = isRawObject(value) ? objectCondition(value, type, path, walk) : undefined;
  if (!condition && !walk.refused) throw expected(childPath(path, '$not'), 'a filter');
  return condition && { kind: 'not', condition };
}

function namedCondition(attribute: Attribute, value: RawValue, path: string | null, walk: Walk): Condition | undefined {
  const at = childPath(path, attribute.name);
  if (isHidden(attribute) || attribute.kind !== 'scalar') {
    walk.refused ??= invalidKey(attribute.name, at, SOURCE);
    return undefined;
  }
  return attributeCondition(value, attribute, at, walk);
}

function keyCondition(
  key: string,
  value: RawValue,
  type: ContentType,
  path: string | null,
  walk: Walk,
): Condition | undefined {
  if (key === '$and' || key === '$or') return group(key, value, type, path, walk);
  if (key === '$not') return negation(value, type, path, walk);
  const identity = identityOf(key);
  if (identity) return attributeCondition(value, identity, childPath(path, key), walk);
  const attribute = type.attributes.get(key);
  if (!attribute) throw invalidKey(key, path, SOURCE);
  return namedCondition(attribute, value, path, walk);
}

function objectCondition(raw: RawQuery, type: ContentType, path: string | null, walk: Walk): Condition | undefined {
  const conditions = Object.entries(raw).map(([key, value]) => keyCondition(key, value, type, path, walk));
  return allOf(conditions.filter((condition) => condition !== undefined));
}

/**
 * Resolves `filters` against a content type. Undefined when it has no condition.
 * @throws ApiError 400 naming the key (unknown, private, password), the parameter (operand of the wrong form), or the
 * limit that was passed. A condition is never dropped.
 */
export function planFilters(raw: RawQuery, type: ContentType, limits: Limits): Condition | undefined {
  const walk: Walk = { limits, conditions: 0 };
  const condition = objectCondition(raw, type, null, walk);
  if (walk.refused) throw walk.refused;
  return condition;
}
