/**
 * @module The second reading of an archive: rows, bytes and links go to where they belong, each batch with the note of
 * how far the import has come.
 */
import type { Statement } from '../../sql/statement.ts';
import { readEntries } from '../core/archive/entries.ts';
import { valuesOf } from '../core/archive/json-lines.ts';
import { counted, listed } from '../core/counted.ts';
import { progressLine } from '../core/progress-line.ts';
import { listsOf } from '../core/sql/row-lists.ts';
import { NO_WRITER, newWriter, type Writer } from '../core/sql/writer.ts';
import { assetWriter } from './assets.ts';
import { clearStatements, recountStatements } from './content-tables.ts';
import { type LinkSet, linkRows, linkSets, ownedVersions } from './links.ts';
import { advanceStatement, finishStatement, type Marker, RENEWED } from './marker.ts';
import { readEntity } from './records.ts';
import { roleStatements } from './role-rows.ts';
import { linkInserter, unlinkStatement } from './statements.ts';
import { rowTaker } from './take-rows.ts';
import type { Counts, Taken, Taking } from './taking.ts';

/** Rows of a merge are always compared again: which of them were older is not in the note. */
const rowsAreThere = ({ stage, mode }: Marker): boolean => stage === 'links' && mode !== 'merge';

/** Without a database, the archive is only checked. */
const verb = ({ storage }: Taking) =>
  storage ? { doing: 'importing', done: 'imported' } : { doing: 'checking', done: 'checked' };

/** Reads the archive and takes its rows and bytes. */
async function takeRowsAndObjects(taking: Taking, writer: Writer, counts: Counts): Promise<void> {
  const { survey, marker, storage, settings, remarks } = taking;
  const line = progressLine({ name: verb(taking).doing, thing: 'row', bytes: survey.file.size });
  const taker = rowTaker(taking, writer, counts);
  const { staging } = survey;
  const objects =
    storage &&
    assetWriter({ bucket: storage.bucket, settings: settings.upload, staging, remarks, uploads: survey.uploads });
  const skipped = marker.stage === 'rows' && marker.mode !== 'merge' ? marker.done : 0;
  let number = 0;
  for await (const entry of readEntries(survey.file, line.advance)) {
    const { is, name } = entry;
    if (is.kind === 'upload' && taking.files) {
      counts.files += 1;
      await objects?.put(entry, is.key);
    }
    if (is.kind !== 'lines' || is.stage !== 'entities' || !taking.content || rowsAreThere(marker)) continue;
    for await (const values of valuesOf(entry.bytes, name)) {
      line.count(values.length);
      for (const [value, at] of values) {
        number += 1;
        if (number > skipped) await taker.take(readEntity(value, { name, line: at }), number);
      }
    }
    await taker.flush();
  }
  await writer.finish();
  await objects?.finish();
  if (taking.content && skipped === 0 && !rowsAreThere(marker)) taker.components.noteUnowned();
  line.done(`${verb(taking).done} ${listed([counted(counts.rows, 'row'), counted(counts.files, 'file')])}`);
}

/** Deletes the links that rows which were taken own in the database. */
async function unlink({ uid, source, table }: LinkSet, { survey }: Taking, writer: Writer): Promise<void> {
  for (const versions of listsOf(
    ownedVersions(uid, source, survey.staging),
    (version) => JSON.stringify(version).length,
  ))
    await writer.write([unlinkStatement(table, versions), RENEWED]);
}

/** The links of one attribute. */
async function takeLinkSet(set: LinkSet, rows: Iterable<string>, taking: Taking, writer: Writer, advanced: Statement) {
  const insert = linkInserter(set.table);
  let count = 0;
  if (taking.marker.mode === 'merge') await unlink(set, taking, writer);
  for (const some of listsOf(rows, (json) => json.length)) {
    count += some.length;
    await writer.write([...insert(some), advanced, RENEWED]);
  }
  return count;
}

async function takeLinks(taking: Taking, writer: Writer, counts: Counts): Promise<void> {
  const { survey, types, marker, remarks } = taking;
  const line = progressLine({ name: `${verb(taking).doing} links`, thing: 'link' });
  const roles = new Map(taking.roles.map(({ documentId, here }) => [documentId, here.documentId]));
  const context = { staging: survey.staging, types, remarks, roles };
  const skipped = marker.stage === 'links' && marker.mode !== 'merge' ? marker.done : 0;
  for (const [index, set] of linkSets(types).entries()) {
    if (index < skipped) continue;
    const advanced = advanceStatement(marker.archive, 'links', index);
    const count = await takeLinkSet(set, linkRows(set, context), taking, writer, advanced);
    counts.links += count;
    line.count(count);
  }
  await writer.finish();
  line.done(`${verb(taking).done} ${counted(counts.links, 'link')}`);
}

/** Takes everything that was asked for; the note of the import says at each moment how much of it is there. */
export async function takeArchive(taking: Taking): Promise<Taken> {
  const { storage, marker, registry, roles } = taking;
  const writer = storage ? newWriter(storage.db) : NO_WRITER;
  const counts: Counts = { rows: 0, kept: 0, links: 0, files: 0 };
  if (marker.stage === 'clear')
    await writer.write([...clearStatements(registry), advanceStatement(marker.archive, 'rows', 0), RENEWED]);
  await takeRowsAndObjects(taking, writer, counts);
  if (taking.content) {
    await writer.write([...roleStatements(roles, marker.startedAt), advanceStatement(marker.archive, 'links', 0)]);
    await takeLinks(taking, writer, counts);
    await writer.write([...recountStatements(registry), finishStatement(marker.archive, Date.now()), RENEWED]);
  } else await writer.write([finishStatement(marker.archive, Date.now())]);
  await writer.finish();
  return counts;
}
