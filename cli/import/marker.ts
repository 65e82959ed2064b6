/**
 * @module The progress of an import, a row of `edgewise_imports`; and the statements that clear content and recount documents.
 */
import { groupsOf } from '../../src/common/groups.ts';
import type { Statement } from '../../src/content/sql/statement.ts';
import type { Registry } from '../../src/schema/model.ts';
import {
  COUNTER_TABLE,
  HISTORY_TABLE,
  IDENTITY_TABLE,
  IMPORT_TABLE,
  OAUTH_GRANT_TABLE,
  REQUEST_TABLE,
  SCHEDULE_TABLE,
  TASK_TABLE,
} from '../../src/schema/names.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { ROLE_UID, SESSION_UID } from '../../src/schema/system-types.ts';
import { GROUPS, type Group } from '../core/archive/groups.ts';
import { filledTables, hasTable, ROTATE_STAMPS } from '../core/sql/database.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { BATCH_SIZE, runBatch, runOne } from '../core/sql/statements.ts';
import { archivedTypes, linkTablesOf } from '../core/sql/type-tables.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { recountSql } from '../migrations/type-changes.ts';
import type { PlacedRole } from './archive-settings.ts';
import type { TypesByUid } from './resolve-rows.ts';
import type { Survey } from './survey.ts';

export type Mode = 'fresh' | 'replace';
/** The step that an import has reached: deleting content, writing rows, writing links, done. */
type ImportStage = 'clear' | 'rows' | 'links' | 'done';

export interface Marker {
  /** SHA-256 of the file. */
  readonly archive: string;
  /** What of the archive is imported. */
  readonly groups: readonly Group[];
  readonly name: string;
  readonly mode: Mode;
  readonly stage: ImportStage;
  /** How many lines of the stage are done. */
  readonly done: number;
  readonly startedAt: number;
  readonly finishedAt: number | null;
}

/** What an import works with while it writes the content of an archive. */
export interface ImportRun {
  readonly survey: Survey;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly types: TypesByUid;
  readonly marker: Marker;
  readonly roles: readonly PlacedRole[];
  /** Absent: nothing is written. */
  readonly storage?: Storage;
}

const TABLE = identifier(IMPORT_TABLE);

/** The key of an import: its archive, and its groups unless it has all of them, as the earliest imports had. */
const keyOf = ({ archive, groups }: Marker): string =>
  groups.length === GROUPS.length ? archive : `${archive} ${groups.join(',')}`;

/** Reads the imports of the database, the last one first; none if the table does not exist yet. */
export async function readMarkers(db: D1Database): Promise<readonly Marker[]> {
  if (!(await hasTable(db, IMPORT_TABLE))) return [];
  const columns =
    '"archive" as "key", "name", "mode", "stage", "done", "started_at" as "startedAt", "finished_at" as "finishedAt"';
  const select = `select ${columns} from ${TABLE} order by "startedAt" desc`;
  const rows = (await runOne(db, select)) as readonly (Omit<Marker, 'archive' | 'groups'> & { readonly key: string })[];
  return rows.map(({ key, ...rest }) => {
    const [archive = '', names] = key.split(' ');
    const groups = GROUPS.filter((group) => names?.split(',').includes(group) ?? true);
    return { archive, groups, ...rest };
  });
}

/** Is an earlier import void once another one begins? What is unfinished is abandoned, and content replaces content. */
const isVoid = (earlier: Marker, marker: Marker): boolean =>
  earlier.finishedAt === null ||
  keyOf(earlier) === keyOf(marker) ||
  (marker.groups.includes('content') && (earlier.archive !== marker.archive || earlier.groups.includes('content')));

/**
 * A boundary in the history of each type, by a row without a document: the first write of a document that is imported keeps
 * it, though its last change may be older than its versions here.
 */
const BOUNDARY = `
  insert into ${identifier(HISTORY_TABLE)}
    ("type", "document_id", "locale", "version", "at", "id", "operation", "actor", "size")
  select "type", '', '', '', max(?, max("at") + 1), 'rev_' || lower(hex(randomblob(12))), 'import', 'unknown', 0
  from ${identifier(HISTORY_TABLE)} group by "type"`;

