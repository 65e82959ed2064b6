/**
 * @module The files that no document links to, hidden documents included: by an attribute, in a component or in a zone.
 */
import { type SQL, sql } from 'drizzle-orm';
import { linkEnds } from '../../plan/model/link-tables.ts';
import type { Registry } from '../../registry/model.ts';
import { FILE_UID, systemType } from '../../registry/system-types.ts';
import { type Compiled, query } from '../compiled.ts';
import { balanced, columnOf, integer, literal } from '../pieces.ts';
import { toStatement } from '../render.ts';
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

/** Reads the ids of unused files, the newest first. Reads all rows with components. */
export function unusedFiles(registry: Registry, limit: number): Compiled<readonly number[]> {
  const type = systemType(registry, FILE_UID);
  const file = columnOf(type.table, 'document_id');
  const tables = linkEnds(type, registry).flatMap((end) => end.tables);
  const unlinked = tables.map(
    ({ name }) =>
      sql`not exists (select 1 from ${sql.identifier(name)} where ${columnOf(name, 'target_document_id')} = ${file})`,
  );
  const isUnused = balanced([...unlinked, ...unnamed(registry, file)], 'and');
  return query(
    toStatement(
      sql`select "id" from ${sql.identifier(type.table)} where ${isUnused} order by "id" desc limit ${integer(limit)}`,
    ),
    (rows) => rows.map(({ id }) => Number(id)),
  );
}
