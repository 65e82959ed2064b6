/**
 * @module Renames that migrations note, on a local database that may have seen the old name go and the new one come: then
 * what the old one held is kept, and goes into the new one where that is empty. Other renames are those of the tables.
 */
import type { Layout, TypeLayout } from '../migrations/layout.ts';
import type { AttributeRename, Renames, TableRename } from '../migrations/renames.ts';
import { identifier, literal } from '../migrations/sql-text.ts';
import { nameOfType } from '../migrations/type-changes.ts';
import { KEPT, type KeptGroup } from './kept-table.ts';
import { typeWithTable } from './push-changes.ts';

export interface PushedRenames {
  /** Those that the tables are still to be renamed by. */
  readonly own: Renames;
  /** The layout before those. */
  readonly layout: Layout;
  /** Statements that rename what is kept. */
  readonly statements: readonly string[];
  /** The group as the statements leave it. */
  rename(group: KeptGroup): KeptGroup;
  /** `table.attribute` of the new names of what is kept. */
  readonly moved: readonly string[];
}

const without = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

type Entry = readonly [uid: string, type: TypeLayout];

/** The type that a rename names, as the files have it now. */
const typeNamed = ({ types }: Layout, name: string): Entry | undefined =>
  Object.entries(types).find(([uid]) => name === uid || name === nameOfType(uid));

interface AttributeMove extends AttributeRename {
  readonly table: string;
  /** Do the tables have it under the old name alone? */
  readonly isOwn: boolean;
}

/** A statement that changes a column of the entries that `where` names, and what they are called in messages. */
const change = (column: string, to: string, subject: string, where: string): string =>
  `UPDATE OR REPLACE ${KEPT} SET ${identifier(column)} = ${literal(to)}, "subject" = ${subject} WHERE ${where}`;

const moveAttribute = ({ table, type, from, to }: AttributeMove): string =>
  change(
    'attribute',
    to,
    literal(`${nameOfType(type)}.${to}`),
    `"table" = ${literal(table)} AND "attribute" = ${literal(from)}`,
  );

function moveTable({ from, to }: TableRename, name: string): string {
  const rest = `substr("subject", instr("subject" || '.', '.'))`;
  return change('table', to, `${literal(name)} || ${rest}`, `"table" = ${literal(from)}`);
}

/** @param before all that the tables hold. @param after what the files ask for. */
export function pushedRenames(before: Layout, after: Layout, renames: Renames): PushedRenames {
  const tables = renames.tables.filter(({ from, to }) => typeWithTable(after, to) && !typeWithTable(after, from));
  const isOwnTable = ({ from, to }: TableRename) => typeWithTable(before, from) && !typeWithTable(before, to);
  const ownTables = tables.filter(isOwnTable);
  const own: AttributeRename[] = [];
  const moves: AttributeMove[] = [];
  let layout = before;
  for (const rename of renames.attributes) {
    const { type: owner, from, to } = rename;
    const [, type] = typeNamed(after, owner) ?? [];
    const wanted = type?.attributes ?? after.components[owner];
    if (!wanted?.[to] || wanted[from]) continue;
    const was = ownTables.find((table) => table.to === type?.table)?.from ?? type?.table ?? '';
    const places = type ? typeWithTable(before, was)?.attributes : before.components[owner];
    const isOwn = places?.[from] !== undefined && (!places[to] || !type);
    if (isOwn) own.push(rename);
    if (type) moves.push({ ...rename, table: type.table, isOwn });
    // Instances of a component have both names: a value under the new one stays.
    if (isOwn && !type && places[to])
      layout = { ...layout, components: { ...layout.components, [owner]: without(places, to) } };
  }
  const has = (name: string) => Object.keys(before.components).some((uid) => `${uid}.`.startsWith(`${name}.`));
  const components = renames.components.filter(({ from, to }) => has(from) && !has(to));
  const nameOf = (table: string): string =>
    nameOfType(Object.keys(after.types).find((uid) => after.types[uid]?.table === table) ?? table);
  return {
    own: { attributes: own, tables: ownTables, components },
    layout,
    statements: [...tables.map((table) => moveTable(table, nameOf(table.to))), ...moves.map(moveAttribute)],
    rename(group) {
      const table = tables.find(({ from }) => from === group.table)?.to ?? group.table;
      const move = moves.find((each) => each.table === table && each.from === group.attribute);
      return { ...group, table, attribute: move?.to ?? group.attribute };
    },
    moved: moves.filter(({ isOwn }) => !isOwn).map(({ table, to }) => `${table}.${to}`),
  };
}
