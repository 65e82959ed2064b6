/**
 * @module Migrates the rows and links of a content type that gets or loses drafts or locales, or becomes a single type.
 */
import { HISTORY_TABLE, OUTBOX_TABLE, SCHEDULE_TABLE } from '../../src/schema/names.ts';
import { columnIn, identifier, literal } from '../core/sql/sql-text.ts';
import { newIds, rewriteColumns } from './component-changes.ts';
import type { TableSnapshot } from './drizzle-kit.ts';
import { ANY, isLinks, type Layout, type Links, linksOf, nameOfType, typeByTable } from './layout.ts';
import { countOf, formerTable, type KeptType, keptTypes, lose, statusOf, type Work } from './migration-work.ts';
import { versionsOf } from './type-changes.ts';

/** `table` is that of the type, quoted. */
type Change = KeptType & { readonly work: Work; readonly table: string };

function convertAll({ work, uid, type }: Change, reason: string): void {
  work.conversions.push({ subject: nameOfType(uid), reason, counts: [countOf(work, type.table)] });
}

/** Deletes the rows of a type for which a condition on a column holds. @param is the rest of the condition. */
function dropRows({ work, uid, type, table }: Change, reason: string, column: string, is: string): void {
  const former = columnIn(formerTable(work, type.table), column);
  lose(work, nameOfType(uid), reason, countOf(work, type.table, `${former} ${is}`));
  work.statements.push(`DELETE FROM ${table} WHERE "${column}" ${is}`);
}

const SCHEDULE = identifier(SCHEDULE_TABLE);

/** Changes the schedules of a type, if the table does not come with this migration. */
function changeSchedules({ work, uid }: Change, ...changes: readonly ((ofType: string) => string)[]): void {
  if (work.tables[SCHEDULE_TABLE]) work.statements.push(...changes.map((change) => change(`"type" = ${literal(uid)}`)));
}

/** Gives schedules of one locale another one. */
const moveSchedules =
  (from: string, to: string) =>
  (ofType: string): string =>
    `UPDATE OR REPLACE ${SCHEDULE} SET "locale" = ${to} WHERE ${ofType} AND "locale" = ${from}`;

/** Gives waiting messages about the documents of one locale another one; what is delivered stays as it was. */
function moveMessages({ work, uid }: Change, from: string, to: string): void {
  const waits = `"type" = ${literal(uid)} AND "due_at" IS NOT NULL`;
  if (work.tables[OUTBOX_TABLE])
    work.statements.push(
      `UPDATE ${identifier(OUTBOX_TABLE)} SET "locale" = ${to} WHERE ${waits} AND "locale" = ${from}`,
    );
}

function changeLocales(change: Change): void {
  const { work, uid, type, before, table } = change;
  const { locale, statements } = work;
  // Deleted locales leave former versions.
  const moveFormer = (to: string, from = '') => {
    if (work.tables[HISTORY_TABLE])
      statements.push(`UPDATE ${identifier(HISTORY_TABLE)} SET "locale" = ${to} WHERE "type" = ${literal(uid)}${from}`);
  };
  if (type.localized && !before.localized) {
    convertAll(change, `localization turned on: each document gets the locale ${locale}`);
    statements.push(`UPDATE ${table} SET "locale" = ${locale} WHERE "locale" = ''`);
    moveFormer(locale, ` AND "locale" = ''`);
    changeSchedules(change, moveSchedules(`''`, locale));
    moveMessages(change, `''`, locale);
  }
  if (type.localized || !before.localized) return;
  dropRows(change, `localization turned off: locales other than ${locale} are deleted`, 'locale', `<> ${locale}`);
  convertAll(change, 'localization turned off: no document has a locale');
  statements.push(`UPDATE ${table} SET "locale" = ''`);
  moveFormer(`''`);
  // The others would act on the document as a whole.
  changeSchedules(
    change,
    (ofType) => `DELETE FROM ${SCHEDULE} WHERE ${ofType} AND "locale" <> ${locale}`,
    moveSchedules(locale, `''`),
  );
  moveMessages(change, locale, `''`);
}

/** A draft of a published version has its components under new ids. */
function changeDrafts(change: Change, columns: readonly string[]): void {
  const { work, type, before, table } = change;
  if (type.draftAndPublish && !before.draftAndPublish) {
    convertAll(change, 'draft & publish turned on: each document gets a draft');
    const copied = columns.filter((name) => name !== 'id' && name !== 'published_at').map(identifier);
    const list = copied.join(', ');
    work.statements.push(
      `INSERT INTO ${table} (${list}) SELECT ${list} FROM ${table} WHERE "published_at" IS NOT NULL`,
      ...rewriteColumns(type.table, type.attributes, newIds(work.next), '"published_at" IS NULL'),
    );
  }
  const reason = 'draft & publish turned off: drafts are deleted, with documents that were never published';
  if (type.draftAndPublish || !before.draftAndPublish) return;
  dropRows(change, reason, 'published_at', 'IS NULL');
  // They would act again if drafts were turned on later.
  changeSchedules(change, (ofType) => `DELETE FROM ${SCHEDULE} WHERE ${ofType}`);
}

