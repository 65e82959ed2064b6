/**
 * @module Writes the rows, bytes and links of an archive, each batch with the progress of the import.
 */

import { httpMetadataOf } from '../../src/features/files/storage.ts';
import { PICTURE_TABLE } from '../../src/schema/names.ts';
import { isUpload, readEntries } from '../core/archive/entries.ts';
import type { ContentCounts } from '../core/content-counts.ts';
import { progressLine } from '../core/progress-line.ts';
import { hasTable } from '../core/sql/database.ts';
import { listsOf, rowInserter } from '../core/sql/row-lists.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { runBatch } from '../core/sql/statements.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { objectWriter } from '../core/storage/objects.ts';
import { dropPictures } from '../media/drop-pictures.ts';
import { roleStatements } from './archive-settings.ts';
import { linkRows, linkSets } from './links.ts';
import { clearStatements, type ImportRun, importWriter, recountStatements, type Write } from './marker.ts';
import type { Survey } from './survey.ts';
import { writeRows } from './write-rows.ts';

/** What can be served; see `GET /uploads/:key`. */
const KEY = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,512}$/;

/** Returns key → type of the objects that can be served, and leaves out the others. */
function servedObjects({ staging, uploads, leftOut }: Survey): ReadonlyMap<string, string> {
  const select = staging.prepare('select mime from objects where key = ?');
  const served = new Map<string, string>();
  for (const key of uploads.keys()) {
    const found = select.get(key);
    if (!found) leftOut.add('bytes of a file that the archive does not name', { files: 1 });
    else if (KEY.test(key)) served.set(key, String(found.mime) || 'application/octet-stream');
    else leftOut.add(`${JSON.stringify(key.slice(0, 80))}, a name that cannot be served`, { files: 1 });
  }
  return served;
}

/** Reads the archive a second time and stores the bytes of files under the keys that the file rows have. */
async function writeObjects({ survey, storage, settings }: ImportRun): Promise<number> {
  const { file, uploads } = survey;
  const served = servedObjects(survey);
  if (!storage || served.size === 0) return served.size;
  const line = progressLine({ name: 'importing files', thing: 'file', bytes: file.size });
  const { put, finish } = objectWriter(storage.bucket);
  for await (const { is, size, bytes } of readEntries(file, ({ length }) => line.advance(length))) {
    const mime = isUpload(is) ? served.get(is.key) : undefined;
    if (!isUpload(is) || mime === undefined) continue;
    const notes = { httpMetadata: httpMetadataOf(mime, settings.upload) };
    await put({ key: is.key, size, bytes, notes }, uploads.get(is.key));
    line.count(1);
  }
  await finish();
  line.done('imported the files');
  return served.size;
}

const LINK_COLUMNS = [
  'source_document_id',
  'source_locale',
  'target_document_id',
  'target_locale',
  'status',
  'position',
  'inverse_position',
] as const;

/** @param done the number of sets of links that are written already @returns the number of all links */
async function writeLinks({ survey, types, storage }: ImportRun, done: number, write: Write): Promise<number> {
  const verb = storage ? 'import' : 'check';
  const line = progressLine({ name: `${verb}ing links`, thing: 'link' });
  let count = 0;
  for (const [index, set] of linkSets(types).entries()) {
    // After an interruption, links of this set may exist already.
    const columns = set.targetUid === undefined ? [...LINK_COLUMNS, 'target_type'] : LINK_COLUMNS;
    const insert = rowInserter(set.table, columns, 'on conflict do nothing');
    for (const some of listsOf(linkRows(set, survey))) {
      if (index >= done) await write(insert(some), 'links', index);
      count += some.length;
      line.count(some.length);
    }
  }
  line.done(`${verb}ed the links`);
  return count;
}

/** Deletes the pictures on request of the replaced files, and their claims, so that they are made of the new ones. */
async function dropFormerPictures({ db, bucket }: Storage): Promise<void> {
  await dropPictures(bucket, new Set());
  if (await hasTable(db, PICTURE_TABLE)) await runBatch(db, [`delete from ${identifier(PICTURE_TABLE)}`]);
}

/** Writes the selected groups of an archive. The row of the import records the progress. @returns what is imported. */
export async function writeContent(importRun: ImportRun): Promise<ContentCounts> {
  const { storage, marker, registry, roles } = importRun;
  const { stage, done, groups, mode } = marker;
  const [content, files] = [groups.includes('content'), groups.includes('files')];
  const write = importWriter(storage?.db, marker);
  if (stage === 'clear') await write(content ? clearStatements(registry, marker.startedAt) : [], 'rows');
  const doneRows = stage === 'links' ? Number.POSITIVE_INFINITY : done;
  const rows = content ? await writeRows(importRun, doneRows, write) : undefined;
  const objects = files ? await writeObjects(importRun) : 0;
  if (storage && mode === 'replace' && (content || files)) await dropFormerPictures(storage);
  if (content) await write(roleStatements(roles, marker.startedAt), 'links', stage === 'links' ? done : 0);
  const links = rows ? rows.links + (await writeLinks(importRun, stage === 'links' ? done : 0, write)) : 0;
  await write(content ? recountStatements(registry) : [], 'done');
  return { documents: rows?.documents ?? 0, versions: rows?.versions ?? 0, links, files: objects };
}
