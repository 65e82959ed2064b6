/**
 * @module Migrates relations inside components when an end gets or loses locales. Each reference names the locale of its
 * target, or none if it follows the locale of the row.
 */

import { columnIn, literal } from '../core/sql/sql-text.ts';
import { rewriteColumns } from './component-changes.ts';
import { instanceCounts } from './component-counts.ts';
import type { Edit } from './component-edits.ts';
import type { Layout, Places, TypeLayout } from './layout.ts';
import { formerComponent, formerTable, lose, type Work } from './migration-work.ts';

/** uids of the types that get locales. */
const newlyLocalized = (work: Work, { types }: Layout): ReadonlySet<string> =>
  new Set(Object.keys(types).filter((uid) => types[uid]?.localized && work.layout.types[uid]?.localized === false));

const linksTo = (places: Places, isMeant: (target: string) => boolean): readonly (readonly [string, string])[] =>
  Object.entries(places).flatMap(([name, place]) =>
    place.kind === 'links' && isMeant(place.target) ? [[name, place.target] as const] : [],
  );

function editOf(name: string, locale: (named: string) => string): Edit {
  const named = locale(`"link"."value" ->> '$.locale'`);
  const convert = (json: string) =>
    `(SELECT json_group_array(json(json_set("link"."value", '$.locale', ${named})) ORDER BY "link"."key") FROM json_each(${json}) AS "link" WHERE "link"."type" = 'object')`;
  return { from: name, to: name, convert };
}

/** Sets the locales of the references in the rows of a type. */
function nameLocales(
  work: Work,
  next: Layout,
  [uid, type]: [string, TypeLayout],
  gained: ReadonlySet<string>,
  defaultLocale: string,
) {
  const lost = work.layout.types[uid]?.localized === true && !type.localized;
  const wanted = type.localized ? `''` : defaultLocale;
  const isMeant = (target: string) => gained.has(target) || (lost && next.types[target]?.localized === true);
  const edits = Object.entries(next.components).map(([component, places]) => {
    const links = linksTo(places, isMeant);
    const own = links.map(([name, target]) =>
      editOf(name, (named) => (gained.has(target) ? wanted : `coalesce(nullif(${named}, ''), ${wanted})`)),
    );
    return [component, own] as const;
  });
  work.statements.push(...rewriteColumns(type.table, type.attributes, { layout: next, edits: new Map(edits) }));
}

/** Reports the references of other locales than the default one, whose targets do not have those locales. */
function tellHidden(work: Work, next: Layout, gained: ReadonlySet<string>, defaultLocale: string): void {
  const localized = Object.entries(next.types).flatMap(([uid, type]) =>
    type.localized && work.layout.types[uid]?.localized ? [formerTable(work, type.table)] : [],
  );
  const rows = {
    tables: new Set(localized),
    where: (table: string) => `${columnIn(table, 'locale')} <> ${defaultLocale}`,
  };
  for (const [component, places] of Object.entries(work.layout.components))
    for (const [name] of linksTo(places, (target) => gained.has(target))) {
      const wanted = { uid: formerComponent(work, component), name };
      const counts = instanceCounts(work, wanted, rows);
      const reason = `localization of its target turned on: locales other than ${defaultLocale} show nothing until the target has them`;
      if (counts.length > 0) lose(work, `${component}.${name}`, reason, ...counts);
    }
}

/** The tables have their new form already. */
export function changeReferences(work: Work, next: Layout, locale: string): void {
  const gained = newlyLocalized(work, next);
  const defaultLocale = literal(locale);
  for (const entry of Object.entries(next.types))
    if (work.layout.types[entry[0]]) nameLocales(work, next, entry, gained, defaultLocale);
  tellHidden(work, next, gained, defaultLocale);
}
