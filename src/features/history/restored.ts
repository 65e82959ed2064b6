/**
 * @module A kept entry → the entry that the schema of today has a place for, and the body that writes it again.
 */
import { isObject, type JsonObject } from '../../common/json.ts';
import { attributesOf, inputAttributes, isList } from '../../content/plan/model/component-attributes.ts';
import { type Entry, typesOf } from '../../content/plan/model/kept-entry.ts';
import { linkAttributes, targetUid } from '../../content/plan/model/links.ts';
import type { InputData } from '../../content/request/body.ts';
import type { Status } from '../../content/request/query-params.ts';
import {
  isComponent,
  isLinkAttribute,
  isOwner,
  isPolymorphic,
  isScalar,
  isZone,
} from '../../schema/attribute-kinds.ts';
import { FIELDS, type FieldKind, type Stored } from '../../schema/fields.ts';
import type { Attribute, ContentType, LinkAttribute, Registry } from '../../schema/model.ts';
import { OVERFLOW_COLUMN } from '../../schema/names.ts';
import { defaultLocale } from '../../schema/settings/derived.ts';
import { withTodaysNames } from './renamed-entry.ts';

/** A target of a kept entry. */
export interface KeptTarget {
  /** `author`, `sections.0.author` */
  readonly path: string;
  readonly uid: string;
  readonly documentId: string;
  /** null: that of the row. */
  readonly locale: string | null;
  /** Is the attribute private, or a component that it is in? */
  readonly isPrivate: boolean;
}

/** Does the target exist, as far as the caller may see? */
export type IsThere = (target: KeptTarget) => boolean;

/** What a kept entry is read by. */
interface Today {
  readonly registry: Registry;
  readonly settings: Parameters<typeof defaultLocale>[0];
}

interface Restored {
  readonly data: InputData;
  readonly missing: readonly KeptTarget[];
  /** Attributes that the schema has lost or whose type has changed, also of components. */
  readonly changed: readonly string[];
  /** JSON of the entry under the names of today, without values of these. */
  readonly entry: string;
}

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value : []).filter(isObject);

/** Does a value of a component fit its attribute? Entries have no types of these. */
function fits(attribute: Attribute, value: unknown): boolean {
  if (value === null) return true;
  if (!isScalar(attribute)) {
    const isLink = isLinkAttribute(attribute);
    const isTyped = isPolymorphic(attribute);
    const isTarget = ({ documentId, type }: JsonObject) =>
      typeof documentId === 'string' && (typeof type === 'string') === isTyped;
    const items = isLink || isList(attribute) ? value : [value];
    return Array.isArray(items) && items.every((item) => isObject(item) && (!isLink || isTarget(item)));
  }
  const { cast, accepts, store } = FIELDS[attribute.type] as FieldKind<unknown>;
  try {
    const given = cast(value);
    return accepts(given) && store(given) !== null;
  } catch {
    return false;
  }
}

