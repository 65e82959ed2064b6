/**
 * @module Migrates the links of polymorphic relations, which name the types of their targets, when a type is removed or gets
 * another uid.
 */
import { identifier, literal } from '../core/sql/sql-text.ts';
import { rewriteColumns, rewriteOf } from './component-changes.ts';
import { instanceCounts } from './component-counts.ts';
import { ANY, linksIn, linksOf, nameOfType } from './layout.ts';
import { countOf, formerComponent, lose, type Work } from './migration-work.ts';

const listOf = (uids: readonly string[]): string => uids.map(literal).join(', ');

/** SQL for a type after the migration. */
function caseOf(type: string, renamed: ReadonlyMap<string, string>): string {
  const cases = [...renamed].map(([from, to]) => `WHEN ${literal(from)} THEN ${literal(to)}`);
  return cases.length > 0 ? `CASE ${type} ${cases.join(' ')} ELSE ${type} END` : type;
}

/** Links in tables. Those to a removed type go before a new type may have its uid. */
function retypeTables(work: Work, renamed: ReadonlyMap<string, string>, removed: readonly string[]): void {
  for (const { table, source, name, target } of linksOf(work.layout)) {
    if (target !== ANY || !work.next.types[source]?.attributes[name]) continue;
    const type = '"target_type"';
    const isRemoved = `${type} IN (${listOf(removed)})`;
    if (removed.length > 0) {
      const reason = `links to ${removed.map(nameOfType).join(', ')}, which is removed, are deleted`;
      lose(work, `${nameOfType(source)}.${name}`, reason, countOf(work, table, isRemoved));
      work.statements.push(`DELETE FROM ${identifier(table)} WHERE ${isRemoved}`);
    }
    if (renamed.size > 0)
      work.statements.push(
        `UPDATE ${identifier(table)} SET ${type} = ${caseOf(type, renamed)} WHERE ${type} IN (${listOf([...renamed.keys()])})`,
      );
  }
}

/** Links in components. */
function retypeComponents(work: Work, renamed: ReadonlyMap<string, string>, removed: readonly string[]): void {
  const type = `"link"."value" ->> '$.type'`;
  const isRemoved = removed.length > 0 ? `${type} IN (${listOf(removed)})` : '0';
  const convert = (json: string): string =>
    `(SELECT json_group_array(json(json_set("link"."value", '$.type', ${caseOf(`(${type})`, renamed)})) ORDER BY "link"."key") FROM json_each(${json}) AS "link" WHERE "link"."type" = 'object' AND NOT (${isRemoved}))`;
  const rewrite = rewriteOf(work.layout, (places, uid) => {
    const names = linksIn(places).flatMap(([name, { target }]) => (target === ANY ? [name] : []));
    for (const name of removed.length > 0 ? names : []) {
      const goes = (json: string) => `EXISTS (SELECT 1 FROM json_each(${json}) AS "link" WHERE ${isRemoved})`;
      const counts = instanceCounts(work, { uid: formerComponent(work, uid), name, goes });
      const reason = `links to ${removed.map(nameOfType).join(', ')}, which is removed, are deleted`;
      if (counts.length > 0) lose(work, `${uid}.${name}`, reason, ...counts);
    }
    return names.map((name) => ({ from: name, to: name, convert }));
  });
  for (const { table, attributes } of Object.values(work.layout.types))
    work.statements.push(...rewriteColumns(table, attributes, rewrite));
}

/** @param uids the uid of each type before and after the migration; undefined: the type is removed */
export function retypeLinks(work: Work, uids: ReadonlyMap<string, string | undefined>): void {
  const renamed = new Map([...uids].flatMap(([from, to]) => (to && to !== from ? [[from, to] as const] : [])));
  const removed = [...uids].flatMap(([from, to]) => (to ? [] : [from]));
  if (renamed.size + removed.length === 0) return;
  retypeTables(work, renamed, removed);
  retypeComponents(work, renamed, removed);
}
