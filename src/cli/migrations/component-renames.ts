/**
 * @module `--rename-component old.uid=new.uid`, or `old=new` for a category: the instances stay. Entries of dynamic zones
 * name their component and are told its new uid.
 */
import type { Registry } from '../../registry/model.ts';
import { UserError } from '../terminal.ts';
import type { Layout, Place, Places, TypeLayout } from './layout.ts';
import type { Work } from './migration-work.ts';
import { identifier, literal } from './sql-text.ts';

export interface ComponentRename {
  /** `category.name`, or `category`. */
  readonly from: string;
  readonly to: string;
}

/** @throws UserError for an option in another form. */
export function parseComponentRename(text: string): ComponentRename {
  const [, from, to] = /^([\w-]+(?:\.[\w-]+)?)=([\w-]+(?:\.[\w-]+)?)$/.exec(text) ?? [];
  if (!from || !to || from.includes('.') !== to.includes('.'))
    throw new UserError(
      `--rename-component ${text}: expected category.oldName=category.newName, or oldCategory=newCategory`,
    );
  return { from, to };
}

type Uids = ReadonlyMap<string, string>;

/** Old uid → new uid. @throws UserError for a rename that the files before and now do not bear out. */
function uidsOf({ components }: Layout, { from, to }: ComponentRename, registry: Registry): Uids {
  const option = `--rename-component ${from}=${to}`;
  const meant = Object.keys(components).filter((uid) => uid === from || uid.startsWith(`${from}.`));
  if (meant.length === 0) throw new UserError(`${option}: there was no component ${from}`);
  const uids = new Map(meant.map((uid) => [uid, `${to}${uid.slice(from.length)}`]));
  for (const [before, after] of uids) {
    if (components[after]) throw new UserError(`${option}: there was a component ${after} already`);
    if (registry.components.has(before)) throw new UserError(`${option}: there still is a component ${before}`);
    if (!registry.components.has(after)) throw new UserError(`${option}: there is no component ${after}`);
  }
  return uids;
}

function renamedPlace(place: Place, uids: Uids): Place {
  const nameOf = (uid: string): string => uids.get(uid) ?? uid;
  if (place.kind === 'component') return { ...place, component: nameOf(place.component) };
  return place.kind === 'dynamiczone' ? { ...place, components: place.components.map(nameOf).sort() } : place;
}

const renamedPlaces = (places: Places, uids: Uids): Places =>
  Object.fromEntries(Object.entries(places).map(([name, place]) => [name, renamedPlace(place, uids)]));

function renamedLayout({ types, components }: Layout, uids: Uids): Layout {
  const renamedType = (type: TypeLayout) => ({ ...type, attributes: renamedPlaces(type.attributes, uids) });
  return {
    types: Object.fromEntries(Object.entries(types).map(([uid, type]) => [uid, renamedType(type)])),
    components: Object.fromEntries(
      Object.entries(components).map(([uid, places]) => [uids.get(uid) ?? uid, renamedPlaces(places, uids)]),
    ),
  };
}

function renameEntries(work: Work, table: string, place: Place, uids: Uids): void {
  if (place.kind !== 'dynamiczone') return;
  const column = identifier(place.column);
  for (const uid of place.components) {
    const to = uids.get(uid);
    if (!to) continue;
    const named = `value ->> '$.__component' = ${literal(uid)}`;
    const entry = `iif(${named}, json_set(value, '$.__component', ${literal(to)}), value)`;
    const entries = `(SELECT json_group_array(json(${entry}) ORDER BY key) FROM json_each(${column}))`;
    const held = `EXISTS (SELECT 1 FROM json_each(${column}) WHERE ${named})`;
    work.statements.push(`UPDATE ${identifier(table)} SET ${column} = ${entries} WHERE ${held}`);
  }
}

/** Renames one component, or all of a category. @throws UserError that names the option. */
export function renameComponents(work: Work, rename: ComponentRename, registry: Registry): void {
  const uids = uidsOf(work.layout, rename, registry);
  for (const { table, attributes } of Object.values(work.layout.types))
    for (const place of Object.values(attributes)) renameEntries(work, table, place, uids);
  for (const [before, after] of uids) work.formerNames.set(`component ${after}`, before);
  work.layout = renamedLayout(work.layout, uids);
}
