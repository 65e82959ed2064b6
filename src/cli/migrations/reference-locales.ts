/**
 * @module Migrates relations inside components when an end gets or loses locales. Each reference names the locale of its
 * target, or none if it follows the locale of the row.
 */

import { columnIn } from '../core/sql/sql-text.ts';
import { rewriteColumns } from './component-changes.ts';
import { instanceCounts } from './component-counts.ts';
import type { Edit } from './component-edits.ts';
import { linksIn } from './layout.ts';
import { formerComponent, formerTable, type KeptType, keptTypes, lose, type Work } from './migration-work.ts';

const NAMED = `"link"."value" ->> '$.locale'`;

/** @param locale SQL for the locale that each reference of the attribute names from now on. */
function editOf(name: string, locale: string): Edit {
  const convert = (json: string) =>
    `(SELECT json_group_array(json(json_set("link"."value", '$.locale', ${locale})) ORDER BY "link"."key") FROM json_each(${json}) AS "link" WHERE "link"."type" = 'object')`;
  return { from: name, to: name, convert };
}

/** Sets the locales of the references in the rows of a type. @param gained uids of the types that get locales. */
function nameLocales(
  { statements, next, locale }: Work,
  { before, type }: KeptType,
  gained: ReadonlySet<string>,
): void {
  const lost = before.localized && !type.localized;
  const wanted = type.localized ? `''` : locale;
  const edits = Object.entries(next.components).map(([component, places]) => {
    const own = linksIn(places).flatMap(([name, { target }]) => {
      if (gained.has(target)) return [editOf(name, wanted)];
      return lost && next.types[target]?.localized ? [editOf(name, `coalesce(nullif(${NAMED}, ''), ${wanted})`)] : [];
    });
    return [component, own] as const;
  });
  statements.push(...rewriteColumns(type.table, type.attributes, { layout: next, edits: new Map(edits) }));
}

/** The tables have their new form already. */
export function changeReferences(work: Work): void {
  const kept = keptTypes(work);
  const localized = kept.filter(({ type }) => type.localized);
  const gained = new Set(localized.filter(({ before }) => !before.localized).map(({ uid }) => uid));
  for (const each of kept) nameLocales(work, each, gained);
  // References of other locales than the default one, whose targets do not have those locales.
  const already = localized.filter(({ before }) => before.localized);
  const tables = already.map(({ type }) => formerTable(work, type.table));
  const rows = new Map(tables.map((table) => [table, `${columnIn(table, 'locale')} <> ${work.locale}`]));
  for (const [component, places] of Object.entries(work.layout.components))
    for (const [name, { target }] of linksIn(places)) {
      if (!gained.has(target)) continue;
      const counts = instanceCounts(work, { uid: formerComponent(work, component), name }, rows);
      const reason = `localization of its target turned on: locales other than ${work.locale} show nothing until the target has them`;
      if (counts.length > 0) lose(work, `${component}.${name}`, reason, ...counts);
    }
}
