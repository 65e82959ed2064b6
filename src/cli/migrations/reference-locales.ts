/**
 * @module Migrates relations inside components when an end gets or loses locales. Each reference names the locale of its
 * target, or none if it follows the locale of the row.
 */

import { columnIn, literal } from '../core/sql/sql-text.ts';
import { instanceCounts, rewriteColumns, rewriteOf } from './component-changes.ts';
import { type Edit, mapList } from './component-edits.ts';
import { ANY, linksIn } from './layout.ts';
import { formerComponent, formerTable, type KeptType, keptTypes, lose, type Work } from './migration-work.ts';

const NAMED = `"entry"."value" ->> '$.locale'`;
const TYPE = `"entry"."value" ->> '$.type'`;

/** @param locale SQL for the locale that each reference of the attribute names from now on. */
function editOf(name: string, locale: string): Edit {
  const entry = `json_set("entry"."value", '$.locale', ${locale})`;
  return { from: name, to: name, convert: (json) => mapList(json, entry, `"entry"."type" = 'object'`) };
}

/** Sets the locales of the references in the rows of a type. @param gained uids of the types that get locales. */
function nameLocales(
  { statements, next, locale }: Work,
  { before, type }: KeptType,
  gained: ReadonlySet<string>,
): void {
  const lost = before.localized && !type.localized;
  const wanted = type.localized ? `''` : locale;
  /** SQL for the locale that references to a type name; none if they stay as they are. */
  const localeOf = (uid: string): readonly string[] => {
    if (gained.has(uid)) return [wanted];
    return lost && next.types[uid]?.localized ? [`coalesce(nullif(${NAMED}, ''), ${wanted})`] : [];
  };
  const rewrite = rewriteOf(next, (places) =>
    linksIn(places).flatMap(([name, { target }]) => {
      if (target !== ANY) return localeOf(target).map((named) => editOf(name, named));
      const uids = Object.keys(next.types);
      const cases = uids.flatMap((uid) => localeOf(uid).map((named) => `WHEN ${literal(uid)} THEN ${named}`));
      return cases.length > 0 ? [editOf(name, `CASE ${TYPE} ${cases.join(' ')} ELSE ${NAMED} END`)] : [];
    }),
  );
  statements.push(...rewriteColumns(type.table, type.attributes, rewrite));
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
      const isTyped = target === ANY && gained.size > 0;
      if (!gained.has(target) && !isTyped) continue;
      const names = [...gained].map(literal).join(', ');
      const goes = (json: string) => `EXISTS (SELECT 1 FROM json_each(${json}) AS "entry" WHERE ${TYPE} IN (${names}))`;
      const wanted = { uid: formerComponent(work, component), name, ...(isTyped && { goes }) };
      const counts = instanceCounts(work, wanted, rows);
      const reason = `localization of its target turned on: locales other than ${work.locale} show nothing until the target has them`;
      if (counts.length > 0) lose(work, `${component}.${name}`, reason, ...counts);
    }
}
