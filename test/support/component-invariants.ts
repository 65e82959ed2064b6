/**
 * @module What must hold of the components in the JSON columns of a row.
 */
import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  Registry,
} from '../../src/schema/model.ts';
import { type ContentRow, versionName } from './stored-world.ts';

type Held = ComponentAttribute | DynamicZoneAttribute;
type Instance = Readonly<Record<string, unknown>>;

interface Found {
  readonly id: unknown;
  /** `facts.source`: the attributes that lead to the instance. */
  readonly path: string;
}

/** What a walk through the instances of a row comes upon. */
interface Walk {
  readonly registry: Registry;
  readonly found: Found[];
  readonly complaints: string[];
}

const isInstance = (value: unknown): value is Instance =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const heldAttributes = (attributes: ReadonlyMap<string, Attribute>): readonly Held[] =>
  [...attributes.values()].filter(({ kind }) => kind === 'component' || kind === 'dynamiczone') as Held[];

const isList = (attribute: Held): boolean => attribute.kind === 'dynamiczone' || attribute.repeatable;

function visitInstance(instance: Instance, uid: string, path: string, zone: boolean, walk: Walk): void {
  const component = walk.registry.components.get(uid);
  if (!component) {
    walk.complaints.push(`${path} is of no component`);
    return;
  }
  if (!Number.isSafeInteger(instance.id)) walk.complaints.push(`${path} has no id`);
  walk.found.push({ id: instance.id, path });
  const known = (key: string) => key === 'id' || (zone && key === '__component') || component.attributes.has(key);
  for (const key of Object.keys(instance).filter((name) => !known(name)))
    walk.complaints.push(`${path} has a key ${key} that ${uid} has not`);
  for (const attribute of heldAttributes(component.attributes)) visit(attribute, instance[attribute.name], path, walk);
}

function visit(attribute: Held, value: unknown, above: string, walk: Walk): void {
  const path = above === '' ? attribute.name : `${above}.${attribute.name}`;
  if (value === null || value === undefined) return;
  if (Array.isArray(value) !== isList(attribute)) {
    walk.complaints.push(`${path} is ${isList(attribute) ? 'no list' : 'a list'}`);
    return;
  }
  for (const item of (Array.isArray(value) ? value : [value]) as readonly unknown[]) {
    if (!isInstance(item)) walk.complaints.push(`${path} holds what is no component`);
    else if (attribute.kind === 'component') visitInstance(item, attribute.component, path, false, walk);
    else if (!attribute.components.includes(String(item.__component)))
      walk.complaints.push(`${path} holds a ${String(item.__component)}, which it may not`);
    else visitInstance(item, String(item.__component), path, true, walk);
  }
}

function walkRow(type: ContentType, row: ContentRow, registry: Registry): Walk {
  const walk: Walk = { registry, found: [], complaints: [] };
  for (const attribute of heldAttributes(type.attributes)) {
    const text = row[attribute.column];
    if (typeof text === 'string') visit(attribute, JSON.parse(text), '', walk);
  }
  return walk;
}

/** Instances have an id that no other of their row has, and what their schema gives them. */
export function componentComplaints(
  type: ContentType,
  rows: readonly ContentRow[],
  registry: Registry,
): readonly string[] {
  return rows.flatMap((row) => {
    const { found, complaints } = walkRow(type, row, registry);
    const at = `${type.table}: ${versionName(row)}`;
    const firsts = new Map([...found].reverse().map((item) => [item.id, item]));
    const twice = found.filter((item) => firsts.get(item.id) !== item);
    return [
      ...complaints.map((text) => `${at}: ${text}`),
      ...twice.map(({ id, path }) => `${at}: ${path} has the id ${id} once more`),
    ];
  });
}

/** Publication copies components under new ids: a draft and its published row have none in common. */
export function pairComplaints(type: ContentType, rows: readonly ContentRow[], registry: Registry): readonly string[] {
  const keyOf = ({ document_id, locale }: ContentRow) => `${document_id}/${locale}`;
  const live = new Map(rows.filter((row) => row.published_at !== null).map((row) => [keyOf(row), row]));
  const drafts = rows.filter(({ published_at }) => published_at === null);
  return drafts.flatMap((draft) => {
    const published = live.get(keyOf(draft));
    if (!published) return [];
    const ids = new Set(walkRow(type, draft, registry).found.map(({ id }) => id));
    const both = walkRow(type, published, registry).found.filter(({ id }) => ids.has(id));
    return both.map(
      ({ id, path }) => `${type.table}: ${versionName(published)}: ${path} has the id ${id} of the draft`,
    );
  });
}
