/**
 * @module Writes the rows, bytes and links of an archive, each batch with the progress of the import.
 */
import { httpMetadataOf } from '../../src/upload/storage.ts';
import { readEntries } from '../core/archive/entries.ts';
import { counted } from '../core/counted.ts';
import { progressLine } from '../core/progress-line.ts';
import { listsOf, rowInserter } from '../core/sql/row-lists.ts';
import { objectWriter } from '../core/storage/objects.ts';
import { linkRows, linkSets } from './links.ts';
import { clearStatements, type ImportRun, importWriter, recountStatements, type Write } from './marker.ts';
import { roleStatements } from './settings-of.ts';
import { writeRows } from './write-rows.ts';

/** What can be served; see `GET /uploads/:key`. */
const KEY = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,512}$/;

/** Reads the archive a second time and stores the bytes of files under the keys that the file rows have. */
async function writeObjects({ survey, storage, settings, files }: ImportRun): Promise<number> {
  const { file, staging, warnings, uploads } = survey;
  const count = files ? uploads.size : 0;
  if (!storage || count === 0) return count;
  const line = progressLine({ name: 'importing files', thing: 'file', bytes: file.size });
  const { put, finish } = objectWriter(storage.bucket);
  const select = staging.prepare('select mime from objects where key = ?');
  for await (const { is, size, bytes } of readEntries(file, ({ length }) => line.advance(length))) {
    if (is.kind !== 'upload') continue;
    const { key } = is;
    const found = select.get(key);
    if (!found) warnings.add('bytes of a file that the archive does not name; not taken');
    else if (KEY.test(key)) {
      const mime = String(found.mime) || 'application/octet-stream';
      await put({ key, size, bytes, notes: { httpMetadata: httpMetadataOf(mime, settings.upload) } }, uploads.get(key));
    } else warnings.add(`${JSON.stringify(key.slice(0, 80))}: a name that cannot be served; not taken`);
    line.count(1);
  }
  await finish();
  line.done(`imported ${counted(count, 'file')}`);
  return count;
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

/** @param done the number of sets of links that are written already @returns the number of links */
async function writeLinks({ survey, types, storage }: ImportRun, done: number, write: Write): Promise<number> {
  const verb = storage ? 'import' : 'check';
  const line = progressLine({ name: `${verb}ing links`, thing: 'link' });
  let count = 0;
  for (const [index, set] of linkSets(types).entries()) {
    if (index < done) continue;
    // After an interruption, links of this set may exist already.
    const columns = set.targetUid === undefined ? [...LINK_COLUMNS, 'target_type'] : LINK_COLUMNS;
    const insert = rowInserter(set.table, columns, 'on conflict do nothing');
    for (const some of listsOf(linkRows(set, survey))) {
      await write(insert(some), 'links', index);
      count += some.length;
      line.count(some.length);
    }
  }
  line.done(`${verb}ed ${counted(count, 'link')}`);
  return count;
}

/** Writes the selected groups of an archive. The row of the import records the progress. @returns counts */
export async function writeContent(importRun: ImportRun) {
  const { storage, marker, registry, roles, content } = importRun;
  const { stage } = marker;
  const write = importWriter(storage?.db, marker);
  const done = { rows: 0, links: 0, [stage]: marker.done };
  if (stage === 'clear') await write(clearStatements(registry), 'rows');
  const rows = content && stage !== 'links' ? await writeRows(importRun, done.rows, write) : 0;
  const files = await writeObjects(importRun);
  if (content) await write(roleStatements(roles, marker.startedAt), 'links');
  const links = content ? await writeLinks(importRun, done.links, write) : 0;
  await write(content ? recountStatements(registry) : [], 'done');
  return { rows, files, links };
}

export type Counts = Readonly<Awaited<ReturnType<typeof writeContent>>>;
