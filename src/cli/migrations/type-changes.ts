/**
 * @module What a migration does about a content type as a whole: removed, under a new uid, a single type from now on; and
 * its totals.
 */
import { COUNTER_TABLE } from '../../registry/names.ts';
import { columnIn, identifier, literal } from '../core/sql/sql-text.ts';
import { type Layout, linksOf, type Places, type TypeLayout } from './layout.ts';
import { countOf, formerTable, statusOf, type Work } from './migration-work.ts';

const COUNTERS = identifier(COUNTER_TABLE);

/** `api::article.article` → `article`. */
export const nameOfType = (uid: string): string => uid.replace(/^.*\./, '');

function recountSql(uid: string, name: string): readonly string[] {
  const table = identifier(name);
  return [
    `DELETE FROM ${COUNTERS} WHERE "type" = ${literal(uid)}`,
    `INSERT INTO ${COUNTERS} ("type", "locale", "status", "total") SELECT ${literal(uid)}, "locale", ${statusOf(table)}, count(*) FROM ${table} GROUP BY 2, 3`,
  ];
}

/** Old uid → uid of the type that has its table now. */
function followers(before: Layout, next: Layout): ReadonlyMap<string, string> {
  const byTable = new Map(Object.entries(next.types).map(([uid, { table }]) => [table, uid]));
  const pairs = Object.entries(before.types).map(([uid, { table }]) => [uid, byTable.get(table)] as const);
  return new Map(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

/** Links to a type that is gone name its table, since a new type may have its uid. */
function retargeted(places: Places, uids: ReadonlyMap<string, string>, before: Layout): Places {
  const attributes = Object.entries(places).map(([name, place]) => {
    if (place.kind !== 'links' || !before.types[place.target]) return [name, place] as const;
    const target = uids.get(place.target) ?? `the table ${before.types[place.target]?.table}`;
    return [name, { ...place, target }] as const;
  });
  return Object.fromEntries(attributes);
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
    if (uid) types[uid] = { ...type, attributes: retargeted(type.attributes, uids, work.layout) };
    else {
      const reason = 'content type removed, with all its documents';
      work.lateLosses.push({ subject: nameOfType(before), reason, counts: [countOf(work, type.table)] });
    }
    if (uid === before) continue;
    if (uid) work.recounts.add(uid);
    // The version from before counts into the totals of a uid until the new one, with another table, serves.
    else if (next.types[before]) work.late.push(...recountSql(before, next.types[before].table));
    if (uid || !next.types[before])
      (uid ? work.statements : work.late).push(`DELETE FROM ${COUNTERS} WHERE "type" = ${literal(before)}`);
  }
  const components = Object.entries(work.layout.components).map(([uid, places]) => [
    uid,
    retargeted(places, uids, work.layout),
  ]);
  work.layout = { types, components: Object.fromEntries(components) };
}

/** Recounts what other steps have asked for. */
export function recount(work: Work, next: Layout): void {
  for (const uid of work.recounts) work.statements.push(...recountSql(uid, next.types[uid]?.table ?? ''));
}

/** Rows of all documents but the first: of the published ones, else of the drafts; in the default locale, else in any. */
const isBeyondFirst = (table: string, locale: string): string =>
  `${columnIn(table, 'document_id')} <> (SELECT "document_id" FROM ${identifier(table)} ORDER BY "published_at" IS NULL, "locale" <> ${literal(locale)}, "id" LIMIT 1)`;

function keepFirst(work: Work, next: Layout, uid: string, table: string, locale: string): void {
  work.losses.push({
    subject: nameOfType(uid),
    reason: 'collection type becomes single type: all documents but the first go',
    counts: [countOf(work, table, isBeyondFirst(formerTable(work, table), locale))],
  });
  work.statements.push(`DELETE FROM ${identifier(table)} WHERE ${isBeyondFirst(table, locale)}`);
  work.recounts.add(uid);
  for (const links of linksOf(next))
    for (const end of ['source', 'target'] as const)
      if (links[end] === uid)
        work.statements.push(
          `DELETE FROM ${identifier(links.table)} WHERE "${end}_document_id" NOT IN (SELECT "document_id" FROM ${identifier(table)})`,
        );
}

/** The tables have their new form already. */
export function changeKinds(work: Work, next: Layout, locale: string): void {
  for (const [uid, { kind, table }] of Object.entries(next.types))
    if (kind === 'singleType' && work.layout.types[uid]?.kind === 'collectionType')
      keepFirst(work, next, uid, table, locale);
}
