/**
 * @module A rename that is declared after `npm run dev` has seen it as a removal and an addition: the old attribute is
 * kept, the new one is there as well. What was written under the new name goes back under the old one, and the new one
 * goes, so that the rename finds what it expects.
 */
import type { Layout, Place, Places, TypeLayout } from '../migrations/layout.ts';
import { dropColumn, startWork, type Work } from '../migrations/migration-work.ts';
import type { AttributeRename, Renames, TableRename } from '../migrations/renames.ts';
import { identifier } from '../migrations/sql-text.ts';
import { nameOfType } from '../migrations/type-changes.ts';
import type { Changed } from './kept.ts';
import { type LocalSchema, NOTHING_KEPT } from './local-schema.ts';

export interface Undone extends Changed {
  /** Those that still have something to rename. */
  readonly renames: Renames;
}

const without = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

const columnsOf = (work: Work, table: string, but: readonly string[]): string =>
  Object.keys(work.tables[table]?.columns ?? {})
    .filter((column) => !but.includes(column))
    .map(identifier)
    .join(', ');

/** The rows of one table go into another of the same columns, and it goes. */
function mergeTable(work: Work, from: string, into: string, but: readonly string[] = []): void {
  const columns = columnsOf(work, from, but);
  const rows = `SELECT ${columns} FROM ${identifier(from)}`;
  if (columns === columnsOf(work, into, but))
    work.statements.push(`INSERT OR IGNORE INTO ${identifier(into)} (${columns}) ${rows}`);
  work.statements.push(`DROP TABLE ${identifier(from)}`);
  delete work.tables[from];
}

function mergePlace(work: Work, table: string, old: Place, fresh: Place): void {
  if (fresh.kind === 'links') {
    if (old.kind === 'links') mergeTable(work, fresh.table, old.table);
    return;
  }
  if (fresh.kind === 'scalar' && fresh.overflow) return;
  const alike = old.kind === 'scalar' && fresh.kind === 'scalar' && old.type === fresh.type && !old.overflow;
  const [from, into] = [identifier(fresh.column), alike ? identifier(old.column) : undefined];
  if (into) work.statements.push(`UPDATE ${identifier(table)} SET ${into} = ${from} WHERE ${from} IS NOT NULL`);
  dropColumn(work, table, fresh.column);
}

function setAttributes({ types, components }: Layout, uid: string, attributes: Places): Layout {
  const type = types[uid] as TypeLayout;
  return { types: { ...types, [uid]: { ...type, attributes } }, components };
}

/** @returns is there anything left to rename? */
function undoAttribute(work: Work, { type: owner, from, to }: AttributeRename): boolean {
  const { types, components } = work.layout;
  const [uid, type] = Object.entries(types).find(([name]) => owner === name || owner === nameOfType(name)) ?? [];
  const places = type?.attributes ?? components[owner];
  const [old, fresh] = [places?.[from], places?.[to]];
  if (!places || !old) return false;
  if (!fresh) return true;
  if (uid && type) {
    mergePlace(work, type.table, old, fresh);
    work.layout = setAttributes(work.layout, uid, without(places, to));
  } else work.layout = { types, components: { ...components, [owner]: without(places, to) } };
  return true;
}

function undoTable(work: Work, { from, to }: TableRename): boolean {
  const { types, components } = work.layout;
  const entry = (table: string) => Object.entries(types).find(([, type]) => type.table === table);
  const [old, fresh] = [entry(from), entry(to)];
  if (!old) return false;
  if (!fresh) return true;
  const [uid, { attributes }] = fresh;
  for (const place of Object.values(attributes)) {
    if (place.kind !== 'links') continue;
    work.statements.push(`DROP TABLE ${identifier(place.table)}`);
    delete work.tables[place.table];
  }
  mergeTable(work, to, from, ['id']);
  work.layout = { types: without(types, uid), components };
  return true;
}

/** @param schema with everything that is kept in sight. */
export function undoPushedRenames({ state, migrations }: LocalSchema, renames: Renames): Undone {
  const work = startWork(state.snapshot, state.layout);
  const tables = renames.tables.filter((rename) => undoTable(work, rename));
  const attributes = renames.attributes.filter((rename) => undoAttribute(work, rename));
  const has = (name: string) => Object.keys(work.layout.components).some((uid) => `${uid}.`.startsWith(`${name}.`));
  const components = renames.components.filter(({ from, to }) => has(from) && !has(to));
  const undone = { snapshot: { ...state.snapshot, tables: work.tables }, layout: work.layout };
  return {
    statements: work.statements,
    renames: { attributes, tables, components },
    schema: { state: undone, kept: NOTHING_KEPT, pushed: true, migrations },
  };
}
