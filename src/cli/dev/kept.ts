/**
 * @module Attributes and types that left the content types while a local database holds values of them. They are put out
 * of sight of the planner of migrations, so the tables keep them; when they come back they are put back.
 */
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import type { Layout, Place, Places, TypeLayout } from '../migrations/layout.ts';
import { dropIndexes, startWork, type Work } from '../migrations/migration-work.ts';
import type { Snapshot, TableSnapshot } from '../migrations/snapshot.ts';
import { identifier } from '../migrations/sql-text.ts';
import { nameOfType } from '../migrations/type-changes.ts';
import { type Kept, type LocalSchema, NOTHING_KEPT } from './local-schema.ts';

/** One thing that can be kept, and what it is called in messages: `article`, `article.lead`, `shared.seo.title`. */
export interface Item {
  readonly kind: 'type' | 'component';
  readonly uid: string;
  /** Absent: all of it. */
  readonly attribute?: string;
  readonly subject: string;
}

interface Bench {
  readonly work: Work;
  types: Record<string, TypeLayout>;
  components: Record<string, Places>;
  tables: Record<string, TableSnapshot>;
}

const without = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

const itemsOf = (kind: Item['kind'], uid: string, places: Places, wanted: Places | undefined): readonly Item[] => {
  const name = kind === 'type' ? nameOfType(uid) : uid;
  if (!wanted) return [{ kind, uid, subject: name }];
  const gone = Object.keys(places).filter((attribute) => !wanted[attribute]);
  return gone.map((attribute) => ({ kind, uid, attribute, subject: `${name}.${attribute}` }));
};

/** What `layout` has and `next` has not. A type is the same as long as its table is. */
export function removedItems(layout: Layout, next: Layout): readonly Item[] {
  const byTable = new Map(Object.values(next.types).map((type) => [type.table, type.attributes]));
  return [
    ...Object.entries(layout.types).flatMap(([uid, type]) =>
      itemsOf('type', uid, type.attributes, byTable.get(type.table)),
    ),
    ...Object.entries(layout.components).flatMap(([uid, places]) =>
      itemsOf('component', uid, places, next.components[uid]),
    ),
  ];
}

const linkTables = (places: Places): readonly string[] =>
  Object.values(places).flatMap((place) => (place.kind === 'links' ? [place.table] : []));

function keepTable({ work, tables }: Bench, name: string): void {
  const table = work.tables[name];
  if (table) tables[name] = table;
  delete work.tables[name];
}

function keepColumn({ work, tables }: Bench, name: string, column: string): void {
  const table = work.tables[name];
  const found = table?.columns[column];
  if (!table || !found) return;
  dropIndexes(work, name, (columns) => columns.includes(column));
  delete table.columns[column];
  const kept = tables[name] ?? { ...table, columns: {}, indexes: {}, compositePrimaryKeys: {} };
  tables[name] = { ...kept, columns: { ...kept.columns, [column]: found } };
}

function keepPlace(bench: Bench, table: string, place: Place): void {
  if (place.kind === 'links') keepTable(bench, place.table);
  else if (place.kind !== 'scalar' || !place.overflow) keepColumn(bench, table, place.column);
}

function keepAttribute(bench: Bench, uid: string, name: string): void {
  const type = bench.work.layout.types[uid];
  const place = type?.attributes[name];
  if (!type || !place) return;
  keepPlace(bench, type.table, place);
  const kept = bench.types[uid] ?? { ...type, attributes: {} };
  bench.types[uid] = { ...kept, attributes: { ...kept.attributes, [name]: place } };
  const { types, components } = bench.work.layout;
  const left = { ...type, attributes: without(type.attributes, name) };
  bench.work.layout = { types: { ...types, [uid]: left }, components };
  const packed = (item: Place) => item.kind === 'scalar' && item.overflow;
  if (packed(place) && !Object.values(left.attributes).some(packed)) keepColumn(bench, type.table, OVERFLOW_COLUMN);
}

function keepType(bench: Bench, uid: string): void {
  const { types, components } = bench.work.layout;
  const type = types[uid];
  if (!type) return;
  for (const table of [type.table, ...linkTables(type.attributes)]) keepTable(bench, table);
  bench.types[uid] = { ...type, attributes: { ...bench.types[uid]?.attributes, ...type.attributes } };
  bench.work.layout = { types: without(types, uid), components };
}

