/**
 * @module The `data` of a write → values of the right types, and all issues.
 */
import { type Issue, MAX_ISSUES } from '../../../common/errors.ts';
import { isObject, ownValue } from '../../../common/json.ts';
import { isMedia, isRelation, isScalar } from '../../../schema/attribute-kinds.ts';
import type {
  ColumnAttribute,
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  Registry,
  TypedLinkAttribute,
} from '../../../schema/model.ts';
import { isVisible } from '../../../schema/visibility.ts';
import type { InputData } from '../../request/body.ts';
import { type Attributes, attributesOf, inputAttributes, isList, zoneUid } from '../model/component-attributes.ts';
import { inOrder } from './issue-order.ts';
import { checkEach, type IssuePath, issueAt, printPath, wrongType } from './issues.ts';
import { type CheckedValue, checkScalar, type RuleContext, withoutRules } from './rules.ts';

export type InputValues = ReadonlyMap<ColumnAttribute, unknown>;

interface InputContext extends RuleContext {
  readonly registry: Registry;
  /** Must required relations of components have a target? */
  readonly strictRelations: boolean;
  /** Is the data in a list? Conditions see defaults only there. */
  readonly inList?: boolean;
  /** Returns the value of a stored relation without targets that the caller may not find; absent: all count. */
  withoutHiddenTargets?(attribute: TypedLinkAttribute, value: unknown): unknown;
}

const failed = (value: unknown, path: IssuePath, message: string, shown?: unknown): CheckedValue => ({
  value,
  issues: [issueAt(path, message, shown)],
});

/** Does the value of a relation, in any form of a body, have a target? */
function hasTarget(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (!isObject(value)) return value !== null && value !== undefined;
  const { connect, set } = value;
  if (connect === undefined && set === undefined) return value.disconnect === undefined;
  return hasTarget(set ?? connect);
}

/** Returns the data that conditions see. */
function seenData(data: InputData, attributes: Attributes, { operation, inList }: InputContext): InputData {
  if (operation === 'update' || !inList) return data;
  const defaults = inputAttributes(attributes).flatMap((attribute) =>
    isScalar(attribute) && isVisible(attribute, data) ? [[attribute.name, attribute.default] as const] : [],
  );
  const sent = Object.entries(data).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...defaults, ...sent]);
}

function relationIssues(
  data: InputData,
  attributes: Attributes,
  path: IssuePath,
  context: InputContext,
): readonly Issue[] {
  if (context.draft || !context.strictRelations) return [];
  const seen = seenData(data, attributes, context);
  return [...attributes.values()].flatMap((attribute) => {
    const { name, required } = attribute;
    const sent = ownValue(data, name);
    const kept = sent === undefined && context.operation === 'update';
    const isOptional = !required || kept || !isVisible(attribute, seen);
    if (!(isRelation(attribute) || isMedia(attribute)) || isOptional) return [];
    const value = context.withoutHiddenTargets ? context.withoutHiddenTargets(attribute, sent) : sent;
    if (hasTarget(value)) return [];
    return [{ path: [...path, name], message: `${name} must be defined.`, value }];
  });
}

function checkInstance(data: InputData, attributes: Attributes, path: IssuePath, context: InputContext): CheckedValue {
  const checked = checkAttributes(data, attributes, path, context);
  const { values } = checked;
  const issues = [...checked.issues, ...relationIssues(data, attributes, path, context)];
  const entries = [...values].map(([attribute, item]) => [attribute.name, item]);
  return { value: { ...data, ...Object.fromEntries(entries) }, issues: inOrder(issues, attributes, path) };
}

function checkSingle(
  attribute: ComponentAttribute,
  value: unknown,
  path: IssuePath,
  context: InputContext,
): CheckedValue {
  const required = attribute.required && !context.draft;
  const at = printPath(path);
  if (value === undefined)
    return required && context.operation === 'create'
      ? failed(value, path, `${at} must be defined.`)
      : { value, issues: [] };
  if (value === null && !required) return { value, issues: [] };
  if (!isObject(value)) return failed(value, path, wrongType(at, 'object', value, value), value);
  return checkInstance(value, attributesOf(attribute.component, context.registry), path, context);
}

type ListAttribute = ComponentAttribute | DynamicZoneAttribute;

