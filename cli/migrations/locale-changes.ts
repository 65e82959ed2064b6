/**
 * @module Migrates what follows from locales: an attribute that is no longer localized gets the value of one locale in all of them,
 * since the next write of any locale would copy its value to the others. A relation inside components names the locale of its
 * target, or none if it follows the locale of the row, so it changes when an end gets or loses locales.
 */
import { columnIn, identifier, literal } from '../core/sql/sql-text.ts';
import { assigned, type ColumnPlace, type Subject, subjectsOf, valueIn } from './attribute-changes.ts';
import { instanceCounts, newIds, rewriteBlocks, rewriteColumns, rewriteOf, withoutIds } from './component-changes.ts';
import { type Edit, mapList } from './component-edits.ts';
import { ANY, isBlocks, isLinks, type Layout, linksIn } from './layout.ts';
import {
  countOf,
  formerComponent,
  formerTable,
  type KeptType,
  keptTypes,
  lose,
  statusOf,
  type Work,
} from './migration-work.ts';

type OfRow = (row: string) => string;

/** SQL for `what` of the row that prevails for a document: that of the default locale, else of the first one. */
function prevailing({ locale }: Work, what: OfRow, table: string, row: string, status: string): string {
  const own = identifier('prevails');
  const same = `${own}."document_id" = ${row} AND ${statusOf(own)} = ${status}`;
  return `(SELECT ${what(own)} FROM ${identifier(table)} AS ${own} WHERE ${same} ORDER BY ${own}."locale" <> ${locale}, ${own}."locale" LIMIT 1)`;
}

/** SQL for the value that prevails over that of a row of `table`. */
function prevailingValue(work: Work, table: string, value: OfRow): string {
  const row = identifier(table);
  return prevailing(work, value, table, `${row}."document_id"`, statusOf(row));
}

/** A condition on rows whose value is another than the one that prevails. Components of different locales have different ids. */
function differs(work: Work, table: string, place: ColumnPlace, value: OfRow, layout: Layout): string {
  const comparable: OfRow = (row) =>
    isBlocks(place) ? rewriteBlocks(place, value(row), withoutIds(layout)) : value(row);
  return `(${comparable(identifier(table))}) IS NOT ${prevailingValue(work, table, comparable)}`;
}

function shareColumn({ work, table, name }: Subject, before: ColumnPlace, after: ColumnPlace): string {
  const { next, layout } = work;
  const value: OfRow = (row) => valueIn(row, after, { column: after.column, name });
  const prevails = prevailingValue(work, table, value);
  const kept = isBlocks(after) ? rewriteBlocks(after, prevails, newIds(next)) : prevails;
  const isOther = differs(work, table, after, value, next);
  work.statements.push(`UPDATE ${identifier(table)} SET ${assigned(after, name, kept)} WHERE ${isOther}`);
  const former: OfRow = (row) => valueIn(row, before, before.was ?? { column: before.column, name });
  return countOf(work, table, differs(work, formerTable(work, table), before, former, layout));
}

/** The columns of a link table except the locale of the source. */
const LINK_COLUMNS = 'source_document_id target_document_id target_locale status position inverse_position'.split(' ');

/** SQL for the locale whose links prevail over a row of the link table. */
const prevailingLocale = (work: Work, links: string, table: string): string =>
  prevailing(work, (row) => `${row}."locale"`, table, `${links}."source_document_id"`, `${links}."status"`);

function shareLinks({ work, table, owned: subject }: Subject, name: string): string {
  const links = identifier(name);
  const others = `${links}."source_locale" <> ${prevailingLocale(work, links, table)}`;
  const own = LINK_COLUMNS.map((column) => `"link".${identifier(column)}`).join(', ');
  work.statements.push(
    `DELETE FROM ${links} WHERE ${others}`,
    `INSERT INTO ${links} ("source_locale", ${LINK_COLUMNS.map(identifier).join(', ')}) SELECT "row"."locale", ${own} FROM ${links} AS "link" JOIN ${identifier(table)} AS "row" ON "row"."document_id" = "link"."source_document_id" AND "row"."locale" <> "link"."source_locale" AND ${statusOf('"row"')} = "link"."status" ORDER BY "link"."rowid"`,
  );
  const former = identifier(formerTable(work, name));
  const kept = prevailingLocale(work, former, formerTable(work, table));
  const same = ['source_document_id', 'status', 'target_document_id'].map(
    (column) => `"kept"."${column}" = ${former}."${column}"`,
  );
  const sibling = `SELECT 1 FROM ${identifier(formerTable(work, table))} AS "row" WHERE "row"."document_id" = ${former}."source_document_id" AND "row"."locale" <> ${former}."source_locale"`;
  const counts = [countOf(work, name, `EXISTS (${sibling})`)];
  work.conversions.push({ subject, reason: 'no longer localized: all locales get the same links', counts });
  const held = `SELECT 1 FROM ${former} AS "kept" WHERE ${same.join(' AND ')} AND "kept"."source_locale" = ${kept}`;
  return countOf(work, name, `${former}."source_locale" <> ${kept} AND NOT EXISTS (${held})`);
}

/** Runs after the tables were changed. */
export function shareAttributes(work: Work): void {
  for (const subject of subjectsOf(work)) {
    const { before, type, from, to } = subject;
    if (!before.localized || !type.localized || !to || to.localized || to.kind !== from.kind) continue;
    // Published versions of two locales may differ in a value that they share, until both are published again.
    const stopsDrafts = before.draftAndPublish && !type.draftAndPublish;
    if (!from.localized && !stopsDrafts) continue;
    const count = isLinks(to) ? shareLinks(subject, to.table) : !isLinks(from) && shareColumn(subject, from, to);
    const reason = `no longer localized: all locales of a document get the value of ${work.locale}, or else of its first locale`;
    if (count && from.localized) lose(work, subject.owned, reason, count);
  }
}

const NAMED = `"entry"."value" ->> '$.locale'`;
const TYPE = `"entry"."value" ->> '$.type'`;

/** @param locale SQL for the locale that each reference of the attribute names from now on. */
function editOf(name: string, locale: string): Edit {
  const entry = `json_set("entry"."value", '$.locale', ${locale})`;
  return { from: name, to: name, convert: (json) => mapList(json, entry, `"entry"."type" = 'object'`) };
}

/** Sets the locales of the references in the rows of a type. @param gained uids of the types that get locales. */
function nameLocales(work: Work, { before, type }: KeptType, gained: ReadonlySet<string>): void {
  const { next, locale } = work;
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
  work.statements.push(...rewriteColumns(type.table, type.attributes, rewrite));
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
