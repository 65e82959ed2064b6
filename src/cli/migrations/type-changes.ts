/**
 * @module Migrates content types that were removed or have a new uid, and recounts totals.
 */
import { COUNTER_TABLE } from '../../registry/names.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import { mapPlaces, nameOfType, type Places, type TypeLayout, typeByTable } from './layout.ts';
import { countOf, statusOf, type Work } from './migration-work.ts';
import { retypeLinks } from './target-types.ts';

const COUNTERS = identifier(COUNTER_TABLE);

function recountSql(uid: string, name: string): readonly string[] {
  const table = identifier(name);
  return [
    `DELETE FROM ${COUNTERS} WHERE "type" = ${literal(uid)}`,
    `INSERT INTO ${COUNTERS} ("type", "locale", "status", "total") SELECT ${literal(uid)}, "locale", ${statusOf(table)}, count(*) FROM ${table} GROUP BY 2, 3`,
  ];
}

/**
 * Matches types by table: a type with the same table keeps its documents, and gets its new uid in `work.layout`. The others
 * are removed.
 */
export function matchTypes(work: Work): void {
  const { layout, next } = work;
  const uidOf = ({ table }: TypeLayout): string | undefined => typeByTable(next, table)?.[0];
  // Links to a removed type name its table, since a new type may have its uid.
  const retargeted = (places: Places): Places =>
    mapPlaces(places, (place) => {
      const before = place.kind === 'links' && layout.types[place.target];
      return before ? { ...place, target: uidOf(before) ?? `the table ${before.table}` } : place;
    });
  const types: Record<string, TypeLayout> = {};
  for (const [before, type] of Object.entries(layout.types)) {
    const uid = uidOf(type);
    if (uid) types[uid] = { ...type, attributes: retargeted(type.attributes) };
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
  const components = Object.entries(layout.components).map(([uid, places]) => [uid, retargeted(places)]);
  work.layout = { types, components: Object.fromEntries(components) };
  retypeLinks(work, new Map(Object.entries(layout.types).map(([uid, type]) => [uid, uidOf(type)])));
}

/** Recounts the totals in `work.recounts`. */
export function recount({ recounts, statements, next }: Work): void {
  for (const uid of recounts) statements.push(...recountSql(uid, next.types[uid]?.table ?? ''));
}
