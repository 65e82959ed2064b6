/**
 * @module Validates the keys of a body.
 */
import { actionId, type Grants } from '../../../access/grants.ts';
import { invalid, invalidKey, type NameSource } from '../../../common/errors.ts';
import { isObject, ownValue } from '../../../common/json.ts';
import { isComponent, isMedia, isPolymorphic, isRelation, isZone } from '../../../schema/attribute-kinds.ts';
import type { Attribute, ContentType, PolymorphicAttribute, Registry } from '../../../schema/model.ts';
import { isPolymorphicTarget } from '../../../schema/system-types.ts';
import type { InputData } from '../../request/body.ts';
import { type Attributes, instancesIn } from '../model/component-attributes.ts';
import { targetUid } from '../model/links.ts';
import { childPath } from '../model/resolve.ts';

const BODY_SOURCE: NameSource = { source: 'body' };
const IDENTITY = new Set(['id', 'documentId']);
const LISTS = ['connect', 'disconnect', 'set'] as const;
const RELATION_KEYS = new Set<string>([...LISTS, 'options']);

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly attribute: Attribute | undefined;
  /** The component or zone that the entry is in, with its path; undefined and null at the top. */
  readonly parent: Attribute | undefined;
  readonly path: string | null;
}

/** Returns the entries of a body and of its components, in the order of the body. */
function* entriesOf(
  data: InputData,
  attributes: Attributes,
  registry: Registry,
  path: Entry['path'] = null,
  parent?: Attribute,
): Generator<Entry> {
  for (const [key, value] of Object.entries(data)) {
    const attribute = attributes.get(key);
    yield { key, value, attribute, parent, path };
    const instances = attribute ? instancesIn(attribute, value, registry) : [];
    for (const [item, inner] of instances) yield* entriesOf(item, inner, registry, childPath(path, key), attribute);
  }
}

function isKnown({ key, attribute, parent }: Entry): boolean {
  if (attribute) return true;
  const isInZone = isZone(parent);
  return (isInZone && key === '__component') || ((isInZone || isComponent(parent)) && IDENTITY.has(key));
}

const itemsIn = (value: unknown): readonly object[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'object' && item !== null);

/** `author={documentId, name}`: allows ids, operations and names of attributes. */
function unknownTargetKey({ value, attribute }: Entry, registry: Registry): string | undefined {
  if (isPolymorphic(attribute)) return unknownTypedKey(value, registry);
  if (!isRelation(attribute) && !isMedia(attribute)) return undefined;
  const target = registry.contentTypes.get(targetUid(attribute));
  return itemsIn(value)
    .flatMap((item) => Object.keys(item))
    .find((name) => !IDENTITY.has(name) && !RELATION_KEYS.has(name) && !target?.attributes.has(name));
}

/** Returns the targets of a polymorphic relation in a body; undefined for a form that it cannot have. */
function typedTargets(
  value: unknown,
  { multiple }: PolymorphicAttribute,
  emptySetClears: boolean,
): readonly unknown[] | undefined {
  if (isObject(value) && !isObject(value.options ?? {})) return undefined;
  if (isObject(value) && [...RELATION_KEYS].some((key) => key in value) && !('__type' in value)) {
    const lists = LISTS.map((key) => value[key] ?? []);
    return lists.every(Array.isArray) ? lists.flat() : undefined;
  }
  if (Array.isArray(value)) return value;
  // Strapi links a single object to a list only if it has options.
  const isAlone = isObject(value) && 'options' in value && !LISTS.some((key) => key in value);
  if (value === null) return multiple && !emptySetClears ? undefined : [];
  if (multiple && !isAlone) return value === true ? [] : undefined;
  return [value];
}

/** Does each target of a polymorphic relation, and each anchor, name a type that the caller may list? */
function namesTypes(
  value: unknown,
  attribute: PolymorphicAttribute,
  registry: Registry,
  grants: Grants,
  emptySetClears: boolean,
): boolean {
  const isAllowed = (uid: unknown) => {
    const type = typeof uid === 'string' ? registry.contentTypes.get(uid) : undefined;
    return type !== undefined && isPolymorphicTarget(type) && grants.allows(actionId(type.uid, 'find'));
  };
  const hasTypes = (item: unknown) => {
    const anchor = ownValue(ownValue(item, 'position'), '__type');
    return isAllowed(ownValue(item, '__type')) && (anchor === undefined || anchor === null || isAllowed(anchor));
  };
  return typedTargets(value, attribute, emptySetClears)?.every(hasTypes) === true;
}

/** `items=[{__type, documentId, name}]`: allows ids, operations and names of attributes; `{options: {strict}}` nothing else. */
function unknownTypedKey(value: unknown, registry: Registry): string | undefined {
  const options = isObject(value) && isObject(value.options) ? value.options : {};
  const option = Object.keys(options).find((key) => key !== 'strict' || typeof options[key] !== 'boolean');
  if (option !== undefined) return option;
  const items = Array.isArray(value) || (isObject(value) && '__type' in value) ? itemsIn(value) : [];
  return items.flatMap((item) => {
    if (Array.isArray(item)) return [];
    const target = registry.contentTypes.get(ownValue(item, '__type') as string);
    const isKnown = (name: string) =>
      IDENTITY.has(name) || RELATION_KEYS.has(name) || name === '__type' || target?.attributes.has(name);
    return Object.keys(item).filter((name) => !isKnown(name));
  })[0];
}

interface KeyOptions {
  /** Does a former version give the values? It has those that only the server sets. */
  readonly isRestoring: boolean | undefined;
  /** Does `null` clear a polymorphic relation to many? */
  readonly emptySetClears: boolean;
}

/**
 * Rejects keys before any value is read: `id` and `documentId`, then attributes that the server sets, then unknown names,
 * then relations to types that the caller may not list.
 * @throws ApiError 400 for the first one
 */
export function checkKeys(
  data: InputData,
  { attributes }: Pick<ContentType, 'attributes'>,
  registry: Registry,
  grants: Grants,
  { isRestoring, emptySetClears }: KeyOptions,
): void {
  for (const key of IDENTITY)
    if (Object.hasOwn(data, key)) throw invalid(`Invalid key ${key}`, { key, ...BODY_SOURCE });
  const entries = [...entriesOf(data, attributes, registry)];
  for (const { key, attribute, path } of entries)
    if (!isRestoring && attribute?.writable === false) throw invalidKey(key, childPath(path, key), BODY_SOURCE);
  for (const entry of entries) {
    if (!isKnown(entry)) throw invalidKey(entry.key, entry.path, BODY_SOURCE);
    const unknown = unknownTargetKey(entry, registry);
    if (unknown !== undefined) throw invalidKey(unknown, childPath(entry.path, entry.key), BODY_SOURCE);
  }
  for (const { key, value, attribute, path } of entries)
    if (
      (isRelation(attribute) && !grants.allows(actionId(attribute.target, 'find'))) ||
      (isPolymorphic(attribute) && !namesTypes(value, attribute, registry, grants, emptySetClears))
    )
      throw invalidKey(key, childPath(path, key), BODY_SOURCE);
}