/** Restores kept values, and collects what cannot be restored. */
function restoring({ localized }: ContentType, { registry, settings }: Today, isThere: IsThere) {
  const missing: KeptTarget[] = [];
  const changed: string[] = [];

  /** Returns the locale that a link names, by what is localized today. @param own as it was kept */
  const localeOf = (uid: string, own: unknown): string | null => {
    if (!registry.contentTypes.get(uid)?.localized) return '';
    return own ? String(own) : localized ? null : defaultLocale(settings);
  };

  /** Returns undefined for none. */
  const targets = (
    attribute: LinkAttribute,
    path: string,
    links: readonly Record<string, unknown>[],
    isPrivate: boolean,
  ): unknown => {
    const named = links.flatMap((link) => {
      const { documentId, type } = link;
      const uid = targetUid(attribute, String(type));
      const locale = localeOf(uid, link.locale);
      if (locale) link.locale = locale;
      const target = { path, uid, documentId: String(documentId), locale, isPrivate };
      if (isThere(target)) return [{ documentId, ...(locale && { locale }), ...(type ? { __type: type } : {}) }];
      missing.push(target);
      return [];
    });
    // A body would take the last of several; a read shows the first.
    const set = attribute.multiple ? named : named.slice(0, 1);
    return set.length > 0 ? { set } : undefined;
  };

  /** @param held in the form of JSON columns. What cannot be restored is deleted from it. */
  const value = (attribute: Attribute, path: string, held: unknown, isWithinPrivate = false): unknown => {
    const isPrivate = isWithinPrivate || attribute.private;
    if (isLinkAttribute(attribute)) return targets(attribute, path, listOf(held), isPrivate);
    if (isComponent(attribute)) {
      const each = (item: unknown, at: string) =>
        isObject(item) ? instance(attribute.component, at, item, isPrivate) : null;
      return attribute.repeatable
        ? listOf(held).map((item, index) => each(item, `${path}.${index}`))
        : each(held, path);
    }
    if (!isZone(attribute)) return held;
    return listOf(held).flatMap((item, index) => {
      const uid = String(item.__component);
      if (attribute.components.includes(uid))
        return [{ __component: uid, ...instance(uid, `${path}.${index}`, item, isPrivate) }];
      changed.push(`${path}.${index}`);
      return [];
    });
  };

  const instance = (uid: string, path: string, held: Record<string, unknown>, isPrivate: boolean): JsonObject => {
    const attributes = attributesOf(uid, registry);
    const data: Record<string, unknown> = {};
    for (const [name, own] of Object.entries(held)) {
      if (name === 'id' || name === '__component') continue;
      const attribute = attributes.get(name);
      if (attribute && fits(attribute, own)) {
        const input = value(attribute, `${path}.${name}`, own, isPrivate);
        // A relation without targets is not even named: its type may be one that the caller may not list.
        if (input !== undefined) data[name] = input;
      } else {
        changed.push(`${path}.${name}`);
        delete held[name];
      }
    }
    return data;
  };

  return { missing, changed, value, localeOf };
}

/** The drafts, of which published ones have the order that readers know. A type without drafts may link each in both versions. */
function inOneOrder(links: Entry['links'][string]): readonly JsonObject[] {
  const linkedIn = (version: Status) =>
    links
      .filter(([status]) => status === version)
      .map(([, documentId, locale, , , type]) => ({ documentId, locale, type }));
  const published = linkedIn('published');
  const known = new Set(published.map((link) => JSON.stringify(link)));
  const rest = published.values();
  const drafts = linkedIn('draft').map((link) => (known.has(JSON.stringify(link)) && rest.next().value) || link);
  return [...drafts, ...rest];
}

/** @param json an entry as it is stored */
export function restored(json: string, type: ContentType, today: Today, isThere: IsThere = () => false): Restored {
  const entry = withTodaysNames(JSON.parse(json) as Entry, type, today.registry);
  const { missing, changed, value, localeOf } = restoring(type, today, isThere);
  const types = typesOf(type);
  changed.push(...Object.keys(entry.types).filter((name) => types[name] !== entry.types[name]));
  const isSame = ({ name }: Attribute) => name in types && types[name] === entry.types[name];
  const values: Record<string, Stored> = { ...entry.values };
  const overflow = (JSON.parse(String(values[OVERFLOW_COLUMN] ?? null)) ?? {}) as Record<string, Stored>;
  const data: Record<string, unknown> = {};
  for (const attribute of inputAttributes(type.attributes)) {
    const { name, column } = attribute;
    // Migrations move values from a column into the overflow column, and attributes that are added again may get a column.
    const own = values[column] ?? overflow[name] ?? null;
    delete values[column];
    delete overflow[name];
    if (!isSame(attribute)) continue;
    const [stored, key] = isScalar(attribute) && attribute.overflow ? [overflow, name] : [values, column];
    stored[key] = own;
    if (isScalar(attribute)) data[name] = own === null ? null : FIELDS[attribute.type].read(own);
    else if (own === null) data[name] = isList(attribute) ? [] : null;
    else {
      const held: unknown = JSON.parse(String(own));
      data[name] = value(attribute, name, held);
      stored[key] = JSON.stringify(held);
    }
  }
  values[OVERFLOW_COLUMN] = JSON.stringify(overflow);
  const links: Record<string, Entry['links'][string]> = {};
  for (const attribute of linkAttributes(type.attributes).filter(isOwner).filter(isSame)) {
    const own = entry.links[attribute.name] ?? [];
    links[attribute.name] = own.map((link) => link.with(2, localeOf(targetUid(attribute, String(link[5])), link[2])));
    data[attribute.name] = value(attribute, attribute.name, inOneOrder(own)) ?? { set: [] };
  }
  return { data, missing, changed, entry: JSON.stringify({ ...entry, values, links }) };
}
