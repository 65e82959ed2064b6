/**
 * @module Unique values in components: where documents of a type have them, which ones a write would publish, and which of
 * those are taken: by another document in the same place, or by another entry of the same list.
 */
import type { Issue } from '../../errors.ts';
import { isObject, ownValue } from '../../json.ts';
import { isVisible } from '../../registry/condition.ts';
import { FIELDS } from '../../registry/fields.ts';
import { groupsOf } from '../../registry/groups.ts';
import type { Registry, ScalarAttribute } from '../../registry/model.ts';
import type { InputData } from '../../request/body.ts';
import { type Attributes, attributesOf, inputAttributes } from '../model/component-attributes.ts';
import type { PlacedValues, PlaceStep, UniquePlace, WriteOp } from '../model/write-plan.ts';
import { type Current, drafts, publishes, type WriteRequest, writtenRow } from '../model/write-request.ts';
import { NOT_UNIQUE } from './messages.ts';
import { comparedValue, mayInherit, TAKEN } from './unique-values.ts';

/** A unique value in the data of a document. */
export interface UniqueSpot {
  readonly place: UniquePlace;
  /** Path of an issue, with places in lists, joined by dots. */
  readonly path: string;
  /** As an answer shows it. */
  readonly value: string | number;
}

/** Hashes differ whatever the passwords. */
const isCompared = ({ unique, type }: ScalarAttribute): boolean => unique && type !== 'password';

const stepTo = (attribute: PlaceStep['attribute'], component: string): PlaceStep => ({
  attribute,
  component,
  list: attribute.kind === 'dynamiczone' || attribute.repeatable,
});

const nameOf = ({ attribute, component }: PlaceStep): string =>
  attribute.kind === 'dynamiczone' ? `${attribute.name}(${component})` : attribute.name;

/** As in the reference, what an entry of a zone has in components of its own is not compared. */
function placesBelow(steps: readonly [PlaceStep, ...PlaceStep[]], registry: Registry): readonly UniquePlace[] {
  const { component } = steps.at(-1) ?? steps[0];
  return inputAttributes(attributesOf(component, registry)).flatMap((attribute) => {
    if (attribute.kind === 'scalar') {
      const key = [...steps.map(nameOf), attribute.name].join('.');
      return isCompared(attribute) ? [{ key, steps, attribute }] : [];
    }
    const isInZone = attribute.kind === 'dynamiczone' || steps[0].attribute.kind === 'dynamiczone';
    if (isInZone || steps.some((step) => step.component === attribute.component)) return [];
    return placesBelow([...steps, stepTo(attribute, attribute.component)], registry);
  });
}

const known = new WeakMap<Attributes, readonly UniquePlace[]>();

/** Where documents of a type have unique values in components: for most of them nowhere. */
function placesOf({ type: { attributes }, registry }: WriteRequest): readonly UniquePlace[] {
  const places =
    known.get(attributes) ??
    inputAttributes(attributes).flatMap((attribute) => {
      if (attribute.kind === 'scalar') return [];
      const components = attribute.kind === 'dynamiczone' ? attribute.components : [attribute.component];
      return components.flatMap((component) => placesBelow([stepTo(attribute, component)], registry));
    });
  known.set(attributes, places);
  return places;
}

interface Found {
  readonly path: readonly string[];
  readonly instance: InputData;
}

