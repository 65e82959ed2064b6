/**
 * @module Builds the folders of the media library from the paths of files, and writes their bytes.
 */
import { FOLDER_UID } from '../../registry/plugin-schemas.ts';
import { FILE_UID } from '../../registry/system-types.ts';
import type { ArchiveWriter } from '../core/archive/archive-writer.ts';
import { madeUpDocumentId, objectKey } from '../core/archive/names.ts';
import { chunksOf } from '../core/storage/objects.ts';
import type { RowIndex } from './row-index.ts';

export interface FileEntity {
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Returns folders, parents first. Edgewise stores their paths alone, so their names are numbers. */
export function folderLines(paths: Iterable<string>, now: string, index: RowIndex): readonly object[] {
  const all = new Set<string>();
  for (const path of paths) for (let at = path; /^(\/\d+)+$/.test(at); at = parentOf(at)) all.add(at);
  return [...all].sort().map((path) => {
    const id = index.nextId(FOLDER_UID);
    const pathId = Number(path.slice(path.lastIndexOf('/') + 1));
    index.add(FOLDER_UID, id, path, '', 'published');
    const parent = index.find(FOLDER_UID, parentOf(path), '', 'published');
    if (parent !== undefined)
      index.keep({
        kind: 'relation.circular',
        relation: 'manyToOne',
        left: { type: FOLDER_UID, field: 'parent', ref: id },
        right: { type: FOLDER_UID, field: 'children', ref: parent, pos: id },
      });
    const documentId = madeUpDocumentId(FOLDER_UID, pathId);
    const times = { createdAt: now, updatedAt: now, publishedAt: now, locale: null };
    return { type: FOLDER_UID, id, data: { documentId, name: `Folder ${pathId}`, pathId, path, ...times } };
  });
}

export function keepFolder({ id, data }: FileEntity, index: RowIndex): void {
  const folder = index.find(FOLDER_UID, String(data.folderPath), '', 'published');
  if (folder === undefined) return;
  index.keep({
    kind: 'relation.basic',
    relation: 'manyToOne',
    left: { type: FILE_UID, field: 'folder', ref: id },
    right: { type: FOLDER_UID, field: 'files', ref: folder, pos: id },
  });
}

type Json = Readonly<Record<string, unknown>>;

async function writeObject(archive: ArchiveWriter, bucket: R2Bucket, sidecar: Json): Promise<boolean> {
  const key = objectKey(sidecar);
  const object = await bucket.get(key);
  if (!object) return false;
  await archive.file(`assets/metadata/${key}.json`, Buffer.from(JSON.stringify(sidecar)));
  await archive.stream(`assets/uploads/${key}`, object.size, chunksOf(object.body));
  return true;
}

/**
 * Writes the bytes of a file and of its formats, each after its metadata.
 * @returns how many objects were written, and how many are missing.
 */
export async function writeBytes(archive: ArchiveWriter, bucket: R2Bucket, { id, data }: FileEntity) {
  const formats = Object.entries((data.formats ?? {}) as Readonly<Record<string, Json>>);
  const sidecars = [
    { ...data, id },
    ...formats.map(([type, format]) => ({ ...format, type, id, mainHash: data.hash })),
  ];
  let missing = 0;
  for (const sidecar of sidecars) if (!(await writeObject(archive, bucket, sidecar))) missing += 1;
  return { written: sidecars.length - missing, missing };
}
