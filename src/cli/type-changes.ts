/**
 * @module What a migration does about a content type as a whole: removed, under a new uid, with or without drafts, with
 * or without locales.
 */
import { COUNTER_TABLE } from '../registry/names.ts';
import type { Layout, TypeLayout } from './layout.ts';
import type { Work } from './migration-work.ts';
import type { TableSnapshot } from './snapshot.ts';
import { identifier, literal } from './sql-text.ts';

const COUNTERS = identifier(COUNTER_TABLE);

/** `api::article.article` → `article`. */
export const nameOfType = (uid: string): string => uid.replace(/^.*\./, '');

/** Old uid → uid of the type that has its table now. */
function followers(before: Layout, next: Layout): ReadonlyMap<string, string> {
  const byTable = new Map(Object.entries(next.types).map(([uid, { table }]) => [table, uid]));
  const pairs = Object.entries(before.types).map(([uid, { table }]) => [uid, byTable.get(table)] as const);
  return new Map(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function retargeted(type: TypeLayout, uids: ReadonlyMap<string, string>): TypeLayout {
  const attributes = Object.entries(type.attributes).map(([name, place]) => {
    const target = place.kind === 'links' ? uids.get(place.target) : undefined;
    return [name, target ? { ...place, target } : place] as const;
  });
  return { ...type, attributes: Object.fromEntries(attributes) };
}

/**
 * Finds out what became of each type. A type that kept its table has kept its documents, whatever its uid is now;
 * afterwards `work.layout` knows it under that uid. The others are gone.
 */
export function matchTypes(work: Work, next: Layout): void {
  const uids = followers(work.layout, next);
  const types: Record<string, TypeLayout> = {};
  for (const [before, type] of Object.entries(work.layout.types)) {
    const uid = uids.get(before);
    if (uid) types[uid] = retargeted(type, uids);
    else work.losses.push({ subject: nameOfType(before), reason: 'content type removed, with all its documents' });
    if (uid === before) continue;
    work.statements.push(`DELETE FROM ${COUNTERS} WHERE "type" = ${literal(before)}`);
    if (uid) work.recounts.add(uid);
  }
  work.layout = { ...work.layout, types };
}

interface Change {
  readonly work: Work;
  readonly uid: string;
  readonly type: TypeLayout;
  readonly table: string;
}

const linkTables = ({ attributes }: TypeLayout): string[] =>
  Object.values(attributes).flatMap((place) => (place.kind === 'links' ? [place.table] : []));

/** Deletes versions, and the links that started from them. */
function deleteRows({ work, type, table }: Change, where: string): void {
  work.statements.push(`DELETE FROM ${table} WHERE ${where}`);
  for (const links of linkTables(type))
    work.statements.push(`DELETE FROM ${identifier(links)} WHERE "source_id" NOT IN (SELECT "id" FROM ${table})`);
}

/** Every document was published; each gets the draft that it would have had. */
function startDrafts({ work, type, table }: Change, columns: readonly string[]): void {
  const copied = columns
    .filter((name) => name !== 'id' && name !== 'published_at')
    .map(identifier)
    .join(', ');
  work.statements.push(
    `INSERT INTO ${table} (${copied}) SELECT ${copied} FROM ${table} WHERE "published_at" IS NOT NULL`,
  );
  const versions = `${table} AS "live" ON "live"."id" = "link"."source_id" JOIN ${table} AS "draft" ON "draft"."document_id" = "live"."document_id" AND "draft"."locale" = "live"."locale" AND "draft"."published_at" IS NULL`;
  const rest = '"target_document_id", "target_locale", "position", "inverse_position"';
  for (const links of linkTables(type).map(identifier))
    work.statements.push(
      `INSERT INTO ${links} ("source_id", ${rest}) SELECT "draft"."id", ${rest} FROM ${links} AS "link" JOIN ${versions}`,
    );
}

function stopDrafts(change: Change): void {
  const reason = 'draft & publish turned off: drafts go, with the documents that were never published';
  change.work.losses.push({ subject: nameOfType(change.uid), reason });
  deleteRows(change, '"published_at" IS NULL');
}

function startLocales({ work, table }: Change, defaultLocale: string): void {
  work.statements.push(`UPDATE ${table} SET "locale" = ${literal(defaultLocale)} WHERE "locale" = ''`);
}

function stopLocales(change: Change, defaultLocale: string): void {
  const { work, uid, table } = change;
  const reason = `localization turned off: locales other than ${defaultLocale} go`;
  work.losses.push({ subject: nameOfType(uid), reason });
  deleteRows(change, `"locale" <> ${literal(defaultLocale)}`);
  work.statements.push(`UPDATE ${table} SET "locale" = ''`);
}

/** Turns drafts and locales on or off; the tables have their new form already. */
export function changeVersions(
  work: Work,
  next: Layout,
  tables: Readonly<Record<string, TableSnapshot>>,
  defaultLocale: string,
): void {
  for (const [uid, type] of Object.entries(next.types)) {
    const before = work.layout.types[uid];
    if (!before) continue;
    const change = { work, uid, type, table: identifier(type.table) };
    if (type.localized && !before.localized) startLocales(change, defaultLocale);
    if (!type.localized && before.localized) stopLocales(change, defaultLocale);
    if (type.draftAndPublish && !before.draftAndPublish)
      startDrafts(change, Object.keys(tables[type.table]?.columns ?? {}));
    if (!type.draftAndPublish && before.draftAndPublish) stopDrafts(change);
    if (type.localized !== before.localized || type.draftAndPublish !== before.draftAndPublish) work.recounts.add(uid);
  }
}

/** Counts anew what other steps have asked for. */
export function recount(work: Work, next: Layout): void {
  const status = `iif("published_at" IS NULL, 'draft', 'published')`;
  for (const uid of work.recounts) {
    const table = identifier(next.types[uid]?.table ?? '');
    work.statements.push(
      `DELETE FROM ${COUNTERS} WHERE "type" = ${literal(uid)}`,
      `INSERT INTO ${COUNTERS} ("type", "locale", "status", "total") SELECT ${literal(uid)}, "locale", ${status}, count(*) FROM ${table} GROUP BY 2, 3`,
    );
  }
}
