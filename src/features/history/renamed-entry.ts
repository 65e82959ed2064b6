/**
 * @module A kept entry under the names of today. Migrations leave entries as they are: an entry has the number of the renames
 * before it, and the later ones are applied when it is read.
 */
import { isObject, type JsonObject, ownValue } from '../../common/json.ts';
import { attributesOf } from '../../content/plan/model/component-attributes.ts';
import type { Entry } from '../../content/plan/model/kept-entry.ts';
import { hasComponents, isComponent, isPolymorphic, isZone } from '../../schema/attribute-kinds.ts';
import type { Stored } from '../../schema/fields.ts';
import type { Attribute, ContentType, Registry } from '../../schema/model.ts';
import { columnName, OVERFLOW_COLUMN } from '../../schema/names.ts';

/** Renames keys. A key replaces another of its new name, which a migration had removed before the rename. */
function withKeys<T>(record: Readonly<Record<string, T>>, rename: (key: string) => string): Record<string, T> {
  const isRenamed = (key: string) => Number(rename(key) !== key);
  const sorted = Object.entries(record).sort(([one], [other]) => isRenamed(one) - isRenamed(other));
  return Object.fromEntries(sorted.map(([key, value]) => [rename(key), value]));
}

/** Returns an entry as if it had been made today. */
export function withTodaysNames(entry: Entry, type: ContentType, registry: Registry): Entry {
  const steps = registry.renames?.slice(entry.renames) ?? [];
  if (steps.length === 0) return entry;
  const uidNow = (uid: string): string => steps.reduce((name, { uids }) => uids[name] ?? name, uid);
  const uidThen = (now: string): string =>
    steps.reduceRight((name, { uids }) => Object.keys(uids).find((uid) => uids[uid] === name) ?? name, now);
  /** @param owner today's uid of a content type or component */
  const renameIn = (owner: string) => {
    const was = uidThen(owner);
    return (attribute: string): string => {
      let [uid, name] = [was, attribute];
      for (const { uids, attributes } of steps) {
        uid = uids[uid] ?? uid;
        name = String(ownValue(attributes[uid], name) ?? name);
      }
      return name;
    };
  };
  const instance = (value: unknown, uid: string): unknown => {
    if (!isObject(value)) return value;
    const named = withKeys(value, renameIn(uid));
    for (const attribute of attributesOf(uid, registry).values())
      if (Object.hasOwn(named, attribute.name)) named[attribute.name] = held(attribute, named[attribute.name]);
    return '__component' in named ? { ...named, __component: uid } : named;
  };
  /** @param value of an attribute as JSON columns have it */
  const held = (attribute: Attribute, value: unknown): unknown => {
    const each = (item: unknown): unknown => {
      if (isComponent(attribute)) return instance(item, attribute.component);
      if (!isObject(item)) return item;
      if (isZone(attribute)) return instance(item, uidNow(String(item.__component)));
      const { type } = item;
      return isPolymorphic(attribute) && typeof type === 'string' ? { ...item, type: uidNow(type) } : item;
    };
    return Array.isArray(value) ? value.map(each) : each(value);
  };
  const rename = renameIn(type.uid);
  const columns = new Map(Object.keys(entry.types).map((name) => [columnName(name), columnName(rename(name))]));
  const values: Record<string, Stored> = withKeys(entry.values, (column) => columns.get(column) ?? column);
  const rewrite = (column: string, change: (value: unknown) => unknown) => {
    const text = values[column];
    if (typeof text === 'string') values[column] = JSON.stringify(change(JSON.parse(text)));
  };
  rewrite(OVERFLOW_COLUMN, (value) => withKeys(value as JsonObject, rename));
  for (const attribute of type.attributes.values())
    if (hasComponents(attribute)) rewrite(attribute.column, (value) => held(attribute, value));
  const links = Object.entries(withKeys(entry.links, rename)).map(([name, list]) => [
    name,
    list.map((link) => link.map((part, index) => (index === 5 ? uidNow(String(part)) : part))),
  ]);
  const types = Object.entries(withKeys(entry.types, rename)).map(([name, kind]) => [
    name,
    // `list of shared.link`
    kind.replace(/\S+$/, (uid) => uidNow(uid)),
  ]);
  return {
    values,
    links: Object.fromEntries(links),
    types: Object.fromEntries(types),
    renames: registry.renames?.length ?? 0,
  };
}
