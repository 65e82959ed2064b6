/**
 * @module Folders of files. A path is made of the `path_id` of each folder: `/1/4`. Files name the path of theirs.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type Compiled, mapped } from '../../../content/sql/compiled.ts';
import { toStatement } from '../../../content/sql/render.ts';
import type { Row, Statement } from '../../../content/sql/statement.ts';
import { updateRows } from '../../../content/sql/write/change-rows.ts';
import { guardedLookup } from '../../../content/sql/write/preconditions.ts';
import { storedFile } from './files.ts';
import { leaveFiles } from './left-files.ts';

const FOLDERS = sql.identifier('upload_folders');
const FILES = sql.identifier('files');

export interface StoredFolder {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly pathId: number;
  readonly path: string;
  readonly isPrivate: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const storedFolder = (row: Row): StoredFolder => ({
  id: Number(row.id),
  documentId: String(row.document_id),
  name: String(row.name),
  pathId: Number(row.path_id),
  path: String(row.path),
  isPrivate: row.is_private === 1,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
});

export interface FoundFolders {
  readonly folders: readonly StoredFolder[];
  /** Abort the batch if one has gone, or another has come, or has another place or privacy. */
  readonly unchanged: readonly Statement[];
}

const foldersWhere = (condition: SQL, limit: number): Compiled<FoundFolders> =>
  mapped(
    guardedLookup(limit, sql`select * from ${FOLDERS} where ${condition} order by "path" limit ${limit}`, [
      'id',
      'path',
      'is_private',
    ]),
    ({ rows, unchanged }) => ({ folders: rows.map(storedFolder), unchanged }),
  );

export const allFolders = (limit: number) => foldersWhere(sql`true`, limit);
export const foldersById = (ids: readonly number[]) =>
  foldersWhere(sql`"id" in (select "value" from json_each(${JSON.stringify(ids)}))`, ids.length);
export const folderByDocumentId = (documentId: string) => foldersWhere(sql`"document_id" = ${documentId}`, 1);

/** The digit zero follows the slash. */
const isBelow = (column: string, path: string): SQL =>
  sql`(${sql.identifier(column)} >= ${`${path}/`} and ${sql.identifier(column)} < ${`${path}0`})`;
const isWithin = (column: string, path: string): SQL =>
  sql`(${sql.identifier(column)} = ${path} or ${isBelow(column, path)})`;

/** Reads the folders below a path, and its own. @param limit -1 for all */
export const foldersWithin = (path: string, limit: number) => foldersWhere(isWithin('path', path), limit);

/** Reads files of the folders of a path, in the order of their ids, and guards that they are the same. @param after an id */
export const filesWithin = (path: string, after: number, limit: number) =>
  mapped(
    guardedLookup(
      path,
      sql`
        select "id", "document_id", "updated_at", "hash", "ext", "formats" from ${FILES}
        where ${isWithin('folder_path', path)} and "id" > ${after} order by "id" limit ${limit}`,
      ['id', 'updated_at'],
    ),
    ({ rows, unchanged }) => ({ files: rows.map(storedFile), unchanged }),
  );

/** Leaves the objects of the files within a path to delete, before their rows go. */
export const leaveFilesWithin = (path: string): Statement => leaveFiles(isWithin('folder_path', path));

/** Path of a folder. @param parent absent for one at the top */
export const pathWithin = (parent: Pick<StoredFolder, 'path'> | undefined, pathId: number): string =>
  `${parent?.path ?? ''}/${pathId}`;

const hasSibling = (name: string, parent: StoredFolder | undefined, id: number): SQL =>
  sql`exists (select 1 from ${FOLDERS} where "name" = ${name} and "path" = ${`${parent?.path ?? ''}/`} || "path_id" and "id" <> ${id})`;

/** Has a folder another one of this name beside it? With a guard that it stays so. @param id of the folder; 0 for a new one */
export const isNameTaken = (name: string, parent: StoredFolder | undefined, id: number) =>
  guardedLookup(id, sql`select ${hasSibling(name, parent, id)} as "taken"`, ['taken']);

/** Files of earlier versions name folders without a row, at each level of their path. */
const NEXT_PATH_ID = sql`max(
  coalesce((select max("path_id") from ${FOLDERS}), 0),
  coalesce((
    select max(cast("$id"."value" as integer))
    from (select distinct "folder_path" from ${FILES} where "folder_path" is not null) as "$path"
    join json_each('[' || replace(json_quote(substr("$path"."folder_path", 2)), '/', '","') || ']') as "$id"
  ), 0)) + 1`;

/** With a guard that it stays the next. */
export const nextPathId = () => guardedLookup('', sql`select ${NEXT_PATH_ID} as "next"`, ['next']);

/** Moves what is below a folder, after the folder itself. Concurrent writes of one below notice a later `updated_at`. */
export function moveWithin(from: string, to: string, now: number): readonly Statement[] {
  const later = sql`max(${now}, coalesce("updated_at", 0) + 1)`;
  const moved = (column: string): SQL => sql`${to} || substr(${sql.identifier(column)}, ${from.length + 1})`;
  return [
    updateRows('upload_folders', sql`"path" = ${moved('path')}, "updated_at" = ${later}`, isBelow('path', from)),
    updateRows('files', sql`"folder_path" = ${moved('folder_path')}`, isWithin('folder_path', from)),
  ].map(toStatement);
}
