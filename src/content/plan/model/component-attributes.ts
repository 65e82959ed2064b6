/**
 * @module The attributes of components and zone entries, and the instances of them in a body.
 */

import { memoized } from '../../../common/cache.ts';
import { isObject, ownValue } from '../../../common/json.ts';
import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  Registry,
  ScalarAttribute,
} from '../../../schema/model.ts';
import { SYSTEM_COLUMNS } from '../../../schema/names.ts';
import type { InputData } from '../../request/body.ts';

export type Attributes = ReadonlyMap<string, Attribute>;

const NONE: Attributes = new Map();

/** Returns the attributes of a component; empty for an unknown one. */
export const attributesOf = (uid: unknown, registry: Registry): Attributes =>
  (typeof uid === 'string' ? registry.components.get(uid)?.attributes : undefined) ?? NONE;

export function componentsOf(attribute: Attribute): readonly string[] {
  if (attribute.kind === 'component') return [attribute.component];
  return attribute.kind === 'dynamiczone' ? attribute.components : [];
}

/** Returns the component that a zone entry names; Strapi reads numbers and booleans as text. */
export function zoneUid({ __component: uid }: InputData): unknown {
  return typeof uid === 'number' || typeof uid === 'boolean' ? String(uid) : uid;
}

/** Returns the attributes of an instance of a component or zone; empty for anything else. */
export function attributesWithin(attribute: Attribute | undefined, instance: unknown, registry: Registry): Attributes {
  if (attribute?.kind === 'component') return attributesOf(attribute.component, registry);
  return attribute?.kind === 'dynamiczone' ? attributesOf(ownValue(instance, '__component'), registry) : NONE;
}

/** Drops the zone entries whose component the zone no longer allows: they are stored, but not visible. */
export const allowedIn = (attribute: Attribute, list: readonly unknown[]): readonly unknown[] =>
  attribute.kind === 'dynamiczone'
    ? list.filter((item) => attribute.components.some((uid) => uid === ownValue(item, '__component')))
    : list;

/** Returns the instances in a value of a body, single or in a list, with their attributes. */
export function instancesIn(
  attribute: Attribute,
  value: unknown,
  registry: Registry,
): readonly (readonly [InputData, Attributes, readonly string[]])[] {
  if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') return [];
  const isOne = !Array.isArray(value);
  return (isOne ? [value] : value)
    .flatMap((item, index) =>
      isObject(item)
        ? [[item, attributesWithin(attribute, item, registry), isOne ? [] : [String(index)]] as const]
        : [],
    )
    .filter(([, attributes]) => attributes !== NONE);
}

/** Attributes whose value stands in the row itself. */
export type ColumnAttribute = ScalarAttribute | ComponentAttribute | DynamicZoneAttribute;

const SYSTEM: ReadonlySet<string> = new Set(SYSTEM_COLUMNS);

/** Strapi accepts `publishedAt` and `locale` in a body, and ignores them. */
const isInput = (attribute: Attribute): attribute is ColumnAttribute =>
  'column' in attribute && !SYSTEM.has(attribute.column);

export const isList = (attribute: Attribute): boolean =>
  attribute.kind === 'dynamiczone' || (attribute.kind === 'component' && attribute.repeatable);

/** Memoized, since a body may have thousands of instances. */
export const inputAttributes = memoized(
  (attributes: Attributes): readonly ColumnAttribute[] => [...attributes.values()].filter(isInput),
  new WeakMap(),
);

export const scalarAttributes = (type: ContentType): readonly ScalarAttribute[] =>
  inputAttributes(type.attributes).filter((attribute) => attribute.kind === 'scalar');
