/**
 * @module Applies declared renames: the content stays.
 */
import { columnName } from '../../src/schema/names.ts';
import { identifier, jsonPath } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';
import { holders, isOverflow, OVERFLOW, removeKey } from './attribute-changes.ts';
import { instanceCounts, rewriteColumns } from './component-changes.ts';
import {
  attributeNames,
  isComponentPlace,
  isLinks,
  isZonePlace,
  type Layout,
  linksIn,
  linksTable,
  mapPlaces,
  nameOfType,
  type Place,
  type Places,
  type TypeLayout,
  typeByTable,
  withType,
} from './layout.ts';
import { countRows, dropColumn, lose, renameColumn, renameTable, type Work } from './migration-work.ts';
import type { AttributeRename, Rename, Renames } from './rename-options.ts';
import { retypeLinks, versionsOf } from './type-changes.ts';

/** Old uid → new uid. @throws UserError for a rename that contradicts the layouts. */
function renamedUids({ layout: { components }, next }: Work, { from, to }: Rename, isForced: boolean) {
  const option = `--rename-component ${from}=${to}`;
  const meant = Object.keys(components).filter((uid) => uid === from || uid.startsWith(`${from}.`));
  if (meant.length === 0) throw new UserError(`${option}: there was no component ${from}`);
  const uids = new Map(meant.map((uid) => [uid, `${to}${uid.slice(from.length)}`]));
  for (const [before, after] of uids) {
    if (components[after] && !isForced) throw new UserError(`${option}: there was a component ${after} already`);
    if (next.components[before]) throw new UserError(`${option}: there still is a component ${before}`);
    if (!next.components[after]) throw new UserError(`${option}: there is no component ${after}`);
  }
  return uids;
}

/** Drops a component that has the new name already: its instances would be taken for those of the old one. */
function dropComponent(work: Work, before: string, after: string): void {
  const { [after]: inTheWay, ...components } = work.layout.components;
  if (!inTheWay) return;
  const counts = Object.keys(inTheWay).flatMap((name) => instanceCounts(work, { uid: after, name }));
  if (counts.length > 0) lose(work, after, `has its own instances, which ${before} would take over`, ...counts);
  work.layout = { ...work.layout, components };
}

/** Renames one component, or all of a category: in the entries of zones, which name their component, and in the layout. */
function renameComponents(work: Work, rename: Rename, isForced: boolean): void {
  const names = renamedUids(work, rename, isForced);
  for (const [before, after] of names) {
    dropComponent(work, before, after);
    work.formerNames.set(`component ${after}`, before);
  }
  const { types, components } = work.layout;
  const nameOf = (uid: string): string => names.get(uid) ?? uid;
  const renamed = (places: Places) =>
    mapPlaces(places, (place) => {
      if (isComponentPlace(place)) return { ...place, component: nameOf(place.component) };
      return isZonePlace(place) ? { ...place, components: place.components.map(nameOf).sort() } : place;
    });
  for (const { table, attributes } of Object.values(types))
    work.statements.push(...rewriteColumns(table, attributes, { layout: work.layout, edits: new Map(), names }));
  const own = Object.entries(types).map(([uid, type]) => [uid, { ...type, attributes: renamed(type.attributes) }]);
  const inner = Object.entries(components).map(([uid, places]) => [nameOf(uid), renamed(places)]);
  work.layout = { types: Object.fromEntries(own), components: Object.fromEntries(inner) };
}

function dropTable(work: Work, table: string): void {
  delete work.tables[table];
  work.statements.push(`DROP TABLE ${identifier(table)}`);
}

/** Drops the type that has the new name already. */
function dropType(work: Work, table: string, other: string): void {
  const [uid, type] = typeByTable(work.layout, table) ?? [];
  if (!uid || !type) return;
  const reason = `is replaced by ${other}, with all its documents`;
  work.losses.push({ subject: nameOfType(uid), reason, counts: [countRows(table)], versions: versionsOf(uid) });
  for (const [, place] of linksIn(type.attributes)) dropTable(work, place.table);
  dropTable(work, table);
  const { [uid]: _, ...types } = work.layout.types;
  work.layout = { ...work.layout, types };
  retypeLinks(work, new Map([[uid, undefined]]));
}

