/**
 * @module What a migration does when drafts or locales of a content type are turned on or off: rows and links move to
 * where the new rules look for them.
 */
import type { Layout, TypeLayout } from './layout.ts';
import type { Work } from './migration-work.ts';
import type { TableSnapshot } from './snapshot.ts';
import { identifier, literal } from './sql-text.ts';
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

interface Links {
  readonly table: string;
  readonly source: string;
  readonly target: string;
}

const linksOf = (layout: Layout): readonly Links[] =>
  Object.entries(layout.types).flatMap(([source, { attributes }]) =>
    Object.values(attributes).flatMap((place) =>
      place.kind === 'links' ? [{ table: identifier(place.table), source, target: place.target }] : [],
    ),
  );

/** Deletes versions, the links that started from them, and those that pointed to documents of which none is left. */
function deleteRows({ work, next, uid, table }: Change, where: string): void {
  work.statements.push(`DELETE FROM ${table} WHERE ${where}`);
  for (const links of linksOf(next)) {
    if (links.source === uid)
      work.statements.push(`DELETE FROM ${links.table} WHERE "source_id" NOT IN (SELECT "id" FROM ${table})`);
    if (links.target === uid)
      work.statements.push(
        `DELETE FROM ${links.table} WHERE "target_document_id" NOT IN (SELECT "document_id" FROM ${table})`,
      );
  }
}

/** Every document was published; each gets the draft that it would have had. */
function startDrafts({ work, next, uid, table }: Change, columns: readonly string[]): void {
  const copied = columns.filter((name) => name !== 'id' && name !== 'published_at').map(identifier);
  const list = copied.join(', ');
  work.statements.push(`INSERT INTO ${table} (${list}) SELECT ${list} FROM ${table} WHERE "published_at" IS NOT NULL`);
  const versions = `${table} AS "live" ON "live"."id" = "link"."source_id" JOIN ${table} AS "draft" ON "draft"."document_id" = "live"."document_id" AND "draft"."locale" = "live"."locale" AND "draft"."published_at" IS NULL`;
  const rest = '"target_document_id", "target_locale", "position", "inverse_position"';
  for (const links of linksOf(next).filter(({ source }) => source === uid))
    work.statements.push(
      `INSERT INTO ${links.table} ("source_id", ${rest}) SELECT "draft"."id", ${rest} FROM ${links.table} AS "link" JOIN ${versions}`,
    );
}

function stopDrafts(change: Change): void {
  const reason = 'draft & publish turned off: drafts go, with the documents that were never published';
  change.work.losses.push({ subject: nameOfType(change.uid), reason });
  deleteRows(change, '"published_at" IS NULL');
}

function startLocales({ work, table, defaultLocale }: Change): void {
  work.statements.push(`UPDATE ${table} SET "locale" = ${defaultLocale} WHERE "locale" = ''`);
}

function stopLocales(change: Change): void {
  const { work, uid, table, defaultLocale } = change;
  const reason = `localization turned off: locales other than ${defaultLocale} go`;
  work.losses.push({ subject: nameOfType(uid), reason });
  deleteRows(change, `"locale" <> ${defaultLocale}`);
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

/** Links name a locale where their target has locales and their source has none to follow. */
const isNamed = (layout: Layout, { source, target }: Links): boolean =>
  layout.types[target]?.localized === true && layout.types[source]?.localized === false;

function changeLinks(work: Work, next: Layout, links: Links, defaultLocale: string): void {
  const [before, after] = [isNamed(work.layout, links), isNamed(next, links)];
  if (before === after) return;
  const { table, target } = links;
  if (after) {
    work.statements.push(`UPDATE ${table} SET "target_locale" = ${defaultLocale} WHERE "target_locale" = ''`);
    return;
  }
  if (!next.types[target]?.localized)
    work.statements.push(`DELETE FROM ${table} WHERE "target_locale" NOT IN ('', ${defaultLocale})`);
  work.statements.push(`UPDATE OR REPLACE ${table} SET "target_locale" = '' WHERE "target_locale" = ${defaultLocale}`);
}

/** Turns drafts and locales on or off; the tables have their new form already. */
export function changeVersions(
  work: Work,
  next: Layout,
  tables: Readonly<Record<string, TableSnapshot>>,
  locale: string,
): void {
  const defaultLocale = literal(locale);
  for (const [uid, type] of Object.entries(next.types)) {
    const before = work.layout.types[uid];
    const columns = Object.keys(tables[type.table]?.columns ?? {});
    if (before) changeType({ work, next, uid, type, before, table: identifier(type.table), defaultLocale }, columns);
  }
  for (const links of linksOf(next)) changeLinks(work, next, links, defaultLocale);
}
