/**
 * @module Migrates content types that were removed or have a new uid, with the links of polymorphic relations, which name the
 * types of their targets; recounts totals.
 */
import {
  COUNTER_TABLE,
  HISTORY_TABLE,
  OAUTH_GRANT_TABLE,
  OUTBOX_TABLE,
  SCHEDULE_TABLE,
} from '../../src/schema/names.ts';
import { identifier, literal } from '../core/sql/sql-text.ts';
import { instanceCounts, rewriteColumns, rewriteOf } from './component-changes.ts';
import { mapList } from './component-edits.ts';
import type { Places, TypeLayout } from './layout.ts';
import { ANY, isLinks, linksIn, linksOf, mapPlaces, nameOfType, typeByTable } from './layout.ts';
import { countOf, countRows, formerComponent, lose, statusOf, type Work } from './migration-work.ts';
import { removePermissions, renamePermissions } from './token-changes.ts';

const COUNTERS = identifier(COUNTER_TABLE);

/** Counts, before a migration, the former versions that go with a type. */
export const versionsOf = (uid: string): string =>
  countRows(HISTORY_TABLE, `"type" = ${literal(uid)} AND "document_id" > ''`);

export function recountSql(uid: string, name: string): readonly string[] {
  const table = identifier(name);
  return [
    `DELETE FROM ${COUNTERS} WHERE "type" = ${literal(uid)}`,
    `INSERT INTO ${COUNTERS} ("type", "locale", "status", "total") SELECT ${literal(uid)}, "locale", ${statusOf(table)}, count(*) FROM ${table} GROUP BY 2, 3`,
  ];
}

/** Ends what users have let clients do with chosen types, if this is one. */
const endGrantsFor = (uid: string): string =>
  `DELETE FROM ${identifier(OAUTH_GRANT_TABLE)} WHERE EXISTS (SELECT 1 FROM json_each("types") WHERE "value" = ${literal(uid)})`;

/**
 * Migrates the links to types, in tables and components, former versions of documents, schedules, messages that wait, and
 * permissions of tokens.
 * @param uids before and after; undefined: it is removed
 */
export function retypeLinks(work: Work, uids: ReadonlyMap<string, string | undefined>): void {
  const renamed = [...uids].filter(([from, to]) => to && to !== from);
  const removed = [...uids.keys()].filter((uid) => !uids.get(uid));
  if (renamed.length + removed.length === 0) return;
  const listOf = (names: readonly string[]): string => `(${names.map(literal).join(', ')})`;
  const former = listOf(renamed.map(([from]) => from));
  const cases = renamed.map(([from, to = '']) => `WHEN ${literal(from)} THEN ${literal(to)}`).join(' ');
  /** SQL for a type after the migration. */
  const caseOf = (type: string): string => (cases === '' ? type : `CASE ${type} ${cases} ELSE ${type} END`);
  const reason = `links to ${removed.map(nameOfType).join(', ')}, which is removed, are deleted`;
  const isRemoved = (type: string): string => (removed.length > 0 ? `${type} IN ${listOf(removed)}` : '0');
  // These tables may come with this migration.
  for (const table of [HISTORY_TABLE, SCHEDULE_TABLE, OUTBOX_TABLE]
    .filter((name) => work.tables[name])
    .map(identifier)) {
    // A new type may have the uid of a removed one by the time that the table goes.
    for (const uid of removed)
      (work.next.types[uid] ? work.statements : work.late).push(`DELETE FROM ${table} WHERE "type" = ${literal(uid)}`);
    if (renamed.length > 0)
      work.statements.push(`UPDATE ${table} SET "type" = ${caseOf('"type"')} WHERE "type" IN ${former}`);
  }
  for (const uid of removed) (work.next.types[uid] ? work.statements : work.late).push(removePermissions(uid));
  // Tokens of clients have the uids, so what names one ends: a client gets nothing of a type that takes it.
  if (work.tables[OAUTH_GRANT_TABLE]) {
    for (const uid of removed) (work.next.types[uid] ? work.statements : work.late).push(endGrantsFor(uid));
    work.statements.push(...renamed.map(([from]) => endGrantsFor(from)));
  }
  work.statements.push(...renamePermissions(renamed.map(([from, to = '']) => [from, to])));
  for (const { table, source, name, target } of linksOf(work.layout)) {
    if (target !== ANY || !work.next.types[source]?.attributes[name]) continue;
    const type = '"target_type"';
    // Links to a removed type go before a new type may have its uid.
    if (removed.length > 0) {
      lose(work, `${nameOfType(source)}.${name}`, reason, countOf(work, table, isRemoved(type)));
      work.statements.push(`DELETE FROM ${identifier(table)} WHERE ${isRemoved(type)}`);
    }
    if (renamed.length > 0)
      work.statements.push(`UPDATE ${identifier(table)} SET ${type} = ${caseOf(type)} WHERE ${type} IN ${former}`);
  }
  const type = `"entry"."value" ->> '$.type'`;
  const entry = `json_set("entry"."value", '$.type', ${caseOf(`(${type})`)})`;
  const convert = (json: string) => mapList(json, entry, `"entry"."type" = 'object' AND NOT (${isRemoved(type)})`);
  const rewrite = rewriteOf(work.layout, (places, uid) => {
    const names = linksIn(places).flatMap(([name, { target }]) => (target === ANY ? [name] : []));
    for (const name of removed.length > 0 ? names : []) {
      const goes = (json: string) => `EXISTS (SELECT 1 FROM json_each(${json}) AS "entry" WHERE ${isRemoved(type)})`;
      const counts = instanceCounts(work, { uid: formerComponent(work, uid), name, goes });
      if (counts.length > 0) lose(work, `${uid}.${name}`, reason, ...counts);
    }
    return names.map((name) => ({ from: name, to: name, convert }));
  });
  for (const { table, attributes } of Object.values(work.layout.types))
    work.statements.push(...rewriteColumns(table, attributes, rewrite));
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
      const before = isLinks(place) && layout.types[place.target];
      return before ? { ...place, target: uidOf(before) ?? `the table ${before.table}` } : place;
    });
  const types: Record<string, TypeLayout> = {};
  for (const [before, type] of Object.entries(layout.types)) {
    const uid = uidOf(type);
    if (uid) types[uid] = { ...type, attributes: retargeted(type.attributes) };
    else {
      const reason = 'content type removed, with all its documents';
      const counts = [countOf(work, type.table)];
      work.lateLosses.push({ subject: nameOfType(before), reason, counts, versions: versionsOf(before) });
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

export function recount({ recounts, statements, next }: Work): void {
  for (const uid of recounts) statements.push(...recountSql(uid, next.types[uid]?.table ?? ''));
}
