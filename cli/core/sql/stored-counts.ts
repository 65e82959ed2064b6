/**
 * @module Counts the content of copied tables.
 */
import { readJson, readList } from '../../../src/common/json.ts';
import { hasComponents, isLinkAttribute } from '../../../src/schema/attribute-kinds.ts';
import type { Attribute, ContentType, Registry } from '../../../src/schema/model.ts';
import { mapInstances } from '../archive/instances.ts';
import type { ContentCounts } from '../content-counts.ts';
import type { Copies } from './copies.ts';
import { identifier } from './sql-text.ts';
import { archivedTypes, linkTablesOf } from './type-tables.ts';

/** Counts the links in the instances of a component or zone, and in the components inside them. */
function linksInside(attribute: Attribute, value: unknown, registry: Registry): number {
  if (!hasComponents(attribute)) return 0;
  let count = 0;
  mapInstances(attribute, readJson(value), (item, uid) => {
    for (const inner of registry.components.get(uid)?.attributes.values() ?? [])
      count += isLinkAttribute(inner)
        ? readList(item[inner.name]).length
        : linksInside(inner, item[inner.name], registry);
    return item;
  });
  return count;
}

function linksInComponents({ table, attributes }: ContentType, { db, columnsIn }: Copies, registry: Registry): number {
  const columns = new Set(columnsIn(table).map(([name]) => name));
  const found = [...attributes.values()].filter(hasComponents).filter(({ column }) => columns.has(column));
  let count = 0;
  for (const attribute of found) {
    const values = `select ${identifier(attribute.column)} as value from ${identifier(table)}`;
    for (const { value } of db.prepare(values).iterate()) count += linksInside(attribute, value, registry);
  }
  return count;
}

/** Counts what copied tables hold. A table that was not copied holds nothing. */
export function storedCounts(copies: Copies, registry: Registry): Omit<ContentCounts, 'files'> {
  const { tables, count } = copies;
  const counts = { documents: 0, versions: 0, links: 0 };
  for (const type of archivedTypes(registry).filter(({ table }) => tables.includes(table))) {
    counts.documents += count(type.table, 'distinct "document_id"');
    counts.versions += count(type.table);
    for (const table of linkTablesOf(type).values()) if (tables.includes(table)) counts.links += count(table);
    counts.links += linksInComponents(type, copies, registry);
  }
  return counts;
}
