/**
 * @module The attributes of components and zone entries, and the instances of them in a body.
 */

import { memoized } from '../../../common/cache.ts';
import { isObject, ownValue } from '../../../common/json.ts';
import { hasColumn, hasComponents, isComponent, isScalar, isZone } from '../../../schema/attribute-kinds.ts';
import type { Attribute, ColumnAttribute, ContentType, Registry, ScalarAttribute } from '../../../schema/model.ts';
import { SYSTEM_COLUMNS } from '../../../schema/names.ts';
import type { InputData } from '../../request/body.ts';

export type Attributes = ReadonlyMap<string, Attribute>;

const NONE: Attributes = new Map();

/** Returns the attributes of a component; empty for an unknown one. */
export const attributesOf = (uid: unknown, registry: Registry): Attributes =>
  (typeof uid === 'string' ? registry.components.get(uid)?.attributes : undefined) ?? NONE;

export function componentsOf(attribute: Attribute): readonly string[] {
  if (isComponent(attribute)) return [attribute.component];
  return isZone(attribute) ? attribute.components : [];
}

/** Returns the component that a zone entry names; Strapi reads numbers and booleans as text. */
export function zoneUid({ __component: uid }: InputData): unknown {
  return typeof uid === 'number' || typeof uid === 'boolean' ? String(uid) : uid;
}

/** Returns the attributes of an instance of a component or zone; empty for anything else. */
export function attributesWithin(attribute: Attribute | undefined, instance: unknown, registry: Registry): Attributes {
  if (isComponent(attribute)) return attributesOf(attribute.component, registry);
  return isZone(attribute) ? attributesOf(ownValue(instance, '__component'), registry) : NONE;
}

/** Drops the zone entries whose component the zone no longer allows: they are stored, but not visible. */
export const allowedIn = (attribute: Attribute, list: readonly unknown[]): readonly unknown[] =>
  isZone(attribute)
    ? list.filter((item) => attribute.components.some((uid) => uid === ownValue(item, '__component')))
    : list;

/** Returns the instances in a value of a body, single or in a list, with their attributes. */
export function instancesIn(
  attribute: Attribute,
  value: unknown,
  registry: Registry,
): readonly (readonly [InputData, Attributes, readonly string[]])[] {
  if (!hasComponents(attribute)) return [];
  const isOne = !Array.isArray(value);
  return (isOne ? [value] : value)
    .flatMap((item, index) =>
      isObject(item)
        ? [[item, attributesWithin(attribute, item, registry), isOne ? [] : [String(index)]] as const]
        : [],
    )
    .filter(([, attributes]) => attributes !== NONE);
}

const SYSTEM: ReadonlySet<string> = new Set(SYSTEM_COLUMNS);

/** Strapi accepts `publishedAt` and `locale` in a body, and ignores them. */
const isInput = (attribute: Attribute): attribute is ColumnAttribute =>
  hasColumn(attribute) && !SYSTEM.has(attribute.column);

export const isList = (attribute: Attribute): boolean =>
  isZone(attribute) || (isComponent(attribute) && attribute.repeatable);

/** Memoized, since a body may have thousands of instances. */
export const inputAttributes = memoized(
  (attributes: Attributes): readonly ColumnAttribute[] => [...attributes.values()].filter(isInput),
  new WeakMap(),
);

export const scalarAttributes = (type: ContentType): readonly ScalarAttribute[] =>
  inputAttributes(type.attributes).filter(isScalar);