function checkItem(attribute: ListAttribute, item: unknown, path: IssuePath, context: InputContext): CheckedValue {
  // Strapi turns a value that is not an object into null before it validates it.
  if (!isObject(item)) return failed(null, path, wrongType(printPath(path), 'object', null, item), null);
  if (attribute.kind === 'dynamiczone') return checkZoneEntry(item, path, context);
  return checkInstance(item, attributesOf(attribute.component, context.registry), path, context);
}

/** Returns the limits that a list of this length breaks. */
function brokenLimits({ min, max, required }: ListAttribute, length: number): readonly string[] {
  const limits: string[] = [];
  if (min !== undefined && (required || length > 0) && length < min) limits.push(`at least ${min}`);
  if (max !== undefined && length > max) limits.push(`less than or equal to ${max}`);
  return limits;
}

/** Rejects other values than lists even on drafts; an optional list starts empty. */
function checkList(attribute: ListAttribute, sent: unknown, path: IssuePath, context: InputContext): CheckedValue {
  const creating = context.operation === 'create';
  const value = sent === undefined && creating && !attribute.required ? [] : sent;
  const at = printPath(path);
  if (value === undefined) return creating ? failed(value, path, `${at} must be defined.`) : { value, issues: [] };
  if (!Array.isArray(value)) return failed(value, path, wrongType(at, 'array', value, value), value);
  const list: unknown[] = [];
  const within = { ...context, inList: true };
  const issues = checkEach(value, path, (item, itemPath) => {
    const checked = checkItem(attribute, item, itemPath, within);
    list.push(checked.value);
    return checked.issues;
  });
  const limits = context.draft ? [] : brokenLimits(attribute, value.length);
  const broken = limits.map((limit) => issueAt(path, `${at} field must have ${limit} items`, list));
  return { value: list, issues: [...issues, ...broken] };
}

/** Returns the names of all components, in Strapi's order. */
const componentNames = (registry: Registry): string => [...registry.components.keys()].sort().reverse().join(', ');

function checkZoneEntry(item: InputData, path: IssuePath, context: InputContext): CheckedValue {
  const uid = zoneUid(item);
  const at = [...path, '__component'];
  if (uid === undefined) return failed(item, at, `${printPath(at)} is a required field`);
  const component = typeof uid === 'string' ? context.registry.components.get(uid) : undefined;
  if (component) return checkInstance(item, component.attributes, path, context);
  const message = `${printPath(at)} must be one of the following values: ${componentNames(context.registry)}`;
  const unlisted: Issue = { path: at, message, value: uid };
  const untyped: Issue = { path: at, message: wrongType(printPath(at), 'string', uid, uid), value: uid };
  const issues = typeof uid === 'string' ? [unlisted] : [untyped, unlisted];
  return { value: { ...item, __component: uid }, issues };
}

function checkAttribute(
  attribute: ColumnAttribute,
  value: unknown,
  path: IssuePath,
  context: InputContext,
): CheckedValue {
  if (isScalar(attribute)) return checkScalar(attribute, value, path, context);
  if (attribute.kind === 'component' && !attribute.repeatable) return checkSingle(attribute, value, path, context);
  return checkList(attribute, value, path, context);
}

/** Checks only the type of an attribute that is not visible or not writable. */
function checkHidden(attribute: ColumnAttribute, value: unknown, path: IssuePath, context: InputContext): CheckedValue {
  const draft = { ...context, draft: true };
  if (isScalar(attribute)) return checkScalar(withoutRules(attribute), value, path, draft);
  const present = isList(attribute) && value === null ? [] : value;
  return checkAttribute({ ...attribute, required: false }, present, path, draft);
}

function checkAttributes(data: InputData, attributes: Attributes, path: IssuePath, context: InputContext) {
  const values = new Map<ColumnAttribute, unknown>();
  const issues: Issue[] = [];
  const seen = seenData(data, attributes, context);
  for (const attribute of inputAttributes(attributes)) {
    const check = attribute.writable && isVisible(attribute, seen) ? checkAttribute : checkHidden;
    const checked = check(attribute, ownValue(data, attribute.name), [...path, attribute.name], context);
    if (checked.value !== undefined) values.set(attribute, checked.value);
    for (const issue of checked.issues) issues.push(issue);
    if (issues.length >= MAX_ISSUES) break;
  }
  return { values, issues };
}

/** Returns sent values, on create with defaults, and all issues in the order of the attributes. */
export const validateInput = (data: InputData, { attributes }: ContentType, context: InputContext) =>
  checkAttributes(data, attributes, [], context);