type Flags = readonly [before: boolean, after: boolean];
type End = 'source' | 'target';

/** Links to one type. `and` is SQL after a condition on them, if the table has links to other types. */
type TypedLinks = Links & { readonly and: string };

const typedLinks = (layout: Layout): readonly TypedLinks[] =>
  linksOf(layout).flatMap((links) =>
    links.target === ANY
      ? Object.keys(layout.types).map((uid) => ({ ...links, target: uid, and: ` AND "target_type" = ${literal(uid)}` }))
      : [{ ...links, and: '' }],
  );

/** Leaves each target of a one-to-one relation to the document that holds its default locale, or else its first one. */
function keepHolder(table: string, locale: string): string {
  const same = ['"target_document_id"', '"status"'].map((name) => `"first".${name} = "link".${name}`).join(' AND ');
  const holder = `SELECT "source_document_id" FROM ${table} AS "first" WHERE ${same} ORDER BY "target_locale" <> ${locale}, "rowid" LIMIT 1`;
  return `DELETE FROM ${table} AS "link" WHERE "source_document_id" <> (${holder})`;
}

/** Sets the default locale at an end that gets locales, and none at one that loses them. */
function moveEnd(work: Work, { table: name, exclusive, and }: TypedLinks, end: End, [before, after]: Flags): void {
  const { locale } = work;
  const [table, column] = [identifier(name), identifier(`${end}_locale`)];
  if (after && !before) work.statements.push(`UPDATE ${table} SET ${column} = ${locale} WHERE ${column} = ''${and}`);
  if (!before || after) return;
  if (end === 'source') work.statements.push(`DELETE FROM ${table} WHERE ${column} <> ${locale}${and}`);
  else if (exclusive) work.statements.push(keepHolder(table, locale));
  // Links to several locales of a document become one.
  const others = `WHERE ${column} <> ''${and}`;
  work.statements.push(`UPDATE OR IGNORE ${table} SET ${column} = '' ${others}`, `DELETE FROM ${table} ${others}`);
}

/** Links stay within a locale: if one end gets the default locale, those of other locales at the other end are deleted. */
function dropOthers(work: Work, { table, source, name, and }: TypedLinks, gains: End): void {
  const { locale } = work;
  const far = (gains === 'source') === work.turned.has(table) ? 'source' : 'target';
  const reason =
    gains === 'target'
      ? `localization of its target turned on: locales other than ${locale} lose what they link to`
      : `localization turned on: links to locales other than ${locale} are deleted`;
  const elsewhere = `${columnIn(formerTable(work, table), `${far}_locale`)} <> ${locale}${and}`;
  if (isLinks(work.layout.types[source]?.attributes[name]))
    lose(work, `${nameOfType(source)}.${name}`, reason, countOf(work, table, elsewhere));
  work.statements.push(`DELETE FROM ${identifier(table)} WHERE "source_locale" <> "target_locale"${and}`);
}

/**
 * A relation between types without drafts has only published links; with the first drafts it gets their links. A source without
 * drafts has the same links in both versions of its targets.
 */
function moveStatus(work: Work, { table: name, and }: TypedLinks, [before, after]: Flags, source: Flags): void {
  const table = identifier(name);
  const stopsDrafts = source[0] && !source[1];
  if (before && (!after || stopsDrafts)) work.statements.push(`DELETE FROM ${table} WHERE "status" = 'draft'${and}`);
  const ends = `"source_document_id", "source_locale", "target_document_id", "target_locale"${and && ', "target_type"'}`;
  // Published links of one place stand behind each other by their rows; those of a draft have a place each.
  const behind = `row_number() OVER (PARTITION BY "source_document_id", "source_locale", "position" ORDER BY "rowid") - 1`;
  if (after && (!before || stopsDrafts))
    work.statements.push(
      `INSERT INTO ${table} (${ends}, "status", "position", "inverse_position") SELECT ${ends}, 'draft', "position" + ${behind}, "inverse_position" FROM ${table}${and && ` WHERE "status" = 'published'${and}`} ORDER BY "rowid"`,
    );
}

/** Deletes links without a row at an end. @param layout that of the rows and links. */
function dropLoose(work: Work, layout: Layout, links: TypedLinks): void {
  const { source, target, and } = links;
  const table = identifier(links.table);
  for (const [uid, end] of [[source, 'source'] as const, [target, 'target'] as const]) {
    const type = layout.types[uid];
    if (!type) continue;
    const status = type.draftAndPublish ? ` AND ${statusOf('"row"')} = ${table}."status"` : '';
    const row = `SELECT 1 FROM ${identifier(type.table)} AS "row" WHERE "row"."document_id" = ${table}."${end}_document_id" AND "row"."locale" = ${table}."${end}_locale"${status}`;
    work.statements.push(`DELETE FROM ${table} WHERE NOT EXISTS (${row})${and}`);
  }
}

