/**
 * @module `filters` → Condition: every key resolved, every operand converted to its attribute's type.
 */
import { type ApiError, invalid } from '../errors.ts';
import { FIELDS } from '../registry/fields.ts';
import type { Attribute, ScalarAttribute } from '../registry/model.ts';
import { isLogic, isOperatorName, OPERATORS, type OperatorName } from '../request/operators.ts';
import { isRawObject, type RawQuery, type RawValue } from '../request/query-string.ts';
import { allOf, negate } from './logic.ts';
import type { Comparison, Condition, Operand } from './read-plan.ts';
import { childPath, ID, identityOf, invalidKey, isHidden, type Source } from './resolve.ts';
import { mayFind, type Place, type PlanContext, type Step, stepOf } from './scope.ts';

const TRUE = new Set<unknown>(['true', 't', '1']);
const FALSE = new Set<unknown>(['false', 'f', '0', '', null]);

interface Walk {
  readonly context: PlanContext;
  readonly source: Source;
  conditions: number;
  /** The reference names unknown keys before attributes that may not be used, wherever they stand. */
  refused?: ApiError;
}

const expected = (path: string, what: string, { source }: Walk): ApiError =>
  invalid(`Invalid parameter at 'filters.${path}'. Expected ${what}`, { ...source });

function countCondition(walk: Walk): void {
  walk.conditions += 1;
  const most = walk.context.limits.conditions;
  if (walk.conditions <= most) return;
  throw invalid(`Too many filter conditions. Expected at most ${most}`, { ...walk.source, limit: 'conditions' });
}

const listOf = (value: RawValue): readonly RawValue[] =>
  Array.isArray(value) ? (value as readonly RawValue[]) : [value];

function operandOf(
  value: RawValue,
  attribute: ScalarAttribute,
  operator: OperatorName,
  path: string,
  walk: Walk,
): Operand {
  // What is no text compares with none: neither `$contains` nor `$notContains` is true of it.
  if (!OPERATORS[operator].cast) return typeof value === 'object' && value !== null ? null : String(value);
  if (value === null) return null;
  if (typeof value === 'object') throw expected(path, 'a value', walk);
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
  const operands = listOf(value).map((item) => operandOf(item, attribute, operator, at, walk));
  if (OPERATORS[operator].takes === 'pair' && (operands.length !== 2 || operands.includes(null)))
    throw expected(at, 'two values', walk);
  return { kind: 'compare', attribute, operator, operands };
}

function flag(
  operator: '$null' | '$notNull',
  value: RawValue,
  attribute: ScalarAttribute,
  path: string,
  walk: Walk,
): Condition {
  countCondition(walk);
  if (typeof value === 'object' && value !== null) throw expected(childPath(path, operator), 'true or false', walk);
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
  if (key === '$not') return negate(attributeCondition(value, attribute, path, walk));
  if (isLogic(key)) throw expected(childPath(path, key), 'no group of filters below an attribute', walk);
  if (!isOperatorName(key)) throw invalidKey(key, path, walk.source);
  if (key === '$null' || key === '$notNull') return flag(key, value, attribute, path, walk);
  return compare(key, value, attribute, path, walk);
}

/** `filters[a]=x`, `filters[a][]=x`, `filters[a][$op]=x`: a plain value is `$eq`, a list is `$in`. */
function attributeCondition(value: RawValue, attribute: ScalarAttribute, path: string, walk: Walk): Condition {
  if (!isRawObject(value)) return compare(Array.isArray(value) ? '$in' : '$eq', value, attribute, path, walk);
  const conditions = Object.entries(value).map(([key, item]) => operatorCondition(key, item, attribute, path, walk));
  const condition = allOf(conditions);
  if (!condition) throw expected(path, 'a value or an operator', walk);
  return condition;
}

function group(
  key: '$and' | '$or',
  value: RawValue,
  place: Place,
  path: string | null,
  walk: Walk,
): Condition | undefined {
  if (!Array.isArray(value)) throw expected(childPath(path, key), 'a list of filters', walk);
  const conditions = value.map((item: RawValue, index: number) => {
    if (!isRawObject(item)) throw expected(childPath(path, `${key}.${index}`), 'a filter', walk);
    return objectCondition(item, place, path, walk);
  });
  const given = conditions.filter((item) => item !== undefined);
  return given.length < 2 ? given[0] : { kind: key === '$and' ? 'and' : 'or', conditions: given };
}

function negation(value: RawValue, place: Place, path: string | null, walk: Walk): Condition | undefined {
  const condition = isRawObject(value) ? objectCondition(value, place, path, walk) : undefined;
  if (!condition && !walk.refused) throw expected(childPath(path, '$not'), 'a filter', walk);
  return condition && negate(condition);
}

/**
 * `filters[author]=7`, `filters[author][$null]=true`: about the id of what the relation leads to. An object without
 * operators is about its attributes, all of the same one.
 */
function relatedCondition(step: Step, value: RawValue, path: string, walk: Walk): Condition | undefined {
  const related = (where: Condition | undefined): Condition | undefined =>
    where && { kind: 'related', via: step.via, where };
  if (!isRawObject(value)) return related(attributeCondition(value, ID, path, walk));
  const keys = Object.keys(value);
  const operators = keys.filter((key) => isOperatorName(key));
  if (operators.length === 0) return related(objectCondition(value, step.place, path, walk));
  if (operators.length < keys.length) throw expected(path, 'either operators or attributes', walk);
  return related(attributeCondition(value, ID, path, walk));
}

function namedCondition(
  attribute: Attribute,
  value: RawValue,
  place: Place,
  path: string | null,
  walk: Walk,
): Condition | undefined {
  const at = childPath(path, attribute.name);
  const forbidden = isHidden(attribute) || (attribute.kind === 'relation' && !mayFind(attribute, walk.context));
  if (attribute.kind === 'scalar' && !forbidden) return attributeCondition(value, attribute, at, walk);
  const step = forbidden ? undefined : stepOf(attribute, place, walk.context);
  if (step) return relatedCondition(step, value, at, walk);
  walk.refused ??= invalidKey(attribute.name, at, walk.source);
  return undefined;
}

function keyCondition(
  key: string,
  value: RawValue,
  place: Place,
  path: string | null,
  walk: Walk,
): Condition | undefined {
  if (key === '$and' || key === '$or') return group(key, value, place, path, walk);
  if (key === '$not') return negation(value, place, path, walk);
  const identity = identityOf(key);
  if (identity) return attributeCondition(value, identity, childPath(path, key), walk);
  const attribute = place.attributes.get(key);
  if (!attribute) throw invalidKey(key, path, walk.source);
  return namedCondition(attribute, value, place, path, walk);
}

function objectCondition(raw: RawQuery, place: Place, path: string | null, walk: Walk): Condition | undefined {
  const conditions = Object.entries(raw).map(([key, value]) => keyCondition(key, value, place, path, walk));
  return allOf(conditions.filter((condition) => condition !== undefined));
}

/**
 * Resolves `filters` against a content type or component. Undefined when it has no condition.
 * @throws ApiError 400 naming the key (unknown, private, password), the parameter (operand of the wrong form), or the
 * limit that was passed. A condition is never dropped.
 */
export function planFilters(raw: RawQuery, place: Place, context: PlanContext, source: Source): Condition | undefined {
  const walk: Walk = { context, source, conditions: 0 };
  const condition = objectCondition(raw, place, null, walk);
  if (walk.refused) throw walk.refused;
  return condition;
}
