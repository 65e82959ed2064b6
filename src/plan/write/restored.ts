/**
 * @module A kept entry → the body that writes it again, without deleted targets and changed attributes.
 */
import { isObject, type JsonObject } from '../../common/json.ts';
import { FIELDS, type FieldKind, type Stored } from '../../registry/fields.ts';
import { type Attribute, type ContentType, isOwner, type Registry } from '../../registry/model.ts';
import type { InputData } from '../../request/body.ts';
import { attributesOf, inputAttributes, isList } from '../model/component-attributes.ts';
import { isLinkAttribute, type LinkAttribute, targetUid } from '../model/links.ts';

/** What `sql/write/history.ts` keeps. */
export interface Entry {
  readonly values: Readonly<Record<string, Stored>>;
  /** By attribute: status, documentId, locale, two positions, and the type in a polymorphic relation. */
  readonly links: Readonly<Record<string, readonly (readonly Stored[])[]>>;
  /** Types of the attributes, by name. */
  readonly types: Readonly<Record<string, string>>;
  /** How many steps of renames came before it. */
  readonly renames: number;
}

/** A target of a kept entry. */
export interface KeptTarget {
  /** `author`, `sections.0.author` */
  readonly path: string;
  readonly uid: string;
  readonly documentId: string;
  /** Empty: that of the row. */
  readonly locale: string;
}

/** Does the target exist, as far as the caller may see? */
export type IsThere = (target: KeptTarget) => boolean;

interface Restored {
  readonly data: InputData;
  readonly missing: readonly KeptTarget[];
  /** Attributes that the schema has lost or whose type has changed. */
  readonly changed: readonly string[];
  /** The entry without the attributes of components among them. */
  readonly fitting: Entry;
}

/** Returns the attributes of an entry whose type is no longer the same. */
export const changedAttributes = ({ types }: Entry, current: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(types).filter((name) => current[name] !== types[name]);

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value : []).filter(isObject);

/** Does a value of a component fit its attribute? Entries have no types of these. */
function fits(attribute: Attribute, value: unknown): boolean {
  if (attribute.kind !== 'scalar' || value === null) return typeof value === 'object';
  const { cast, accepts, store } = FIELDS[attribute.type] as FieldKind<unknown>;
  try {
    const given = cast(value);
    return accepts(given) && store(given) !== null;
  } catch {
    return false;
  }
}

/** Collects what cannot be restored while it makes the body. */
class Restoring {
  readonly missing: KeptTarget[] = [];
  readonly changed: string[] = [];
  readonly #registry: Registry;
  readonly #isThere: IsThere;

  constructor(registry: Registry, isThere: IsThere) {
    this.#registry = registry;
    this.#isThere = isThere;
  }

  targets(attribute: LinkAttribute, path: string, links: readonly JsonObject[]): unknown {
    const kept = links.filter(({ documentId, locale, type }) => {
      const uid = targetUid(attribute, String(type ?? ''));
      const target = { path, uid, documentId: String(documentId), locale: String(locale ?? '') };
      const isThere = this.#isThere(target);
      if (!isThere) this.missing.push(target);
      return isThere;
    });
    const named = kept.map(({ documentId, locale, type }) => ({
      documentId,
      ...(locale ? { locale } : {}),
      ...(type ? { __type: type } : {}),
    }));
    return attribute.kind === 'media' ? named : { set: named };
  }

  /** @param value of an attribute as JSON columns and responses have it */
  value(attribute: Attribute, path: string, value: unknown): unknown {
    if (isLinkAttribute(attribute)) return this.targets(attribute, path, listOf(value));
    if (attribute.kind === 'component') {
      if (!attribute.repeatable) return isObject(value) ? this.instance(attribute.component, path, value) : null;
      return listOf(value).map((item, index) => this.instance(attribute.component, `${path}.${index}`, item));
    }
    if (attribute.kind !== 'dynamiczone') return value;
    return listOf(value).flatMap((item, index) => {
      const uid = String(item.__component);
      if (attribute.components.includes(uid))
        return [{ __component: uid, ...this.instance(uid, `${path}.${index}`, item) }];
      this.changed.push(`${path}.${index}`);
      return [];
    });
  }

  /** Deletes from an instance what cannot be restored. */
  instance(uid: string, path: string, instance: JsonObject): JsonObject {
    const attributes = attributesOf(uid, this.#registry);
    const values = Object.entries(instance).flatMap(([name, value]) => {
      if (name === 'id' || name === '__component') return [];
      const attribute = attributes.get(name);
      if (attribute && fits(attribute, value))
        return [[name, this.value(attribute, `${path}.${name}`, value)] as const];
      this.changed.push(`${path}.${name}`);
      delete (instance as Record<string, unknown>)[name];
      return [];
    });
    return Object.fromEntries(values);
  }
}

/** @param current types of the attributes as they are now */
export function restoredData(
  entry: Entry,
  type: ContentType,
  current: Readonly<Record<string, string>>,
  registry: Registry,
  isThere: IsThere,
): Restored {
  const restoring = new Restoring(registry, isThere);
  const changed = changedAttributes(entry, current);
  const isSame = ({ name }: Attribute) => Object.hasOwn(entry.types, name) && !changed.includes(name);
  const overflow = (JSON.parse(String(entry.values.overflow_attributes ?? '{}')) ?? {}) as Record<string, Stored>;
  const data: Record<string, unknown> = {};
  const values = { ...entry.values };
  for (const attribute of inputAttributes(type.attributes).filter(isSame)) {
    const { name } = attribute;
    const isOverflow = attribute.kind === 'scalar' && attribute.overflow;
    const stored = (isOverflow ? overflow[name] : entry.values[attribute.column]) ?? null;
    if (attribute.kind === 'scalar') data[name] = stored === null ? null : FIELDS[attribute.type].read(stored);
    else if (stored === null) data[name] = isList(attribute) ? [] : null;
    else {
      const held: unknown = JSON.parse(String(stored));
      data[name] = restoring.value(attribute, name, held);
      values[attribute.column] = JSON.stringify(held);
    }
  }
  for (const attribute of [...type.attributes.values()].filter(isLinkAttribute).filter(isOwner).filter(isSame)) {
    const links = entry.links[attribute.name] ?? [];
    const named = links.map(([, documentId, locale, , , uid]) => ({ documentId, locale, ...(uid && { type: uid }) }));
    const unique = new Map(named.map((link) => [JSON.stringify(link), link]));
    data[attribute.name] = restoring.targets(attribute, attribute.name, [...unique.values()]);
  }
  const { missing } = restoring;
  return { data, missing, changed: [...changed, ...restoring.changed], fitting: { ...entry, values } };
}
