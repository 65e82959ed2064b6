/**
 * @module The tables that an import is about: is there any content, and how to be rid of it.
 */
import type { Registry } from '../../registry/model.ts';
import { COUNTER_TABLE } from '../../registry/names.ts';
import { ROLE_UID, SESSION_UID } from '../../registry/system-types.ts';
import type { Statement } from '../../sql/statement.ts';
import { filledTables, runBatch } from '../core/sql/database.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { archivedTypes, linkTablesOf } from '../core/sql/type-tables.ts';
import { statusOf } from '../migrations/migration-work.ts';

/** Tables with content in them, of any content type that there is. */
export async function importedTablesWithContent(db: D1Database, registry: Registry): Promise<readonly string[]> {
  const [rows = []] = await runBatch(db, ["select name from sqlite_master where type = 'table'"]);
  const present = new Set(rows.map(({ name }) => name));
  const tables = archivedTypes(registry).map(({ table }) => table);
  return filledTables(
    db,
    tables.filter((table) => present.has(table)),
  );
}

/** Deletes all documents, files, users, their sessions and roles. Tokens stay. */
export function clearStatements(registry: Registry): readonly Statement[] {
  const types = [...registry.contentTypes.values()];
  const cleared = [...archivedTypes(registry), ...types.filter(({ uid }) => uid === ROLE_UID || uid === SESSION_UID)];
  const tables = cleared.flatMap((type) => [...linkTablesOf(type).values(), type.table]);
  return [...tables, COUNTER_TABLE].map((table) => ({ sql: `delete from ${identifier(table)}`, params: [] }));
}

/** Counts every type anew. */
export function recountStatements(registry: Registry): readonly Statement[] {
  return [...registry.contentTypes.values()].flatMap(({ uid, table }) => [
    { sql: `delete from ${identifier(COUNTER_TABLE)} where "type" = ?`, params: [uid] },
    {
      sql: `insert into ${identifier(COUNTER_TABLE)} ("type", "locale", "status", "total") select ?, "locale", ${statusOf(identifier(table))}, count(*) from ${identifier(table)} group by 2, 3`,
      params: [uid],
    },
  ]);
}
