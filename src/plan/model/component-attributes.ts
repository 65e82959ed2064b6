/**
 * @module What an instance of a component or zone may have, by whatever stands in the place of its component's name.
 */

import { isObject, ownValue } from '../../json.ts';
import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  Registry,
  ScalarAttribute,
} from '../../registry/model.ts';
import { SYSTEM_COLUMNS } from '../../registry/names.ts';
import type { InputData } from '../../request/body.ts';

export type Attributes = ReadonlyMap<string, Attribute>;

const NONE: Attributes = new Map();

/** The attributes of a component; none for what names no component. */
export const attributesOf = (uid: unknown, registry: Registry): Attributes =>
  (typeof uid === 'string' ? registry.components.get(uid)?.attributes : undefined) ?? NONE;

/** What a zone entry names as its component; the reference takes numbers and booleans for text. */
export function zoneUid({ __component: uid }: InputData): unknown {
  return typeof uid === 'number' || typeof uid === 'boolean' ? String(uid) : uid;
}

/** The attributes of an instance that stands in a component or zone; none for what is no instance of a component. */
export function attributesWithin(attribute: Attribute | undefined, instance: unknown, registry: Registry): Attributes {
  if (attribute?.kind === 'component') return attributesOf(attribute.component, registry);
  const isEntry = attribute?.kind === 'dynamiczone' && isObject(instance);
  return isEntry ? attributesOf(ownValue(instance, '__component'), registry) : NONE;
}

/** A list less the entries of a zone whose component it no longer allows: they are stored, and nobody sees them. */
export const allowedIn = (attribute: Attribute, list: readonly unknown[]): readonly unknown[] =>
  attribute.kind === 'dynamiczone'
    ? list.filter((item) => isObject(item) && attribute.components.some((uid) => uid === ownValue(item, '__component')))
    : list;

/** The instances that a body brings for an attribute, alone or in a list, with their attributes. */
export function instancesIn(
  attribute: Attribute,
  value: unknown,
  registry: Registry,
): readonly (readonly [InputData, Attributes])[] {
  if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') return [];
  return (Array.isArray(value) ? value : [value])
    .filter(isObject)
    .map((item) => [item, attributesWithin(attribute, item, registry)] as const)
    .filter(([, attributes]) => attributes !== NONE);
}

/** Attributes whose value stands in the row itself. */
export type ColumnAttribute = ScalarAttribute | ComponentAttribute | DynamicZoneAttribute;

const SYSTEM: ReadonlySet<string> = new Set(SYSTEM_COLUMNS);

/** `publishedAt` and `locale` are accepted in a body, and ignored. */
const isInput = (attribute: Attribute): attribute is ColumnAttribute =>
  'column' in attribute && !SYSTEM.has(attribute.column);

/** Does it have components one after another? */
export const isList = (attribute: ColumnAttribute): boolean =>
  attribute.kind === 'dynamiczone' || (attribute.kind === 'component' && attribute.repeatable);

const inputs = new WeakMap<Attributes, readonly ColumnAttribute[]>();

/** Found once for each type and component, for a body may have thousands of instances. */
export function inputAttributes(attributes: Attributes): readonly ColumnAttribute[] {
  const found = inputs.get(attributes) ?? [...attributes.values()].filter(isInput);
  inputs.set(attributes, found);
  return found;
}

export const scalarAttributes = (type: ContentType): readonly ScalarAttribute[] =>
  inputAttributes(type.attributes).filter((attribute) => attribute.kind === 'scalar');