const boundary = (startedAt: number): Statement => ({ sql: BOUNDARY, params: [startedAt] });

/**
 * The statements that record an unfinished import. One that deletes content puts the boundary where it does: until then the last
 * versions are those of the documents.
 * @param earlier imports of the database
 */
export function beginStatements(marker: Marker, earlier: readonly Marker[]): readonly Statement[] {
  const keys = earlier.filter((each) => isVoid(each, marker)).map(keyOf);
  return [
    ...(marker.groups.includes('content') && marker.stage !== 'clear' ? [boundary(marker.startedAt)] : []),
    {
      sql: `delete from ${TABLE} where "archive" in (select "value" from json_each(?))`,
      params: [JSON.stringify(keys)],
    },
    {
      sql: `insert into ${TABLE} ("archive", "name", "mode", "stage", "done", "started_at") values (?, ?, ?, ?, 0, ?)`,
      params: [keyOf(marker), marker.name, marker.mode, marker.stage, marker.startedAt],
    },
  ];
}

/**
 * Writes batches, each in one transaction with the progress of the import. Invalidates cached responses. Of statements that
 * are too many for one batch, which may be run again, the last ones note the progress.
 * @param db absent: nothing is written.
 */
export const importWriter =
  (db: D1Database | undefined, marker: Marker) =>
  async (statements: readonly Statement[], stage: ImportStage, done = 0): Promise<void> => {
    if (!db) return;
    const note = {
      sql: `update ${TABLE} set "stage" = ?, "done" = ?, "finished_at" = ? where "archive" = ?`,
      params: [stage, done, stage === 'done' ? Date.now() : null, keyOf(marker)],
    };
    const groups = groupsOf(statements, BATCH_SIZE - 2);
    for (const some of groups.slice(0, -1)) await runBatch(db, [...some, ROTATE_STAMPS]);
    await runBatch(db, [...(groups.at(-1) ?? []), note, ROTATE_STAMPS]);
  };

export type Write = ReturnType<typeof importWriter>;

/** Returns the tables of content types that have rows. */
export async function importedTablesWithContent(db: D1Database, registry: Registry): Promise<readonly string[]> {
  const rows = await runOne(db, "select name from sqlite_master where type = 'table'");
  const present = new Set(rows.map(({ name }) => name));
  const tables = archivedTypes(registry).map(({ table }) => table);
  return filledTables(
    db,
    tables.filter((table) => present.has(table)),
  );
}

/** Former versions stay, without the names of the deleted users. */
const ANONYMIZE_VERSIONS = `
  update ${identifier(HISTORY_TABLE)} set "actor_name" = null where "actor" in ('user', 'schedule of user')`;

/**
 * Deletes all documents with their totals and schedules, files, users, their sessions, identities, grants and roles, and the responses to requests
 * that are repeated. Tokens stay, and the bytes of files, also those that were left to delete.
 * @param startedAt of the import, for the boundary
 */
export function clearStatements(registry: Registry, startedAt: number): readonly Statement[] {
  const types = [...registry.contentTypes.values()];
  const cleared = [...archivedTypes(registry), ...types.filter(({ uid }) => uid === ROLE_UID || uid === SESSION_UID)];
  const tables = cleared.flatMap((type) => [...linkTablesOf(type).values(), type.table]);
  const deletions = [...tables, SCHEDULE_TABLE, REQUEST_TABLE, TASK_TABLE, IDENTITY_TABLE, OAUTH_GRANT_TABLE].map(
    (table) => `delete from ${identifier(table)}`,
  );
  const uids = JSON.stringify(types.map(({ uid }) => uid));
  return [
    boundary(startedAt),
    {
      sql: `delete from ${identifier(COUNTER_TABLE)} where "type" in (select "value" from json_each(?))`,
      params: [uids],
    },
    ...[...deletions, ANONYMIZE_VERSIONS].map((sql) => ({ sql, params: [] })),
  ];
}

export const recountStatements = ({ contentTypes }: Registry): readonly Statement[] =>
  [...contentTypes.values()].flatMap(({ uid, table }) => recountSql(uid, table).map((sql) => ({ sql, params: [] })));
