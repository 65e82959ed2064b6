/**
 * @module Resolves the keys of `filters`, and converts operands to the types of their attributes.
 */
import { type ApiError, invalid, invalidKey } from '../../../common/errors.ts';
import { isScalar } from '../../../schema/attribute-kinds.ts';
import { FIELDS } from '../../../schema/fields.ts';
import type { Attribute, ScalarAttribute } from '../../../schema/model.ts';
import type { Filter, FilterNode, WrittenOperand } from '../../request/filters.ts';
import { isComparisonNode, isFlagNode, isGroup, isKey, isNegation } from '../../request/filters.ts';
import { type Comparison, OPERATORS } from '../../request/operators.ts';
import { allOf, negate } from '../model/condition.ts';
import { isComponentNode } from '../model/node-kinds.ts';
import type { Condition, Operand, Step } from '../model/read-plan.ts';
import { childPath, DOCUMENT_ID, ID, identityOf } from '../model/resolve.ts';
import { type Comparing, isFilledLater, namesUserIn, timeOperand, userAttribute, withCaller } from './caller-values.ts';
import {
  isForbidden,
  type NameScope,
  type PlanContext,
  type RelationStep,
  resolveStep,
  scopeOf,
} from './name-scope.ts';

interface Walk {
  readonly context: PlanContext;
  conditions: number;
  /** Operands of text operators. */
  texts: number;
  /** Thrown last: Strapi reports unknown keys before forbidden attributes. */
  rejected?: ApiError;
}

type Group = Extract<FilterNode, { kind: 'group' }>;
type Negation = Extract<FilterNode, { kind: 'negation' }>;
type Path = string | null;
/** Undefined: a filter without conditions. */
type Found = Condition | undefined;

const expected = (path: string, what: string, { context }: Walk): ApiError =>
  invalid(`Invalid parameter at 'filters.${path}'. Expected ${what}`, context.source);

function checkLimit(count: number, limit: 'conditions' | 'searchedTexts', problem: string, { context }: Walk): void {
  const max = context.limits[limit];
  if (count > max) throw invalid(`${problem}. Expected at most ${max}`, { ...context.source, limit });
}

function countCondition(walk: Walk): void {
  walk.conditions += 1;
  checkLimit(walk.conditions, 'conditions', 'Too many filter conditions', walk);
}

/** Text operators scan each text once for every operand. */
function countTexts({ operator, operands }: Comparing, walk: Walk): void {
  if (OPERATORS[operator].cast) return;
  walk.texts += operands.length;
  checkLimit(walk.texts, 'searchedTexts', 'Filters look for too many texts', walk);
}

function converted(
  value: WrittenOperand,
  attribute: ScalarAttribute,
  operator: Comparison,
  path: string,
  walk: Walk,
): string | number | null {
  // Null makes both `$contains` and `$notContains` false.
  if (!OPERATORS[operator].cast) return value === undefined ? null : String(value);
  if (value === undefined) throw expected(path, 'a value', walk);
  return value === null ? null : FIELDS[attribute.type].operand(value, `filters.${path}`);
}

function operandOf(
  value: WrittenOperand,
  attribute: ScalarAttribute,
  operator: Comparison,
  path: string,
  walk: Walk,
): Operand {
  const { caller } = walk.context;
  if (!caller || !isFilledLater(value, caller)) return converted(value, attribute, operator, path, walk);
  const sample = converted(new Date(caller.now).toISOString(), attribute, operator, path, walk);
  return timeOperand(sample, OPERATORS[operator].cast ? attribute.type : 'string');
}

/** Compares with an attribute of the caller; undefined if none is named. */
function compareCaller(node: Comparing, attribute: ScalarAttribute, path: string, walk: Walk): Found {
  const { registry, caller } = walk.context;
  const reject = (what: string) => expected(path, what, walk);
  const named = userAttribute(node, registry, reject);
  if (!named || caller === undefined) return undefined;
  const { type, attribute: other } = named;
  if (!isScalar(other) || FIELDS[other.type].affinity !== FIELDS[attribute.type].affinity)
    throw reject('an attribute of the user with the same type');
  // The checks come first, since they are made when the settings are read, for no user.
  if (caller.user === undefined) return { kind: 'never' };
  return { kind: 'caller', attribute, operator: node.operator, value: { user: caller.user, type, attribute: other } };
}

function compare(written: Comparing, attribute: ScalarAttribute, path: string, walk: Walk): Condition {
  const { caller } = walk.context;
  const ofCaller = caller && compareCaller(written, attribute, path, walk);
  if (ofCaller) return ofCaller;
  const node = caller ? withCaller(written, caller) : written;
  return node ? compareValues(node, attribute, path, walk) : { kind: 'never' };
}

function compareValues(node: Comparing, attribute: ScalarAttribute, path: string, walk: Walk): Condition {
  countCondition(walk);
  countTexts(node, walk);
  const { operator } = node;
  const at = childPath(path, operator);
  const operands = node.operands.map((item) => operandOf(item, attribute, operator, at, walk));
  if (OPERATORS[operator].takes === 'pair' && (operands.length !== 2 || operands.includes(null)))
    throw expected(at, 'two values', walk);
  return { kind: 'compare', attribute, operator, operands };
}

function operatorCondition(node: FilterNode, attribute: ScalarAttribute, path: string, walk: Walk): Condition {
  switch (node.kind) {
    case 'comparison':
      return compare(node, attribute, path, walk);
    case 'flag':
      countCondition(walk);
      return { kind: 'null', attribute, is: node.isNull };
    case 'negation':
      rejectNegatedUser(node, path, walk);
      return negate(attributeCondition(node.filter, attribute, path, walk));
    case 'group':
      throw expected(childPath(path, node.operator), 'no group of filters below an attribute', walk);
    case 'key':
      throw invalidKey(node.key, path, walk.context.source);
    default:
      return node satisfies never;
  }
}

