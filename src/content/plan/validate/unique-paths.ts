/**
 * @module Unique values in components: their paths in a type, the values in a body, and those that are taken by another
 * document at the same path or by another entry of the same list.
 */
import type { Issue } from '../../../common/errors.ts';
import { groupsOf } from '../../../common/groups.ts';
import { isObject, type JsonObject, ownValue } from '../../../common/json.ts';
import { isPassword, isScalar } from '../../../schema/attribute-kinds.ts';
import { FIELDS } from '../../../schema/fields.ts';
import type { Registry } from '../../../schema/model.ts';
import { isVisible } from '../../../schema/visibility.ts';
import { type Attributes, attributesOf, componentsOf, inputAttributes, isList } from '../model/component-attributes.ts';
import type { PathStep, UniquePath, UniquePathValues, WriteOp } from '../model/write-plan.ts';
import { type Current, drafts, publishes, type WriteRequest, writtenRow } from '../model/write-request.ts';
import { NOT_UNIQUE } from './issues.ts';
import { comparedValue, mayInherit, TAKEN } from './unique-values.ts';

/** A unique value in the data of a document. */
export interface UniqueValue {
  readonly path: UniquePath;
  /** The path of its issue, with list indices, joined by dots. */
  readonly at: string;
  /** In the form of a response. */
  readonly value: string | number;
}

const stepTo = (attribute: PathStep['attribute'], component: string): PathStep => ({
  attribute,
  component,
  list: isList(attribute),
});

const nameOf = ({ attribute, component }: PathStep): string =>
  attribute.kind === 'dynamiczone' ? `${attribute.name}(${component})` : attribute.name;

/** Like Strapi, compares no values in components below a zone entry. */
function pathsBelow(steps: UniquePath['steps'], registry: Registry): readonly UniquePath[] {
  const { component } = steps.at(-1) ?? steps[0];
  return inputAttributes(attributesOf(component, registry)).flatMap((attribute) => {
    if (isScalar(attribute)) {
      // Hashes of one password differ.
      const isCompared = attribute.unique && !isPassword(attribute);
      return isCompared ? [{ key: [...steps.map(nameOf), attribute.name].join('.'), steps, attribute }] : [];
    }
    const isInZone = attribute.kind === 'dynamiczone' || steps[0].attribute.kind === 'dynamiczone';
    if (isInZone || steps.some((step) => step.component === attribute.component)) return [];
    return pathsBelow([...steps, stepTo(attribute, attribute.component)], registry);
  });
}

const known = new WeakMap<Attributes, readonly UniquePath[]>();

function pathsOf({ type: { attributes }, registry }: WriteRequest): readonly UniquePath[] {
  const paths =
    known.get(attributes) ??
    inputAttributes(attributes).flatMap((attribute) => {
      if (isScalar(attribute)) return [];
      return componentsOf(attribute).flatMap((component) => pathsBelow([stepTo(attribute, component)], registry));
    });
  known.set(attributes, paths);
  return paths;
}

interface Instance {
  readonly at: readonly string[];
  readonly data: JsonObject;
}

function instancesBelow({ at, data }: Instance, { attribute, component, list }: PathStep): readonly Instance[] {
  if (!isVisible(attribute, data)) return [];
  const value = ownValue(data, attribute.name);
  const below = [...at, attribute.name];
  if (!list) return isObject(value) ? [{ at: below, data: value }] : [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item, index) => {
    const isMeant = isObject(item) && (attribute.kind === 'component' || ownValue(item, '__component') === component);
    return isMeant ? [{ at: [...below, String(index)], data: item }] : [];
  });
}

