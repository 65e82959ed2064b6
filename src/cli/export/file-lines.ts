/**
 * @module Builds the folders of the media library from the paths of files, and writes their bytes.
 */
import { isObject, type JsonObject } from '../../json.ts';
import type { ContentType } from '../../registry/model.ts';
import { FOLDER_UID } from '../../registry/plugin-schemas.ts';
import { FILE_UID, systemType } from '../../registry/system-types.ts';
import type { Row } from '../../sql/statement.ts';
import type { ArchiveWriter } from '../core/archive/archive-writer.ts';
import { madeUpDocumentId, objectKey } from '../core/archive/names.ts';
import type { ProgressLine } from '../core/progress-line.ts';
import type { Content } from './content.ts';
import { entityOf } from './entity-lines.ts';

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Path → id of each folder, parents first. */
function foldersOf(paths: readonly string[]): ReadonlyMap<string, number> {
  const all = new Set<string>();
  for (const path of paths) for (let at = path; /^(\/\d+)+$/.test(at); at = parentOf(at)) all.add(at);
  return new Map([...all].sort().map((path, index) => [path, index + 1]));
}

interface End {
  readonly type: string;
  readonly field: string;
  readonly ref: number;
}

/** Returns folders and keeps their links. Edgewise stores their paths alone, so their names are numbers. */
export function folderLines({ registry, rowsOf, keep }: Content, now: string): readonly object[] {
  const rows = rowsOf(systemType(registry, FILE_UID));
  const files = Array.from(rows, ({ id, folder_path: path }) => ({ id: Number(id), path: String(path) }));
  const folders = foldersOf(files.map(({ path }) => path));
  const link = (kind: string, left: End, field: string, path: string): void => {
    const ref = folders.get(path);
    if (ref === undefined) return;
    const right = { type: FOLDER_UID, field, ref, pos: left.ref };
    keep({ kind: `relation.${kind}`, relation: 'manyToOne', left, right });
  };
  for (const { id, path } of files) link('basic', { type: FILE_UID, field: 'folder', ref: id }, 'files', path);
  return [...folders].map(([path, id]) => {
    link('circular', { type: FOLDER_UID, field: 'parent', ref: id }, 'children', parentOf(path));
    const pathId = Number(path.slice(path.lastIndexOf('/') + 1));
    const documentId = madeUpDocumentId(FOLDER_UID, pathId);
    const times = { createdAt: now, updatedAt: now, publishedAt: now, locale: null };
    return { type: FOLDER_UID, id, data: { documentId, name: `Folder ${pathId}`, pathId, path, ...times } };
  });
}

/** What is said of the bytes of a file, and of each of its formats. */
function sidecarsOf(row: Row, fileType: ContentType, content: Content): readonly JsonObject[] {
  const { id, data } = entityOf(row, fileType, content);
  const formats = isObject(data.formats) ? Object.entries(data.formats) : [];
  const ofFormats = formats.map(([type, format]) => ({ ...(format as JsonObject), type, id, mainHash: data.hash }));
  return [{ ...data, id }, ...ofFormats];
}

/**
 * Writes the bytes of files and of their formats, each after its metadata.
 * @returns how many objects were written, and how many are missing.
 */
export async function writeAssets(content: Content, bucket: R2Bucket, archive: ArchiveWriter, line: ProgressLine) {
  const counts = { objects: 0, missing: 0 };
  const type = systemType(content.registry, FILE_UID);
  for (const row of content.rowsOf(type))
    for (const sidecar of sidecarsOf(row, type, content)) {
      const key = objectKey(sidecar);
      const object = await bucket.get(key);
      line.count(0);
      counts[object ? 'objects' : 'missing'] += 1;
      if (!object) continue;
      await archive.file(`assets/metadata/${key}.json`, Buffer.from(JSON.stringify(sidecar)));
      await archive.stream(`assets/uploads/${key}`, object.size, object.body);
    }
  return counts;
}
