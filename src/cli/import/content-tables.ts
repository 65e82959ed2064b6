/**
 * @module The tables that an import is about: is there any content, and how to be rid of it.
 */
import type { ContentType, Registry } from '../../registry/model.ts';
import { COUNTER_TABLE, linkTable } from '../../registry/names.ts';
import { FILE_UID, ROLE_UID, SESSION_UID, USER_UID } from '../../registry/system-types.ts';
import type { Statement } from '../../sql/statement.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { statusOf } from '../migrations/migration-work.ts';
import { hasTable } from './marker.ts';

/** Types of which an archive has documents: those of the project, files and users. */
export const importedTypes = ({ contentTypes }: Registry): readonly ContentType[] =>
  [...contentTypes.values()].filter(({ system, uid }) => !system || uid === FILE_UID || uid === USER_UID);

/** The link tables of a type, by attribute. */
export function linkTablesOf({ table, attributes }: ContentType): ReadonlyMap<string, string> {
  const owned = [...attributes.values()].filter(
    (attribute) => attribute.kind === 'media' || (attribute.kind === 'relation' && attribute.owner),
  );
  return new Map(owned.map(({ name }) => [name, linkTable(table, name)]));
}

async function tableNames(db: D1Database): Promise<ReadonlySet<string>> {
  const { results } = await db.prepare("select name from sqlite_master where type = 'table'").all<{ name: string }>();
  return new Set(results.map(({ name }) => name));
}

/** Tables with content in them, of any content type that there is. */
export async function filledTables(db: D1Database, registry: Registry): Promise<readonly string[]> {
  const there = await tableNames(db);
  const tables = importedTypes(registry)
    .map(({ table }) => table)
    .filter((table) => there.has(table));
  if (tables.length === 0) return [];
  const asked = tables.map((table) => db.prepare(`select 1 from ${identifier(table)} limit 1`));
  const answers = await db.batch(asked);
  return tables.filter((_, index) => (answers[index]?.results.length ?? 0) > 0);
}

/** Names of the migrations that the database has. */
export async function appliedMigrations(db: D1Database): Promise<ReadonlySet<string>> {
  if (!(await hasTable(db, 'd1_migrations'))) return new Set();
  const { results } = await db.prepare('select name from d1_migrations').all<{ name: string }>();
  return new Set(results.map(({ name }) => name));
}

/** Deletes all documents, files, users, their sessions and roles. Tokens stay. */
export function clearStatements(registry: Registry): readonly Statement[] {
  const types = [...registry.contentTypes.values()];
  const cleared = [...importedTypes(registry), ...types.filter(({ uid }) => uid === ROLE_UID || uid === SESSION_UID)];
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