function renameType(work: Work, { from, to }: Rename, isForced: boolean): void {
  const option = `--rename-type ${from}=${to}`;
  const [uid, type] = typeByTable(work.layout, from) ?? [];
  if (!uid || !type) throw new UserError(`${option}: there is no table ${from}`);
  if (typeByTable(work.layout, to) && !isForced) throw new UserError(`${option}: table ${to} exists already`);
  if (typeByTable(work.next, from)) throw new UserError(`${option}: a content type still has the table ${from}`);
  dropType(work, to, nameOfType(uid));
  renameTable(work, from, to);
  const attributes = mapPlaces(type.attributes, (place, name) => {
    if (!isLinks(place)) return place;
    const table = linksTable(place, to, name);
    renameTable(work, place.table, table);
    return { ...place, table };
  });
  work.layout = withType(work.layout, uid, { ...type, table: to, attributes });
}

function renamedPlace(work: Work, { table }: TypeLayout, { from, to }: AttributeRename, place: Place): Place {
  if (isLinks(place)) {
    const links = linksTable(place, table, to);
    if (links !== place.table) renameTable(work, place.table, links);
    return { ...place, table: links };
  }
  const column = columnName(to);
  if (isOverflow(place)) {
    // `json_set` keeps a text a text and a number a number.
    const value = `${OVERFLOW} ->> ${jsonPath(from)}`;
    const moved = `json_remove(json_set(${OVERFLOW}, ${jsonPath(to)}, ${value}), ${jsonPath(from)})`;
    work.statements.push(`UPDATE ${identifier(table)} SET ${OVERFLOW} = ${moved} WHERE ${value} IS NOT NULL`);
  } else renameColumn(work, table, place.column, column);
  return { ...place, column, was: { column: place.column, name: from } };
}

/** @throws UserError for a rename that contradicts the layouts. */
function checkRename({ type, from, to }: AttributeRename, before: Places, next: Layout, isForced: boolean): Place {
  const option = `--rename ${type}.${from}=${to}`;
  const [place, now] = [before[from], attributeNames(next, type)];
  if (!now) throw new UserError(`${option}: there is no content type or component ${type}`);
  if (!place) throw new UserError(`${option}: ${type} had no stored attribute ${from}`);
  if (before[to] && !isForced) throw new UserError(`${option}: ${type} had an attribute ${to} already`);
  if (now.has(from)) throw new UserError(`${option}: ${type} still has an attribute ${from}`);
  if (!now.has(to)) throw new UserError(`${option}: ${type} has no attribute ${to}`);
  return place;
}

/** Drops the attribute that has the new name already. */
function dropAttribute(work: Work, { table }: TypeLayout, { type, from, to }: AttributeRename, place: Place): void {
  const owned = `${nameOfType(type)}.${to}`;
  lose(work, owned, `is replaced by ${from}`, holders({ work, table, name: to, owned }, place));
  if (isLinks(place)) dropTable(work, place.table);
  else if (isOverflow(place)) work.statements.push(removeKey(table, to));
  else dropColumn(work, table, place.column);
}

function renameAttribute(work: Work, rename: AttributeRename, isForced: boolean): void {
  const table = work.next.types[rename.type]?.table;
  const [uid, type] = (table !== undefined && typeByTable(work.layout, table)) || [];
  const before = table === undefined ? work.layout.components[rename.type] : type?.attributes;
  const place = checkRename(rename, before ?? {}, work.next, isForced);
  // The instances of a component are rewritten with all its other changes.
  if (!uid || !type) return;
  const { [rename.from]: _, [rename.to]: inTheWay, ...others } = type.attributes;
  if (inTheWay) dropAttribute(work, type, rename, inTheWay);
  const attributes = { ...others, [rename.to]: renamedPlace(work, type, rename, place) };
  work.layout = withType(work.layout, uid, { ...type, attributes });
}

/**
 * Renames components, then tables, then columns, link tables and overflow keys; the content stays.
 * @param renames with uids and tables, as `resolveRenames` returns them.
 * @param isForced may they replace what has the new names already?
 * @throws UserError that names the option, for a rename that contradicts the layouts before and after it.
 */
export function applyRenames(work: Work, renames: Renames, isForced = false): void {
  for (const rename of renames.components) renameComponents(work, rename, isForced);
  for (const rename of renames.tables) renameType(work, rename, isForced);
  for (const rename of renames.attributes) renameAttribute(work, rename, isForced);
}
