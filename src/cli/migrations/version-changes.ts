/**
 * @module Migrates the rows and links of a content type that gets or loses drafts or locales, or becomes a single type.
 */

import { columnIn, identifier, literal } from '../core/sql/sql-text.ts';
import { renewIds } from './component-changes.ts';
import { type Layout, type Links, linksOf, type TypeLayout } from './layout.ts';
import { countOf, formerTable, lose, statusOf, type Work } from './migration-work.ts';
import type { TableSnapshot } from './snapshot.ts';
import { nameOfType } from './type-changes.ts';

interface Change {
  readonly work: Work;
  readonly next: Layout;
  readonly uid: string;
  readonly type: TypeLayout;
  readonly before: TypeLayout;
  /** The type's table, quoted. */
  readonly table: string;
  /** SQL literal. */
  readonly defaultLocale: string;
}

/** Reports that all documents of a type change. */
function convertAll({ work, uid, type }: Change, reason: string): void {
  work.conversions.push({ subject: nameOfType(uid), reason, counts: [countOf(work, type.table)] });
}

/** Gives each document a draft, whose components have new ids. */
function startDrafts(change: Change, columns: readonly string[]): void {
  const { work, next, type, table } = change;
  convertAll(change, 'draft & publish turned on: each document gets a draft');
  const copied = columns.filter((name) => name !== 'id' && name !== 'published_at').map(identifier);
  const list = copied.join(', ');
  work.statements.push(`INSERT INTO ${table} (${list}) SELECT ${list} FROM ${table} WHERE "published_at" IS NOT NULL`);
  work.statements.push(...renewIds(type.table, type.attributes, next, '"published_at" IS NULL'));
}

/** Counts the rows of a type before the migration. @param is the rest of a condition on a column. */
const rowsWhose = ({ work, type }: Change, column: string, is: string): string =>
  countOf(work, type.table, `${columnIn(formerTable(work, type.table), column)} ${is}`);

function stopDrafts(change: Change): void {
  const { work, uid, table } = change;
  const reason = 'draft & publish turned off: drafts are deleted, with documents that were never published';
  lose(work, nameOfType(uid), reason, rowsWhose(change, 'published_at', 'IS NULL'));
  work.statements.push(`DELETE FROM ${table} WHERE "published_at" IS NULL`);
}

function startLocales(change: Change): void {
  const { work, table, defaultLocale } = change;
  convertAll(change, `localization turned on: each document gets the locale ${defaultLocale}`);
  work.statements.push(`UPDATE ${table} SET "locale" = ${defaultLocale} WHERE "locale" = ''`);
}

function stopLocales(change: Change): void {
  const { work, uid, table, defaultLocale } = change;
  const reason = `localization turned off: locales other than ${defaultLocale} are deleted`;
  lose(work, nameOfType(uid), reason, rowsWhose(change, 'locale', `<> ${defaultLocale}`));
  convertAll(change, 'localization turned off: no document has a locale');
  work.statements.push(`DELETE FROM ${table} WHERE "locale" <> ${defaultLocale}`);
  work.statements.push(`UPDATE ${table} SET "locale" = ''`);
}

function changeType(change: Change, columns: readonly string[]): void {
  const { work, uid, type, before } = change;
  if (type.localized && !before.localized) startLocales(change);
  if (!type.localized && before.localized) stopLocales(change);
  if (type.draftAndPublish && !before.draftAndPublish) startDrafts(change, columns);
  if (!type.draftAndPublish && before.draftAndPublish) stopDrafts(change);
  if (type.localized !== before.localized || type.draftAndPublish !== before.draftAndPublish) work.recounts.add(uid);
}

type Flags = readonly [before: boolean, after: boolean];
type End = 'source' | 'target';

/** Sets the default locale at an end that gets locales, and none at one that loses them. */
function moveEnd(work: Work, table: string, end: End, [before, after]: Flags, defaultLocale: string): void {
  const column = identifier(`${end}_locale`);
  if (after && !before) work.statements.push(`UPDATE ${table} SET ${column} = ${defaultLocale} WHERE ${column} = ''`);
  if (!before || after) return;
  if (end === 'source') work.statements.push(`DELETE FROM ${table} WHERE ${column} <> ${defaultLocale}`);
  // Links to several locales of a document become one.
  work.statements.push(`UPDATE OR IGNORE ${table} SET ${column} = ''`, `DELETE FROM ${table} WHERE ${column} <> ''`);
}

/** Links stay within a locale: if one end gets the default locale, those of other locales at the other end are deleted. */
function dropOthers(work: Work, { table, source, name }: Links, gains: End, defaultLocale: string): void {
  const far = (gains === 'source') === work.turned.has(table) ? 'source' : 'target';
  const reason =
    gains === 'target'
      ? `localization of its target turned on: locales other than ${defaultLocale} lose what they link to`
      : `localization turned on: links to locales other than ${defaultLocale} are deleted`;
  const elsewhere = `${columnIn(formerTable(work, table), `${far}_locale`)} <> ${defaultLocale}`;
  if (work.layout.types[source]?.attributes[name]?.kind === 'links')
    lose(work, `${nameOfType(source)}.${name}`, reason, countOf(work, table, elsewhere));
  work.statements.push(`DELETE FROM ${identifier(table)} WHERE "source_locale" <> "target_locale"`);
}

