/**
 * @module Counts what the files of a deployment take: bytes by folder and type, files that nothing uses, transformations
 * this month.
 */

import { keysOf } from '../../src/features/files/call.ts';
import { isPrivateKey } from '../../src/features/files/names.ts';
import type { StoredFile } from '../../src/features/files/sql/files.ts';
import type { Registry } from '../../src/schema/model.ts';
import { FILE_UID, FOLDER_UID } from '../../src/schema/system-types.ts';
import { hasTable } from '../core/sql/database.ts';
import { pages } from '../core/sql/pages.ts';
import { runOne } from '../core/sql/statements.ts';
import { archivedTypes, linkTablesOf } from '../core/sql/type-tables.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { listObjects } from '../core/storage/objects.ts';
import { progress } from '../core/terminal.ts';
import { ownerKey, readFiles } from './find-mismatches.ts';

export interface Sum {
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
}

const ROOT = '/';

/** Path → `Photos/2026` */
async function folderNames(db: D1Database): Promise<ReadonlyMap<string, string>> {
  const names = new Map([[ROOT, ROOT]]);
  if (!(await hasTable(db, 'upload_folders'))) return names;
  const rows = await runOne(db, 'select "path", "name" from "upload_folders" order by length("path")');
  for (const { path, name } of rows) {
    const parent = names.get(String(path).replace(/\/\d+$/, ''));
    names.set(String(path), parent === undefined ? String(name) : `${parent}/${name}`);
  }
  return names;
}

/** The tables whose rows use files, by link, in a component or in a text. */
function usingTables(registry: Registry): readonly string[] {
  const types = archivedTypes(registry);
  const content = types.filter(({ uid }) => uid !== FILE_UID && uid !== FOLDER_UID).map(({ table }) => table);
  return [...content, ...types.flatMap((type) => [...linkTablesOf(type).values()])];
}

/** Returns the files whose documentId or key no row has. A key in a text, such as a picture of a rich text, counts. */
async function unusedOf(
  db: D1Database,
  files: readonly StoredFile[],
  registry: Registry,
): Promise<readonly StoredFile[]> {
  const names = new Map(files.flatMap((file) => [file.documentId, ...keysOf(file)].map((name) => [name, file])));
  const used = new Set<StoredFile>();
  for (const table of usingTables(registry))
    for await (const rows of pages(db, table))
      for (const [name] of JSON.stringify(rows).matchAll(/[\w.-]+/g)) {
        // A sentence may end in an address.
        const file = names.get(name) ?? names.get(name.replace(/[._-]+$/, ''));
        if (file) used.add(file);
      }
  return files.filter((file) => !used.has(file));
}

/** @param now of the month in UTC */
async function transformationsOf(db: D1Database, now: Date): Promise<number | undefined> {
  if (!(await hasTable(db, 'edgewise_picture_months'))) return undefined;
  const sql = 'select "transformations" from "edgewise_picture_months" where "month" = ?';
  const [row] = await runOne(db, { sql, params: [now.toISOString().slice(0, 7)] });
  return Number(row?.transformations ?? 0);
}

/** Reads what the files of a deployment take. Changes nothing. */
export async function countUsage({ db, bucket }: Storage, registry: Registry, now = new Date()) {
  const files = await readFiles(db, progress);
  const sizes = new Map<string, number>();
  for (const { key, size } of await listObjects(bucket)) {
    const owner = ownerKey(key);
    sizes.set(owner, (sizes.get(owner) ?? 0) + size);
  }
  /** Of the file, its formats and the pictures that were made of it. */
  const bytesOf = (file: StoredFile) => keysOf(file).reduce((sum, key) => sum + (sizes.get(key) ?? 0), 0);
  const sumsBy = (nameOf: (file: StoredFile) => string): readonly Sum[] =>
    [...Map.groupBy(files, nameOf)]
      .map(([name, own]) => ({ name, files: own.length, bytes: own.reduce((sum, file) => sum + bytesOf(file), 0) }))
      .toSorted((a, b) => b.bytes - a.bytes);
  const folders = await folderNames(db);
  const transformations = await transformationsOf(db, now);
  return {
    folders: sumsBy(({ row }) => {
      const path = String(row.folder_path ?? ROOT);
      return folders.get(path) ?? path;
    }),
    types: sumsBy(({ row }) => String(row.mime)),
    access: sumsBy(({ hash }) => (isPrivateKey(hash) ? 'private' : 'public')),
    unused: (await unusedOf(db, files, registry)).map((file) => ({
      ...{ id: file.id, name: String(file.row.name), bytes: bytesOf(file) },
    })),
    ...(transformations !== undefined && { transformationsThisMonth: transformations }),
  };
}