/** The instances of a component are JSON in other tables, where nobody touches what no attribute names. */
function keepInComponent(bench: Bench, uid: string, attribute: string | undefined): void {
  const { types, components } = bench.work.layout;
  const places = components[uid] ?? {};
  const gone = attribute === undefined ? Object.keys(places) : [attribute];
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(places).filter(([name]) => gone.includes(name) === wanted));
  bench.components[uid] = { ...bench.components[uid], ...pick(true) };
  const left = attribute === undefined ? without(components, uid) : { ...components, [uid]: pick(false) };
  bench.work.layout = { types, components: left };
}

function keepItem(bench: Bench, { kind, uid, attribute }: Item): void {
  if (kind === 'component') keepInComponent(bench, uid, attribute);
  else if (attribute === undefined) keepType(bench, uid);
  else keepAttribute(bench, uid, attribute);
}

export interface Changed {
  readonly schema: LocalSchema;
  /** In order, without semicolons. */
  readonly statements: readonly string[];
}

const changed = (
  { work, types, components, tables }: Bench,
  snapshot: Snapshot,
  migrations: readonly string[],
): Changed => ({
  statements: work.statements,
  schema: {
    state: { snapshot: { ...snapshot, tables: work.tables }, layout: work.layout },
    kept: { layout: { types, components }, tables },
    pushed: true,
    migrations,
  },
});

/** Keeps items: the planner does not see them any more. */
export function keep({ state, kept, migrations }: LocalSchema, items: readonly Item[]): Changed {
  const { types, components } = kept.layout;
  const bench: Bench = {
    work: startWork(state.snapshot, state.layout),
    types: { ...types },
    components: { ...components },
    tables: { ...kept.tables },
  };
  for (const item of items) keepItem(bench, item);
  return changed(bench, state.snapshot, migrations);
}

function mergeTables(tables: Record<string, TableSnapshot>, kept: Kept): Record<string, TableSnapshot> {
  const merged = { ...tables };
  for (const [name, table] of Object.entries(kept.tables)) {
    const present = merged[name];
    merged[name] = present ? { ...present, columns: { ...table.columns, ...present.columns } } : table;
  }
  return merged;
}

function mergeLayout(layout: Layout, kept: Layout): Layout {
  const uids = new Map(Object.entries(layout.types).map(([uid, { table }]) => [table, uid]));
  const types = { ...layout.types };
  for (const [before, type] of Object.entries(kept.types)) {
    const uid = uids.get(type.table) ?? before;
    const present = types[uid] ?? type;
    types[uid] = { ...present, attributes: { ...type.attributes, ...present.attributes } };
  }
  const components = { ...layout.components };
  for (const [uid, places] of Object.entries(kept.components)) components[uid] = { ...places, ...components[uid] };
  return { types, components };
}

/** Everything that the tables hold, in sight of the planner again. */
export function withKept({ state, kept, ...rest }: LocalSchema): LocalSchema {
  const snapshot = { ...state.snapshot, tables: mergeTables({ ...state.snapshot.tables }, kept) };
  return { state: { snapshot, layout: mergeLayout(state.layout, kept.layout) }, kept: NOTHING_KEPT, ...rest };
}

/** Links that came back, of which an end went meanwhile. */
export function looseLinksSql(before: Layout, after: Layout): readonly string[] {
  const had = new Set(Object.values(before.types).flatMap(({ attributes }) => linkTables(attributes)));
  return Object.values(after.types).flatMap((source) =>
    Object.values(source.attributes).flatMap((place) => {
      if (place.kind !== 'links' || had.has(place.table)) return [];
      const ends = [
        ['source', source],
        ['target', after.types[place.target]],
      ] as const;
      return ends.flatMap(([end, type]) => {
        if (!type) return [];
        const links = identifier(place.table);
        const row = `SELECT 1 FROM ${identifier(type.table)} AS "row" WHERE "row"."document_id" = ${links}."${end}_document_id" AND "row"."locale" = ${links}."${end}_locale"`;
        return [`DELETE FROM ${links} WHERE NOT EXISTS (${row})`];
      });
    }),
  );
}
