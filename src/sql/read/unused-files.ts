/**
 * @module The files that no document links to, hidden documents included: by an attribute, in a component or in a zone.
 */
import { type SQL, sql } from 'drizzle-orm';
import { linkEnds } from '../../plan/model/link-tables.ts';
import type { Registry } from '../../registry/model.ts';
import { FILE_UID, systemType } from '../../registry/system-types.ts';
import { type Compiled, mapped, query, together } from '../compiled.ts';
import { balanced, columnOf, integer, literal } from '../pieces.ts';
import { toStatement } from '../render.ts';
import { fitting, type PlainStatement } from '../statement.ts';
import { jsonRow } from './populate.ts';

/** Returns a condition for each table with components: no list of links in them names the file. */
const unnamed = ({ contentTypes }: Registry, file: SQL): readonly SQL[] =>
  [...contentTypes.values()].flatMap(({ table, attributes }) => {
    const columns = [...attributes.values()]
      .filter((attribute) => attribute.kind === 'component' || attribute.kind === 'dynamiczone')
      .map(({ column }) => sql`json(${columnOf(table, column)})`);
    if (columns.length === 0) return [];
    return [
      sql`${file} not in (
        select "atom" from ${sql.identifier(table)}, json_tree(${jsonRow(columns)})
        where "key" = ${literal('documentId')} and "atom" is not null)`,
    ];
  });

/**
 * Reads the ids of unused files, the newest first. Reads all rows with components. A model with more media attributes than
 * one statement has room for takes several: what is not used by some, and what is used by the others.
 */
export function unusedFiles(registry: Registry, limit: number): Compiled<readonly number[]> {
  const type = systemType(registry, FILE_UID);
  const file = columnOf(type.table, 'document_id');
  const tables = linkEnds(type, registry).flatMap((end) => end.tables);
  const unlinked = tables.map(
    ({ name }) =>
      sql`not exists (select 1 from ${sql.identifier(name)} where ${columnOf(name, 'target_document_id')} = ${file})`,
  );
  const ids = (condition: SQL, rest = sql``): PlainStatement =>
    toStatement(sql`select "id" from ${sql.identifier(type.table)} where ${condition} order by "id" desc${rest}`);
  const isUnused = (terms: readonly SQL[]): SQL => balanced(terms, 'and');
  const groups = fitting([...unlinked, ...unnamed(registry, file)], (terms) => ({ ...ids(isUnused(terms)), terms }));
  const [{ terms } = { terms: [] }, ...others] = groups;
  const found = others.length > 0 ? ids(isUnused(terms)) : ids(isUnused(terms), sql` limit ${integer(limit)}`);
  const used = others.map((each) => ids(sql`not ${isUnused(each.terms)}`));
  const read = together(
    [found, ...used].map((statement) => query(statement, (rows) => rows.map(({ id }) => Number(id)))),
  );
  return mapped(read, ([first = [], ...usedByOthers]) => {
    const isUsed = new Set(usedByOthers.flat());
    return first.filter((id) => !isUsed.has(id)).slice(0, limit);
  });
}