function changeLinks(work: Work, links: TypedLinks): void {
  const flags = (uid: string, flag: 'localized' | 'draftAndPublish'): Flags => {
    const after = work.next.types[uid];
    return [(work.layout.types[uid] ?? after)?.[flag] === true, after?.[flag] === true];
  };
  const [source, target] = [flags(links.source, 'localized'), flags(links.target, 'localized')];
  const drafts = [flags(links.source, 'draftAndPublish'), flags(links.target, 'draftAndPublish')];
  if ([source, target, ...drafts].every(([before, after]) => before === after)) return;
  moveEnd(work, links, 'target', target);
  moveEnd(work, links, 'source', source);
  // One end gets locales, the other one has them already.
  if (source[1] && target[1] && source[0] !== target[0]) dropOthers(work, links, source[0] ? 'target' : 'source');
  moveStatus(
    work,
    links,
    [drafts.some(([was]) => was), drafts.some(([, is]) => is)],
    flags(links.source, 'draftAndPublish'),
  );
  dropLoose(work, work.next, links);
}

/** The document that a single type keeps: published before drafts, the default locale before others. */
const firstDocument = (table: string, locale: string): string =>
  `(SELECT "document_id" FROM ${identifier(table)} ORDER BY "published_at" IS NULL, "locale" <> ${locale}, "id" LIMIT 1)`;

/** A condition on rows of all documents but the first. */
const isBeyondFirst = (table: string, locale: string): string =>
  `${columnIn(table, 'document_id')} <> ${firstDocument(table, locale)}`;

/**
 * Counts, before the migration, the former versions of other documents than the first, deleted ones included: a single type
 * would show and restore them as its own.
 */
function otherVersions({ work, type }: Change): string | undefined {
  const table = formerTable(work, type.table);
  const [uid] = typeByTable(work.former, table) ?? [];
  return uid && `${versionsOf(uid)} AND "document_id" IS NOT ${firstDocument(table, work.locale)}`;
}

/**
 * Keeps one document: requests take all rows of a single type for the same document. A message about a document that was
 * deleted before has its values, and is still delivered.
 */
function keepFirst(change: Change): void {
  const { work, uid, type, table } = change;
  const counts = [countOf(work, type.table, isBeyondFirst(formerTable(work, type.table), work.locale))];
  const versions = otherVersions(change);
  const reason = 'collection type becomes single type: only the first document is kept';
  work.losses.push({ subject: nameOfType(uid), reason, counts, ...(versions && { versions }) });
  const isOfType = `"type" = ${literal(uid)}`;
  const others = `WHERE ${isBeyondFirst(type.table, work.locale)}`;
  if (work.tables[OUTBOX_TABLE])
    work.statements.push(
      `DELETE FROM ${identifier(OUTBOX_TABLE)} WHERE ${isOfType} AND "due_at" IS NOT NULL AND "document_id" IN (SELECT "document_id" FROM ${table} ${others})`,
    );
  work.statements.push(`DELETE FROM ${table} ${others}`);
  work.recounts.add(uid);
  const isOfOther = `${isOfType} AND "document_id" NOT IN (SELECT "document_id" FROM ${table})`;
  // The boundary of an import names no document.
  if (work.tables[HISTORY_TABLE])
    work.statements.push(`DELETE FROM ${identifier(HISTORY_TABLE)} WHERE ${isOfOther} AND "document_id" > ''`);
  changeSchedules(
    change,
    () => `DELETE FROM ${SCHEDULE} WHERE ${isOfOther}`,
    (ofType) => `UPDATE OR REPLACE ${SCHEDULE} SET "document_id" = '' WHERE ${ofType}`,
  );
  for (const links of typedLinks(work.next))
    if (links.source === uid || links.target === uid) dropLoose(work, work.layout, links);
}

/** Schedules of a single type name no document. */
function nameScheduled(change: Change): void {
  const document = `(SELECT "document_id" FROM ${change.table} LIMIT 1)`;
  changeSchedules(
    change,
    (ofType) =>
      `UPDATE ${SCHEDULE} SET "document_id" = ${document} WHERE ${ofType} AND "document_id" = '' AND EXISTS ${document}`,
  );
}

/** Runs after the tables were changed. Single types come first, while rows and links still match the previous layout. */
export function changeVersions(work: Work, tables: Readonly<Record<string, TableSnapshot>>): void {
  const kept = keptTypes(work).map((each) => ({ ...each, work, table: identifier(each.type.table) }));
  for (const change of kept)
    if (change.before.kind !== change.type.kind)
      (change.type.kind === 'singleType' ? keepFirst : nameScheduled)(change);
  for (const change of kept) {
    const { uid, type, before } = change;
    changeLocales(change);
    changeDrafts(change, Object.keys(tables[type.table]?.columns ?? {}));
    if (type.localized !== before.localized || type.draftAndPublish !== before.draftAndPublish) work.recounts.add(uid);
  }
  for (const links of typedLinks(work.next)) changeLinks(work, links);
}