function valuesAt(path: UniquePath, data: JsonObject, withDefaults: boolean): readonly UniqueValue[] {
  const { steps, attribute } = path;
  const start: readonly Instance[] = [{ at: [], data }];
  const instances = steps.reduce((above, step) => above.flatMap((each) => instancesBelow(each, step)), start);
  return instances.flatMap(({ at, data: instance }) => {
    if (!isVisible(attribute, instance)) return [];
    const sent = ownValue(instance, attribute.name);
    const stored = comparedValue(attribute, sent === undefined && withDefaults ? attribute.default : sent);
    const value = stored === undefined ? undefined : FIELDS[attribute.type].read(stored);
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    return [{ path, at: [...at, attribute.name].join('.'), value }];
  });
}

/** Returns the unique values of components in the data of a document, without null, empty and malformed ones. */
export const valuesInComponents = (
  request: WriteRequest,
  data: JsonObject,
  withDefaults: boolean,
): readonly UniqueValue[] => pathsOf(request).flatMap((path) => valuesAt(path, data, withDefaults));

/** Like Strapi, compares a list with itself only if it is an attribute of the type. */
const isOfOneList = ({ path: { steps } }: UniqueValue): boolean =>
  steps[0].list && !steps.slice(1).some(({ list }) => list);

/** Returns the attributes and the paths of issues whose values are taken. */
export function takenPaths(values: readonly UniqueValue[], { taken, takenAt }: Current): ReadonlySet<string> {
  const keyOf = ({ path, value }: UniqueValue): string => JSON.stringify([path.key, value]);
  const counts = new Map<string, number>();
  for (const key of values.filter(isOfOneList).map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const repeated = values.filter(
    (each) => takenAt.get(each.path.key)?.has(each.value) || (counts.get(keyOf(each)) ?? 0) > 1,
  );
  return new Set([...taken, ...repeated.map(({ at }) => at)]);
}

/** Returns issues for inherited values of a new locale that are taken. */
export function inheritedIssues(
  inherited: JsonObject,
  values: readonly UniqueValue[],
  taken: ReadonlySet<string>,
): readonly Issue[] {
  const scalars = Object.entries(inherited).map(([name, value]) => ({ path: [name], value }));
  const inside = values.map(({ at, value }) => ({ path: at.split('.'), value }));
  return [...scalars, ...inside]
    .filter(({ path: [name = ''] }) => Object.hasOwn(inherited, name))
    .filter(({ path }) => taken.has(path.join('.')))
    .map((issue) => ({ ...issue, message: NOT_UNIQUE }));
}

function byPath(values: readonly UniqueValue[]): ReadonlyMap<UniquePath, ReadonlySet<UniqueValue['value']>> {
  const all = new Map<UniquePath, Set<UniqueValue['value']>>();
  for (const { path, value } of values) all.set(path, (all.get(path) ?? new Set()).add(value));
  return all;
}

/** Each path binds a handful of values, and a statement a hundred. */
const MAX_PATHS = 8;

/** Returns the values that a write may publish, including stored ones, in groups that one statement can read. */
export function uniquePathLookups(request: WriteRequest): readonly (readonly UniquePathValues[])[] {
  const { type, operation, data } = request;
  if (type.kind === 'singleType' || (drafts(request) && !publishes(request))) return [];
  const sent = byPath(valuesInComponents(request, data, true));
  const lookups = pathsOf(request).map((path) => {
    const withOwn = (drafts(request) && operation === 'update') || mayInherit(request, path.steps[0].attribute);
    return { path, values: [...(sent.get(path) ?? [])], withOwn };
  });
  const needed = lookups.filter(({ withOwn, values }) => withOwn || values.length > 0);
  return groupsOf(needed, MAX_PATHS);
}

/** Asserts inside the batch that the values are free. */
export function uniquePathOps(request: WriteRequest, values: readonly UniqueValue[]): readonly WriteOp[] {
  if (request.type.kind === 'singleType') return [];
  const all = [...byPath(values)].map(([path, own]) => ({ path, values: [...own], withOwn: false }));
  const row = { ...writtenRow(request), status: 'published' } as const;
  return groupsOf(all, MAX_PATHS).map((group) => ({ kind: 'assert-free', row, values: group, code: TAKEN }));
}
