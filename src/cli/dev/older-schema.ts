/**
 * @module Local databases of before content that left the files had a table of its own: their content tables still hold
 * it. It is put into the state of the tables, from which the next save takes it.
 */
import type { Layout, TypeLayout } from '../migrations/layout.ts';
import type { TableSnapshot } from '../migrations/snapshot.ts';
import type { LocalSchema } from './local-schema.ts';

export interface Older {
  readonly kept: { readonly layout: Layout; readonly tables: Readonly<Record<string, TableSnapshot>> };
}

export function withOlder(schema: LocalSchema, { kept }: Older): LocalSchema {
  const { snapshot, layout } = schema.state;
  const tables: Record<string, TableSnapshot> = { ...snapshot.tables };
  for (const [name, table] of Object.entries(kept.tables)) {
    const there = tables[name];
    tables[name] = there ? { ...there, columns: { ...table.columns, ...there.columns } } : table;
  }
  const types: Record<string, TypeLayout> = { ...layout.types };
  for (const [before, type] of Object.entries(kept.layout.types)) {
    const same = Object.keys(types).find((uid) => types[uid]?.table === type.table);
    // Two tables of one uid: the one that was kept gets a uid that no type has.
    const uid = same ?? (types[before] ? `${before}.${type.table}` : before);
    const there = types[uid] ?? type;
    types[uid] = { ...there, attributes: { ...type.attributes, ...there.attributes } };
  }
  const state = { snapshot: { ...snapshot, tables }, layout: { ...layout, types } };
  return { ...schema, state, hidden: kept.layout.components };
}