/** A relation between types without drafts has only published links; with the first drafts it gets their links. */
function moveStatus(work: Work, table: string, [before, after]: Flags): void {
  if (before && !after) work.statements.push(`DELETE FROM ${table} WHERE "status" = 'draft'`);
  const ends = '"source_document_id", "source_locale", "target_document_id", "target_locale"';
  const places = '"position", "inverse_position"';
  if (after && !before)
    work.statements.push(
      `INSERT INTO ${table} (${ends}, "status", ${places}) SELECT ${ends}, 'draft', ${places} FROM ${table} ORDER BY "rowid"`,
    );
}

/** Deletes links without a row at an end. @param layout that of the rows and links. */
function dropLoose(work: Work, layout: Layout, links: Links): void {
  const { source, target } = links;
  const table = identifier(links.table);
  for (const [uid, end] of [[source, 'source'] as const, [target, 'target'] as const]) {
    const type = layout.types[uid];
    if (!type) continue;
    const status = type.draftAndPublish ? ` AND ${statusOf('"row"')} = ${table}."status"` : '';
    const row = `SELECT 1 FROM ${identifier(type.table)} AS "row" WHERE "row"."document_id" = ${table}."${end}_document_id" AND "row"."locale" = ${table}."${end}_locale"${status}`;
    work.statements.push(`DELETE FROM ${table} WHERE NOT EXISTS (${row})`);
  }
}

const hasAlready = ([before, after]: Flags): boolean => before && after;
const gets = ([before, after]: Flags): boolean => !before && after;

function changeLinks(work: Work, next: Layout, links: Links, defaultLocale: string): void {
  const { source, target } = links;
  const table = identifier(links.table);
  const layouts = [work.layout, next] as const;
  const flags = (uid: string, flag: 'localized' | 'draftAndPublish') =>
    layouts.map((layout) => (layout.types[uid] ?? next.types[uid])?.[flag] === true) as [boolean, boolean];
  const locales = [flags(source, 'localized'), flags(target, 'localized')] as const;
  const drafts = [flags(source, 'draftAndPublish'), flags(target, 'draftAndPublish')] as const;
  if ([...locales, ...drafts].every(([before, after]) => before === after)) return;
  moveEnd(work, table, 'target', locales[1], defaultLocale);
  moveEnd(work, table, 'source', locales[0], defaultLocale);
  if (hasAlready(locales[0]) && gets(locales[1])) dropOthers(work, links, 'target', defaultLocale);
  if (gets(locales[0]) && hasAlready(locales[1])) dropOthers(work, links, 'source', defaultLocale);
  moveStatus(work, table, [drafts.some(([was]) => was), drafts.some(([, is]) => is)]);
  dropLoose(work, next, links);
}

/** A condition on rows of all documents but the first: published before drafts, the default locale before others. */
const isBeyondFirst = (table: string, locale: string): string =>
  `${columnIn(table, 'document_id')} <> (SELECT "document_id" FROM ${identifier(table)} ORDER BY "published_at" IS NULL, "locale" <> ${locale}, "id" LIMIT 1)`;

/** Keeps one document: requests take all rows of a single type for the same document. */
function keepFirst({ work, next, uid, type: { table }, defaultLocale }: Change): void {
  const counts = countOf(work, table, isBeyondFirst(formerTable(work, table), defaultLocale));
  lose(work, nameOfType(uid), 'collection type becomes single type: only the first document is kept', counts);
  work.statements.push(`DELETE FROM ${identifier(table)} WHERE ${isBeyondFirst(table, defaultLocale)}`);
  work.recounts.add(uid);
  for (const links of linksOf(next))
    if (links.source === uid || links.target === uid) dropLoose(work, work.layout, links);
}

/** Runs after the tables were changed. Single types come first, while rows and links still match the previous layout. */
export function changeVersions(
  work: Work,
  next: Layout,
  tables: Readonly<Record<string, TableSnapshot>>,
  locale: string,
): void {
  const defaultLocale = literal(locale);
  const kept = Object.entries(next.types).flatMap(([uid, type]) => {
    const before = work.layout.types[uid];
    return before ? [{ work, next, uid, type, before, table: identifier(type.table), defaultLocale }] : [];
  });
  for (const change of kept)
    if (change.before.kind === 'collectionType' && change.type.kind === 'singleType') keepFirst(change);
  for (const change of kept) changeType(change, Object.keys(tables[change.type.table]?.columns ?? {}));
  for (const links of linksOf(next)) changeLinks(work, next, links, defaultLocale);
}
