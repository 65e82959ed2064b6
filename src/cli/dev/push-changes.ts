/**
 * @module What a save changes about what a local database holds: what leaves the tables, and what stays in another form.
 */
import { sha256 } from '../../digest.ts';
import type { Layout, Place, Places, TypeLayout } from '../migrations/layout.ts';
import { jsonText } from '../migrations/migration-files.ts';
import { nameOfType } from '../migrations/type-changes.ts';
import { formOf, plainForm, staysAsIs } from './forms.ts';

/** An attribute of a type, or of a component. */
export interface Attribute {
  readonly uid: string;
  readonly name: string;
  /** What it is called in messages: `article.lead`, `shared.seo.title`. */
  readonly subject: string;
}

export interface Changes {
  /** uids of types whose table goes. */
  readonly goneTypes: readonly string[];
  readonly gone: readonly Attribute[];
  /** Attributes of types that store in another form from now on, in which values may not be what they were. */
  readonly changed: readonly Attribute[];
  /** Other attributes that stay. */
  readonly same: readonly Attribute[];
  readonly goneInComponents: readonly Attribute[];
}

type Entry = readonly [uid: string, places: Places, wanted: Places | undefined, owner: string];

const goneOf = ([uid, places, wanted, owner]: Entry): readonly Attribute[] =>
  Object.keys(places)
    .filter((name) => !wanted?.[name])
    .map((name) => ({ uid, name, subject: `${owner}.${name}` }));

export const typeWithTable = ({ types }: Layout, table: string): TypeLayout | undefined =>
  Object.values(types).find((type) => type.table === table);

/** A type is the same as long as its table is. */
export function changesBetween(before: Layout, after: Layout): Changes {
  const types = Object.entries(before.types).map(([uid, type]) => ({
    uid,
    type,
    next: typeWithTable(after, type.table),
  }));
  const staying = types.flatMap(({ uid, type, next }) => (next ? [{ uid, type, next }] : []));
  const isChanged = (place: Place, next: Place | undefined): boolean =>
    next !== undefined && !staysAsIs(formOf(place, before), formOf(next, after));
  const stayingWhere = (changed: boolean): readonly Attribute[] =>
    staying.flatMap(({ uid, type, next }) =>
      Object.entries(type.attributes)
        .filter(([name, place]) => next.attributes[name] && isChanged(place, next.attributes[name]) === changed)
        .map(([name]) => ({ uid, name, subject: `${nameOfType(uid)}.${name}` })),
    );
  return {
    goneTypes: types.filter(({ next }) => !next).map(({ uid }) => uid),
    gone: staying.flatMap(({ uid, type, next }) => goneOf([uid, type.attributes, next.attributes, nameOfType(uid)])),
    changed: stayingWhere(true),
    same: stayingWhere(false),
    goneInComponents: Object.entries(before.components).flatMap(([uid, places]) =>
      goneOf([uid, places, after.components[uid], uid]),
    ),
  };
}

const shortOf = (...parts: readonly unknown[]): string => sha256(jsonText(parts)).slice(0, 12);

/** What is stored in another way when it changes: table, attribute → a short name of its form. */
function formsOf(layout: Layout): ReadonlyMap<string, string> {
  const { types, components } = layout;
  const forms = new Map<string, string>();
  const add = (owner: string, places: Places) => {
    for (const [name, place] of Object.entries(places))
      forms.set(`${owner} ${name}`, shortOf(owner, name, plainForm(place, layout)));
  };
  for (const { table, kind, draftAndPublish, localized, attributes } of Object.values(types)) {
    forms.set(table, shortOf(table, kind, draftAndPublish, localized));
    add(table, attributes);
  }
  for (const [uid, places] of Object.entries(components)) add(`component ${uid}`, places);
  return forms;
}

/** Short names of all forms of a layout. */
export const seenForms = (layout: Layout): readonly string[] => [...formsOf(layout).values()];

/** Does something that stays get a form that it has never had? Otherwise a save is taken back. */
export function hasNewForms(before: Layout, after: Layout, seen: readonly string[]): boolean {
  const known = new Set(seen);
  const was = formsOf(before);
  return [...formsOf(after)].some(([name, form]) => was.has(name) && was.get(name) !== form && !known.has(form));
}
