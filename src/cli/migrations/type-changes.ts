/**
 * @module Migrates content types that were removed or have a new uid, and recounts totals.
 */
import { COUNTER_TABLE } from '../../registry/names.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import { type Layout, mapPlaces, type Places, type TypeLayout } from './layout.ts';
import { countOf, statusOf, type Work } from './migration-work.ts';

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

/** Links to a removed type name its table, since a new type may have its uid. */
const retargeted = (places: Places, uids: ReadonlyMap<string, string>, { types }: Layout): Places =>
  mapPlaces(places, (place) => {
    const before = place.kind === 'links' && types[place.target];
    return before ? { ...place, target: uids.get(place.target) ?? `the table ${before.table}` } : place;
  });

/**
 * Matches types by table: a type with the same table keeps its documents, and gets its new uid in `work.layout`. The others
 * are removed.
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
    // The previous version updates the totals of a uid until the new one, with another table, serves.
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

/** Recounts the totals in `work.recounts`. */
export function recount(work: Work, next: Layout): void {
  for (const uid of work.recounts) work.statements.push(...recountSql(uid, next.types[uid]?.table ?? ''));
}
