/**
 * @module Folders of files. A path is made of the `path_id` of each folder: `/1/4`. Files name the path of theirs.
 */
import { type SQL, sql } from 'drizzle-orm';
import { assertion } from './assertions.ts';
import { CONFLICT } from './batch.ts';
import { type Compiled, query } from './compiled.ts';
import { type StoredFile, storedFile } from './files.ts';
import { valuesOf } from './pieces.ts';
import { toStatement } from './render.ts';
import type { Row, Statement } from './statement.ts';

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

const foldersWhere = (condition: SQL, limit: number): Compiled<readonly StoredFolder[]> =>
  query(toStatement(sql`select * from ${FOLDERS} where ${condition} order by "path" limit ${limit}`), (rows) =>
    rows.map(storedFolder),
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

/** Reads files of the folders of a path, in the order of their ids. @param after an id */
export const filesWithin = (path: string, after: number, limit: number): Compiled<readonly StoredFile[]> =>
  query(
    toStatement(sql`
      select "id", "document_id", "updated_at", "hash", "ext", "formats" from ${FILES}
      where ${isWithin('folder_path', path)} and "id" > ${after} order by "id" limit ${limit}`),
    (rows) => rows.map(storedFile),
  );

/** Aborts the batch if one of the files was changed, or is in no folder of the path. */
export function assertFilesWithin(path: string, files: readonly StoredFile[]): Statement {
  const known = JSON.stringify(files.map(({ id, updatedAt }) => [id, updatedAt]));
  return assertion(
    sql`not exists (select 1 from json_each(${known}) as "$known" where not exists (
      select 1 from ${FILES} where "id" = "$known"."value" ->> 0 and coalesce("updated_at", 0) = "$known"."value" ->> 1
        and ${isWithin('folder_path', path)}))`,
    CONFLICT,
  );
}

type Ids = readonly number[];

/** Aborts the batch if the folders of a path have other files and folders, too. */
export const assertOnly = (path: string, files: Ids, folders: Ids): Statement => {
  const isOther = (column: string, ids: Ids): SQL => sql`${isWithin(column, path)} and "id" not in ${valuesOf(ids)}`;
  return assertion(
    sql`not exists (select 1 from ${FILES} where ${isOther('folder_path', files)})
      and not exists (select 1 from ${FOLDERS} where ${isOther('path', folders)})`,
    CONFLICT,
  );
};

/** Aborts the batch if one of the folders has gone, or has another place, or another privacy. */
export function assertInPlace(folders: readonly StoredFolder[]): Statement {
  const known = JSON.stringify(folders.map(({ id, path, isPrivate }) => [id, path, isPrivate]));
  return assertion(
    sql`(
      select count(*) from json_each(${known}) as "$known"
      join ${FOLDERS} as "$folder" on "$folder"."id" = "$known"."value" ->> 0 and "$folder"."path" = "$known"."value" ->> 1
        and coalesce("$folder"."is_private", 0) = "$known"."value" ->> 2
    ) = ${folders.length}`,
    CONFLICT,
  );
}

/** Path of a folder. @param parent absent for one at the top */
export const pathWithin = (parent: Pick<StoredFolder, 'path'> | undefined, pathId: number): string =>
  `${parent?.path ?? ''}/${pathId}`;

const hasSibling = (name: string, parent: StoredFolder | undefined, id: number): SQL =>
  sql`exists (select 1 from ${FOLDERS} where "name" = ${name} and "path" = ${`${parent?.path ?? ''}/`} || "path_id" and "id" <> ${id})`;

/** Has a folder another one of this name beside it? @param id of the folder; 0 for a new one */
export const isNameTaken = (name: string, parent: StoredFolder | undefined, id: number): Compiled<boolean> =>
  query(toStatement(sql`select ${hasSibling(name, parent, id)} as "taken"`), ([row]) => row?.taken === 1);

export const assertNameFree = (name: string, parent: StoredFolder | undefined, id: number): Statement =>
  assertion(sql`not ${hasSibling(name, parent, id)}`, CONFLICT);

/** Files of earlier versions name folders without a row. */
const NEXT_PATH_ID = sql`max(
  coalesce((select max("path_id") from ${FOLDERS}), 0),
  coalesce((select max(cast(substr("folder_path", 2) as integer)) from ${FILES}), 0)) + 1`;

export const nextPathId: Compiled<number> = query(toStatement(sql`select ${NEXT_PATH_ID} as "next"`), ([row]) =>
  Number(row?.next),
);

export const assertNextPathId = (id: number): Statement => assertion(sql`${NEXT_PATH_ID} = ${id}`, CONFLICT);

/** Moves what is below a folder, after the folder itself. */
export function moveWithin(from: string, to: string, now: number): readonly Statement[] {
  const moved = (column: string): SQL => sql`${to} || substr(${sql.identifier(column)}, ${from.length + 1})`;
  return [
    toStatement(
      sql`update ${FOLDERS} set "path" = ${moved('path')}, "updated_at" = ${now} where ${isBelow('path', from)}`,
    ),
    toStatement(
      sql`update ${FILES} set "folder_path" = ${moved('folder_path')} where ${isWithin('folder_path', from)}`,
    ),
  ];
}
