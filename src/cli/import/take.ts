/**
 * @module Rows, bytes and links of an archive go to where they belong, each batch with the note of how far the import has
 * come.
 */
import type { Settings } from '../../config.ts';
import { httpMetadataOf } from '../../upload/storage.ts';
import { type Entry, readEntries } from '../core/archive/entries.ts';
import { counted } from '../core/counted.ts';
import { progressLine } from '../core/progress-line.ts';
import { runBatch, type Write } from '../core/sql/database.ts';
import { listsOf, rowInserter } from '../core/sql/row-lists.ts';
import { objectWriter } from '../core/storage/objects.ts';
import { linkRows, linkSets } from './links.ts';
import { advanceStatement, clearStatements, finishStatement, RENEWED, recountStatements } from './marker.ts';
import { roleStatements } from './settings-of.ts';
import type { Survey } from './survey.ts';
import { takeRows } from './take-rows.ts';
import type { Counts, Taking } from './taking.ts';

/** What can be served; see `GET /uploads/:key`. */
const KEY = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,512}$/;

/** Puts bytes under the names that the file rows have. */
function assetWriter(bucket: R2Bucket, survey: Survey, settings: Settings['upload']) {
  const { staging, remarks, uploads } = survey;
  const { put, finish } = objectWriter(bucket);
  const select = staging.prepare('select mime from objects where key = ?');
  return {
    finish,
    async put({ size, bytes }: Entry, key: string): Promise<void> {
      const found = select.get(key);
      if (!found) return remarks.note('bytes of a file that the archive does not name; not taken');
      if (!KEY.test(key))
        return remarks.note(`${JSON.stringify(key.slice(0, 80))}: a name that cannot be served; not taken`);
      const mime = String(found.mime) || 'application/octet-stream';
      await put({ key, size, bytes, notes: { httpMetadata: httpMetadataOf(mime, settings) } }, uploads.get(key));
    },
  };
}

/** Reads the archive a second time, for the bytes of files. */
async function takeObjects({ survey, storage, settings, files }: Taking, counts: Counts): Promise<void> {
  if (!files || survey.uploads.size === 0) return;
  counts.files = survey.uploads.size;
  if (!storage) return;
  const line = progressLine({ name: 'importing files', thing: 'file', bytes: survey.file.size });
  const objects = assetWriter(storage.bucket, survey, settings.upload);
  for await (const entry of readEntries(survey.file, ({ length }) => line.advance(length)))
    if (entry.is.kind === 'upload') {
      await objects.put(entry, entry.is.key);
      line.count(1);
    }
  await objects.finish();
  line.done(`imported ${counted(counts.files, 'file')}`);
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

/** @param done sets of links up to this one are there already. */
async function takeLinks(taking: Taking, verb: string, done: number, write: Write, counts: Counts): Promise<void> {
  const { types, marker } = taking;
  const line = progressLine({ name: `${verb}ing links`, thing: 'link' });
  for (const [index, set] of linkSets(types).entries()) {
    if (index < done) continue;
    // A link that is there already stays as it is.
    const columns = set.targetUid === undefined ? [...LINK_COLUMNS, 'target_type'] : LINK_COLUMNS;
    const insert = rowInserter(set.table, columns, 'on conflict do nothing');
    for (const some of listsOf(linkRows(set, taking))) {
      await write([...insert(some), advanceStatement(marker.archive, 'links', index), RENEWED]);
      counts.links += some.length;
      line.count(some.length);
    }
  }
  line.done(`${verb}ed ${counted(counts.links, 'link')}`);
}

/** Takes everything that was asked for; the note of the import says at each moment how much of it is there. */
export async function takeArchive(taking: Taking): Promise<Readonly<Counts>> {
  const { storage, marker, registry, roles } = taking;
  // Without a database, the archive is only checked.
  const verb = storage ? 'import' : 'check';
  // Rows of a merge are always compared again: which of them were older is not in the note.
  const done = marker.mode === 'merge' ? { rows: 0, links: 0 } : { rows: 0, links: 0, [marker.stage]: marker.done };
  const write: Write = async (statements) => storage && runBatch(storage.db, statements);
  const counts: Counts = { rows: 0, kept: 0, links: 0, files: 0 };
  if (marker.stage === 'clear')
    await write([...clearStatements(registry), advanceStatement(marker.archive, 'rows', 0), RENEWED]);
  if (taking.content && (marker.stage !== 'links' || marker.mode === 'merge'))
    await takeRows(taking, verb, done.rows, write, counts);
  await takeObjects(taking, counts);
  if (taking.content) {
    await write([...roleStatements(roles, marker.startedAt), advanceStatement(marker.archive, 'links', 0)]);
    await takeLinks(taking, verb, done.links, write, counts);
    await write([...recountStatements(registry), finishStatement(marker.archive, Date.now()), RENEWED]);
  } else await write([finishStatement(marker.archive, Date.now())]);
  return counts;
}