function instancesBelow({ path, instance }: Found, { attribute, component, list }: PlaceStep): readonly Found[] {
  if (!isVisible(attribute, instance)) return [];
  const value = ownValue(instance, attribute.name);
  const own = [...path, attribute.name];
  if (!list) return isObject(value) ? [{ path: own, instance: value }] : [];
  return (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((item, index) => {
    const isMeant = isObject(item) && (attribute.kind === 'component' || ownValue(item, '__component') === component);
    return isMeant ? [{ path: [...own, String(index)], instance: item }] : [];
  });
}

function spotsAt(place: UniquePlace, data: InputData, withDefaults: boolean): readonly UniqueSpot[] {
  const { steps, attribute } = place;
  const start: readonly Found[] = [{ path: [], instance: data }];
  const instances = steps.reduce((found, step) => found.flatMap((each) => instancesBelow(each, step)), start);
  return instances.flatMap(({ path, instance }) => {
    if (!isVisible(attribute, instance)) return [];
    const sent = ownValue(instance, attribute.name);
    const stored = comparedValue(attribute, sent === undefined && withDefaults ? attribute.default : sent);
    if (stored === undefined) return [];
    const value = FIELDS[attribute.type].read(stored);
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    return [{ place, path: [...path, attribute.name].join('.'), value }];
  });
}

/** Unique values of components in the data of a document. Null, empty and malformed ones are never looked up. */
export const uniqueSpots = (request: WriteRequest, data: InputData, withDefaults: boolean): readonly UniqueSpot[] =>
  placesOf(request).flatMap((place) => spotsAt(place, data, withDefaults));

/** As in the reference, a list is compared with itself where it is an attribute of the type. */
const isOfOneList = ({ steps: [first, ...below] }: UniquePlace): boolean =>
  first.list && !below.some(({ list }) => list);

/** The paths of values that are taken, beside the names of attributes whose value is. */
export function takenPaths(spots: readonly UniqueSpot[], { taken, placed }: Current): ReadonlySet<string> {
  if (spots.length === 0) return taken;
  const counts = new Map<string, number>();
  const valueKey = ({ place, value }: UniqueSpot): string => JSON.stringify([place.key, value]);
  for (const key of spots.filter(({ place }) => isOfOneList(place)).map(valueKey))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  const refused = spots.filter(
    (spot) => placed.get(spot.place.key)?.has(spot.value) || (counts.get(valueKey(spot)) ?? 0) > 1,
  );
  return new Set([...taken, ...refused.map(({ path }) => path)]);
}

/** The inherited values of a new locale that are taken. */
export function inheritedIssues(
  inherited: InputData,
  spots: readonly UniqueSpot[],
  taken: ReadonlySet<string>,
): readonly Issue[] {
  const scalars = Object.entries(inherited).map(([name, value]) => ({ path: [name], value }));
  const inside = spots.map(({ path, value }) => ({ path: path.split('.'), value }));
  return [...scalars, ...inside]
    .filter(({ path: [name = ''] }) => Object.hasOwn(inherited, name))
    .filter(({ path }) => taken.has(path.join('.')))
    .map((issue) => ({ ...issue, message: NOT_UNIQUE }));
}

function byPlace(spots: readonly UniqueSpot[]): ReadonlyMap<UniquePlace, ReadonlySet<UniqueSpot['value']>> {
  const values = new Map<UniquePlace, Set<UniqueSpot['value']>>();
  for (const { place, value } of spots) values.set(place, (values.get(place) ?? new Set()).add(value));
  return values;
}

/** Each place binds a handful of values, and a statement a hundred. */
const PLACES = 8;

/** The values that a write may publish, in groups that one statement can ask for: stored ones, too. */
export function placedValues(request: WriteRequest): readonly (readonly PlacedValues[])[] {
  const { type, operation, data } = request;
  if (type.kind === 'singleType' || (drafts(request) && !publishes(request))) return [];
  const values = byPlace(uniqueSpots(request, data, true));
  const asked = placesOf(request)
    .map((place) => {
      const withOwn = (drafts(request) && operation === 'update') || mayInherit(request, place.steps[0].attribute);
      return { place, values: [...(values.get(place) ?? [])], withOwn };
    })
    .filter(({ withOwn, values: sent }) => withOwn || sent.length > 0);
  return groupsOf(asked, PLACES);
}

/** Asserts inside the batch that the values are free. */
export function placedOps(request: WriteRequest, spots: readonly UniqueSpot[]): readonly WriteOp[] {
  if (request.type.kind === 'singleType') return [];
  const all = [...byPlace(spots)].map(([place, values]) => ({ place, values: [...values], withOwn: false }));
  const row = { ...writtenRow(request), status: 'published' } as const;
  return groupsOf(all, PLACES).map((values) => ({ kind: 'assert-free', row, values, code: TAKEN }));
}