function attributeCondition(filter: Filter, attribute: ScalarAttribute, path: string, walk: Walk): Condition {
  const condition = allOf(filter.map((node) => operatorCondition(node, attribute, path, walk)));
  if (!condition) throw expected(path, 'a value or an operator', walk);
  return condition;
}

function group({ operator, filters }: Group, scope: NameScope, path: Path, walk: Walk): Found {
  if (!filters) throw expected(childPath(path, operator), 'a list of filters', walk);
  const conditions = filters.map((item, index) => {
    if (!item) throw expected(childPath(path, `${operator}.${index}`), 'a filter', walk);
    return scopeCondition(item, scope, path, walk);
  });
  const given = conditions.filter((item) => item !== undefined);
  return given.length < 2 ? given[0] : { kind: operator === '$and' ? 'and' : 'or', conditions: given };
}

/** Without a user, the negation of "none" would be "all". */
function rejectNegatedUser({ filter }: Negation, path: Path, walk: Walk): void {
  if (walk.context.caller && namesUserIn(filter)) throw expected(childPath(path, '$not'), 'no value of the user', walk);
}

function negation(node: Negation, scope: NameScope, path: Path, walk: Walk): Found {
  const { of, filter } = node;
  rejectNegatedUser(node, path, walk);
  const condition = of === 'filter' ? scopeCondition(filter, scope, path, walk) : undefined;
  if (!condition && !walk.rejected) throw expected(childPath(path, '$not'), 'a filter', walk);
  return condition && negate(condition);
}

const isOperator = (node: FilterNode): boolean => isComparisonNode(node) || isFlagNode(node);

/** `team: '$user.team'`: the documents with a target that a relation of the user leads to; undefined for other filters. */
function relatedToCaller(step: Step, scope: NameScope, filter: Filter, path: string, walk: Walk): Found {
  const { registry, caller } = walk.context;
  const [node] = filter;
  if (!isComparisonNode(node)) return undefined;
  const reject = (what: string) => expected(path, what, walk);
  const named = userAttribute(node, registry, reject);
  if (!named || isScalar(named.attribute)) return undefined;
  const lead = resolveStep(named.attribute, scopeOf(named.type), walk.context);
  const isSame = lead?.scope.type !== undefined && lead.scope.type === scope.type;
  if (!isSame || isComponentNode(lead.step)) throw reject('a relation of the user to the same content type');
  if (filter.length > 1 || node.operator !== '$eq') throw reject('only $eq beside a relation of the user');
  if (caller?.user === undefined) return { kind: 'never' };
  const value = { user: caller.user, type: named.type, step: lead.step, attribute: DOCUMENT_ID };
  return { kind: 'related', step, where: { kind: 'caller', attribute: DOCUMENT_ID, operator: '$eq', value } };
}

/** Operators (`filters[author]=7`) compare the id of a target; other keys are attributes that one target must match. */
function relatedCondition({ step, scope }: RelationStep, filter: Filter, path: string, walk: Walk): Found {
  const ofCaller = walk.context.caller && relatedToCaller(step, scope, filter, path, walk);
  if (ofCaller) return ofCaller;
  const operators = filter.filter(isOperator).length;
  if (operators > 0 && operators < filter.length) throw expected(path, 'either operators or attributes', walk);
  const where = operators > 0 ? attributeCondition(filter, ID, path, walk) : scopeCondition(filter, scope, path, walk);
  if (!where && !walk.rejected) throw expected(path, 'an operator or an attribute', walk);
  return where && { kind: 'related', step, where };
}

function namedCondition(attribute: Attribute, filter: Filter, scope: NameScope, path: Path, walk: Walk): Found {
  const at = childPath(path, attribute.name);
  const forbidden = isForbidden(attribute, walk.context);
  if (isScalar(attribute) && !forbidden) return attributeCondition(filter, attribute, at, walk);
  const lead = forbidden ? undefined : resolveStep(attribute, scope, walk.context);
  if (lead) return relatedCondition(lead, filter, at, walk);
  walk.rejected ??= invalidKey(attribute.name, at, walk.context.source);
  return undefined;
}

function nodeCondition(node: FilterNode, scope: NameScope, path: Path, walk: Walk): Found {
  const { source } = walk.context;
  if (isGroup(node)) return group(node, scope, path, walk);
  if (isNegation(node)) return negation(node, scope, path, walk);
  if (!isKey(node)) throw invalidKey(node.operator, path, source);
  const identity = identityOf(node.key);
  const unknown = identity && node.filter.find(isKey);
  if (unknown) throw invalidKey(unknown.key, path, source);
  if (identity) return attributeCondition(node.filter, identity, childPath(path, node.key), walk);
  const attribute = scope.attributes.get(node.key);
  if (!attribute) throw invalidKey(node.key, path, source);
  return namedCondition(attribute, node.filter, scope, path, walk);
}

function scopeCondition(filter: Filter, scope: NameScope, path: Path, walk: Walk): Found {
  const conditions = filter.map((node) => nodeCondition(node, scope, path, walk));
  return allOf(conditions.filter((condition) => condition !== undefined));
}

/**
 * Resolves `filters` against a content type or component. Never drops a condition.
 * @throws ApiError 400 that names the unknown or hidden key, the malformed parameter, or the limit
 */
export function planFilters(filter: Filter, scope: NameScope, context: PlanContext): Found {
  const walk: Walk = { context, conditions: 0, texts: 0 };
  const condition = scopeCondition(filter, scope, null, walk);
  if (walk.rejected) throw walk.rejected;
  return condition;
}
