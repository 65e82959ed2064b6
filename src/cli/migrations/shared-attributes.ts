/**
 * @module Migrates an attribute that is no longer localized: all locales get the value of one, since the next write of any
 * locale would copy its value to the others.
 */
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { identifier, jsonPath, literal } from '../core/sql/sql-text.ts';
import { withNewIds, withoutIds } from './component-changes.ts';
import { isBlocks, type Layout, type Place, type TypeLayout } from './layout.ts';
import { countOf, formerColumn, formerKey, formerTable, lose, statusOf, type Work } from './migration-work.ts';
import { nameOfType } from './type-changes.ts';

type ColumnPlace = Exclude<Place, { kind: 'links' }>;

interface Shared {
  readonly work: Work;
  readonly next: Layout;
  readonly table: string;
  readonly name: string;
  /** `article.tags` */
  readonly subject: string;
  /** SQL literal. */
  readonly locale: string;
}

/** SQL for `what` of the row that prevails for a document: that of the default locale, else of the first one. */
function prevailing(what: string, table: string, row: string, status: string, locale: string): string {
  const own = identifier('prevails');
  const same = `${own}."document_id" = ${row} AND ${statusOf(own)} = ${status}`;
  return `(SELECT ${what} FROM ${identifier(table)} AS ${own} WHERE ${same} ORDER BY ${own}."locale" <> ${locale}, ${own}."locale" LIMIT 1)`;
}

/** SQL for the value that prevails over that of a row of `table`. */
function prevailingValue(table: string, value: (row: string) => string, locale: string): string {
  const row = identifier(table);
  return prevailing(value(identifier('prevails')), table, `${row}."document_id"`, statusOf(row), locale);
}

const storedIn = (place: ColumnPlace, column: string, key: string) => (row: string) =>
  place.kind === 'scalar' && place.overflow
    ? `${row}.${identifier(OVERFLOW_COLUMN)} ->> ${jsonPath(key)}`
    : `${row}.${identifier(column)}`;

/** Components of different locales have different ids. */
const comparable = (place: ColumnPlace, value: (row: string) => string, layout: Layout) => (row: string) =>
  isBlocks(place) ? withoutIds(place, value(row), layout) : value(row);

const differs = (table: string, value: (row: string) => string, locale: string): string =>
  `(${value(identifier(table))}) IS NOT ${prevailingValue(table, value, locale)}`;

function shareColumn(
  { work, next, table, name, locale }: Shared,
  before: ColumnPlace,
  after: ColumnPlace,
): readonly string[] {
  const value = storedIn(after, after.column, name);
  const prevails = prevailingValue(table, value, locale);
  const kept = isBlocks(after) ? withNewIds(after, prevails, next) : prevails;
  const path = jsonPath(name);
  const overflow = after.kind === 'scalar' && after.overflow;
  const column = identifier(overflow ? OVERFLOW_COLUMN : after.column);
  const set = overflow ? `json_set(coalesce(${column}, '{}'), ${path}, ${kept})` : kept;
  work.statements.push(
    `UPDATE ${identifier(table)} SET ${column} = ${set} WHERE ${differs(table, comparable(after, value, next), locale)}`,
  );
  const former = storedIn(before, formerColumn(work, table, before.column), formerKey(work, table, name));
  return [countOf(work, table, differs(formerTable(work, table), comparable(before, former, work.layout), locale))];
}

/** The columns of a link table except the locale of the source. */
const LINK_COLUMNS = [
  'source_document_id',
  'target_document_id',
  'target_locale',
  'status',
  'position',
  'inverse_position',
];

/** SQL for the locale whose links prevail over a row of the link table. */
const prevailingLocale = (links: string, table: string, locale: string): string =>
  prevailing('"prevails"."locale"', table, `${links}."source_document_id"`, `${links}."status"`, locale);

function shareLinks({ work, table, locale, subject }: Shared, name: string): readonly string[] {
  const links = identifier(name);
  const others = `${links}."source_locale" <> ${prevailingLocale(links, table, locale)}`;
  const own = LINK_COLUMNS.map((column) => `"link".${identifier(column)}`).join(', ');
  work.statements.push(
    `DELETE FROM ${links} WHERE ${others}`,
    `INSERT INTO ${links} ("source_locale", ${LINK_COLUMNS.map(identifier).join(', ')}) SELECT "row"."locale", ${own} FROM ${links} AS "link" JOIN ${identifier(table)} AS "row" ON "row"."document_id" = "link"."source_document_id" AND "row"."locale" <> "link"."source_locale" AND ${statusOf('"row"')} = "link"."status" ORDER BY "link"."rowid"`,
  );
  const former = identifier(formerTable(work, name));
  const kept = prevailingLocale(former, formerTable(work, table), locale);
  const same = ['source_document_id', 'status', 'target_document_id'].map(
    (column) => `"kept"."${column}" = ${former}."${column}"`,
  );
  const sibling = `SELECT 1 FROM ${identifier(formerTable(work, table))} AS "row" WHERE "row"."document_id" = ${former}."source_document_id" AND "row"."locale" <> ${former}."source_locale"`;
  const counts = [countOf(work, name, `EXISTS (${sibling})`)];
  work.conversions.push({ subject, reason: 'no longer localized: all locales get the same links', counts });
  const held = `SELECT 1 FROM ${former} AS "kept" WHERE ${same.join(' AND ')} AND "kept"."source_locale" = ${kept}`;
  return [countOf(work, name, `${former}."source_locale" <> ${kept} AND NOT EXISTS (${held})`)];
}

function shareAttribute(shared: Shared, before: Place, after: Place): readonly string[] | undefined {
  if (before.kind === 'links' && after.kind === 'links') return shareLinks(shared, after.table);
  if (before.kind === 'links' || after.kind === 'links' || before.kind !== after.kind) return undefined;
  return shareColumn(shared, before, after);
}

function shareType(work: Work, next: Layout, uid: string, before: TypeLayout, after: TypeLayout, locale: string): void {
  // Published versions of two locales may differ in a value that they share, until both are published again.
  const stopsDrafts = before.draftAndPublish && !after.draftAndPublish;
  for (const [name, place] of Object.entries(before.attributes)) {
    const wanted = after.attributes[name];
    if (!wanted || wanted.localized || !(place.localized || stopsDrafts)) continue;
    const subject = `${nameOfType(uid)}.${name}`;
    const counts = shareAttribute({ work, next, table: after.table, name, subject, locale }, place, wanted);
    const reason = `no longer localized: all locales of a document get the value of ${locale}, or else of its first locale`;
    if (counts && place.localized) lose(work, subject, reason, ...counts);
  }
}

/** Runs after the tables were changed. @param defaultLocale the locale that prevails. */
export function shareAttributes(work: Work, next: Layout, defaultLocale: string): void {
  for (const [uid, type] of Object.entries(next.types)) {
    const before = work.layout.types[uid];
    if (before?.localized && type.localized) shareType(work, next, uid, before, type, literal(defaultLocale));
  }
}
