/**
 * @module Renames components: the instances stay, but entries of dynamic zones name their component and get its new uid.
 */

import { identifier, literal } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';
import { rewriteColumns, rewriteOf } from './component-changes.ts';
import { instanceCounts } from './component-counts.ts';
import { blocksOf, type Layout, mapPlaces, type Places } from './layout.ts';
import { lose, type Work } from './migration-work.ts';
import type { Rename } from './rename-options.ts';

type Uids = ReadonlyMap<string, string>;

/** Old uid → new uid. @throws UserError for a rename that contradicts the layouts. */
function uidsOf({ layout: { components }, next }: Work, { from, to }: Rename, isForced: boolean): Uids {
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

function renamedLayout({ types, components }: Layout, uids: Uids): Layout {
  const nameOf = (uid: string): string => uids.get(uid) ?? uid;
  const renamed = (places: Places) =>
    mapPlaces(places, (place) => {
      if (place.kind === 'component') return { ...place, component: nameOf(place.component) };
      return place.kind === 'dynamiczone' ? { ...place, components: place.components.map(nameOf).sort() } : place;
    });
  const own = Object.entries(types).map(([uid, type]) => [uid, { ...type, attributes: renamed(type.attributes) }]);
  const inner = Object.entries(components).map(([uid, places]) => [nameOf(uid), renamed(places)]);
  return { types: Object.fromEntries(own), components: Object.fromEntries(inner) };
}

/** JSON text of the entries of a zone, by their new names. */
function renamedEntries(json: string, uids: Uids): string {
  const entry = [...uids].reduce(
    (rest, [from, to]) =>
      `iif("entry"."value" ->> '$.__component' = ${literal(from)}, json_set("entry"."value", '$.__component', ${literal(to)}), ${rest})`,
    '"entry"."value"',
  );
  const entries = `(SELECT json_group_array(json(${entry}) ORDER BY "entry"."key") FROM json_each(${json}) AS "entry")`;
  return `iif(json_type(${json}) = 'array', ${entries}, ${json})`;
}

/** Zones that may hold a component which is renamed. */
const zonesOf = (places: Places, uids: Uids) =>
  blocksOf(places).filter(([, place]) => place.kind === 'dynamiczone' && place.components.some((uid) => uids.has(uid)));

/** Renames the entries of zones; those of zones inside components first, under their former names. */
function renameEntries({ statements, layout }: Work, uids: Uids): void {
  const convert = (json: string) => renamedEntries(json, uids);
  const rewrite = rewriteOf(layout, (places) =>
    zonesOf(places, uids).map(([name]) => ({ from: name, to: name, convert })),
  );
  for (const { table, attributes } of Object.values(layout.types)) {
    statements.push(...rewriteColumns(table, attributes, rewrite));
    for (const [, place] of zonesOf(attributes, uids)) {
      const column = identifier(place.column);
      statements.push(`UPDATE ${identifier(table)} SET ${column} = ${convert(column)} WHERE ${column} IS NOT NULL`);
    }
  }
}

/** Drops a component that has the new name already: its instances would be taken for those of the old one. */
function giveWay(work: Work, before: string, after: string): void {
  const { [after]: inTheWay, ...components } = work.layout.components;
  if (!inTheWay) return;
  const counts = Object.keys(inTheWay).flatMap((name) => instanceCounts(work, { uid: after, name }));
  const reason = `has its own instances, which ${before} would take over`;
  if (counts.length > 0) lose(work, after, reason, ...counts);
  work.layout = { ...work.layout, components };
}

/** Renames one component, or all of a category. @throws UserError that names the option. */
export function renameComponents(work: Work, rename: Rename, isForced: boolean): void {
  const uids = uidsOf(work, rename, isForced);
  for (const [before, after] of uids) giveWay(work, before, after);
  renameEntries(work, uids);
  for (const [before, after] of uids) work.formerNames.set(`component ${after}`, before);
  work.layout = renamedLayout(work.layout, uids);
}
