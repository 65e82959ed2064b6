/**
 * @module The second reading of an archive: rows, bytes and links go to where they belong, each batch with the note of
 * how far the import has come.
 */
import type { Settings } from '../../config.ts';
import type { Registry } from '../../registry/model.ts';
import type { Statement } from '../../sql/statement.ts';
import { urlOf } from '../../upload/call.ts';
import type { Storage } from '../media/media-check.ts';
import { type Components, componentReader } from './components.ts';
import { clearStatements, recountStatements } from './content-tables.ts';
import { readEntries } from './entries.ts';
import { deleteStatements, type Gone } from './gone.ts';
import { inverseSets, inverseStatements } from './inverse-links.ts';
import { valuesOf } from './json-lines.ts';
import { type LinkJson, type LinkSet, linkRows, linkSets, ownedVersions } from './links.ts';
import { advanceStatement, finishStatement, type Marker, RENEWED } from './marker.ts';
import { newerRows } from './merge.ts';
import { objectWriter } from './objects.ts';
import { progressLine } from './progress-line.ts';
import { type Entity, entityOf } from './records.ts';
import type { Remarks } from './remarks.ts';
import type { TypesByUid } from './resolve-rows.ts';
import { type PlacedRole, roleStatements } from './role-rows.ts';
import { type RowContext, type RowForm, rowForm } from './rows.ts';
import { ROW } from './staging.ts';
import {
  dropMarkedStatement,
  LIST_CHARACTERS,
  linkStatement,
  markLinksStatement,
  type RowStatements,
  relinkStatements,
  rowStatements,
  unlinkStatement,
} from './statements.ts';
import type { Survey } from './survey.ts';
import { NO_WRITER, newWriter, type Writer } from './writer.ts';

export interface Taking {
  readonly survey: Survey;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly types: TypesByUid;
  readonly remarks: Remarks;
  readonly marker: Marker;
  /** In a merge: are rows taken that are as new as those here? */
  readonly orEqual: boolean;
  readonly roles: readonly PlacedRole[];
  readonly content: boolean;
  readonly files: boolean;
  /** Absent: nothing is written. */
  readonly storage?: Storage;
  /** What the source has no more. */
  readonly gone?: Gone;
}

export interface Taken {
  readonly rows: number;
  readonly kept: number;
  readonly links: number;
  readonly files: number;
}

type Counts = { -readonly [Name in keyof Taken]: Taken[Name] };

/** Rows of one type that go into the database together. */
interface Batch {
  readonly uid: string;
  readonly form: RowForm;
  readonly statements: RowStatements;
  readonly rows: { readonly entity: Entity; readonly json: string }[];
  characters: number;
}

const MOST_ROWS = 500;
const NOTHING: ReadonlySet<string> = new Set();

interface RowTaker {
  take(entity: Entity, line: number): Promise<void>;
  flush(): Promise<void>;
  readonly components: Components;
}

function rowContext({ survey, registry, settings, remarks, marker }: Taking): RowContext {
  return {
    components: componentReader(survey.staging, registry, remarks),
    remarks,
    now: marker.startedAt,
    urlOf: (key) => urlOf(key, settings.upload),
    hasObject: (key) => survey.uploads.has(key),
  };
}

function rowTaker(taking: Taking, writer: Writer, counts: Counts): RowTaker {
  const { survey, types, marker, storage, orEqual } = taking;
  const fromServer = survey.metadata.source !== undefined;
  const { staging } = survey;
  const context = rowContext(taking);
  const forms = new Map<string, Pick<Batch, 'uid' | 'form' | 'statements'>>();
  const find = staging.prepare('select document_id, locale, published, state from rows where type = ? and id = ?');
  let batch: Batch | undefined;
  let done = 0;

  const batchOf = (uid: string): Batch | undefined => {
    const type = types.get(uid);
    if (!type) return undefined;
    const form = rowForm(type, context);
    const options = { kept: fromServer ? form.untold : NOTHING, orEqual: fromServer };
    const known = forms.get(uid) ?? { uid, form, statements: rowStatements(type, form.columns, options) };
    forms.set(uid, known);
    return { ...known, rows: [], characters: 0 };
  };

  const flush = async (): Promise<void> => {
    if (!batch || batch.rows.length === 0) return;
    const { rows, statements, form, uid } = batch;
    batch = undefined;
    const merging = storage && marker.mode === 'merge';
    const taken = merging ? await newerRows(storage.db, staging, uid, form, rows, orEqual) : rows;
    counts.rows += taken.length;
    counts.kept += rows.length - taken.length;
    await writer.write([
      ...statements.insert(taken.map(({ json }) => json)),
      advanceStatement(marker.archive, 'rows', done),
      RENEWED,
    ]);
  };

  return {
    flush,
    components: context.components,
    async take(entity, line) {
      if (batch?.uid !== entity.type) {
        await flush();
        batch = batchOf(entity.type);
      }
      if (!batch) return;
      const row = find.get(staging.numberOf(entity.type), entity.id);
      if (!row || row.state === ROW.double) return;
      const version = {
        documentId: String(row.document_id),
        locale: String(row.locale),
        published: row.published === 1,
      };
      const json = JSON.stringify(batch.form.valuesOf(entity, version));
      batch.rows.push({ entity, json });
      batch.characters += json.length;
      done = line;
      if (batch.characters < LIST_CHARACTERS && batch.rows.length < MOST_ROWS) return;
      const { uid } = batch;
      await flush();
      batch = batchOf(uid);
    },
  };
}

/** Rows of a merge are always compared again: which of them were older is not in the note. */
const rowsAreThere = ({ stage, mode }: Marker): boolean => stage === 'links' && mode !== 'merge';

/** Reads the archive and takes its rows and bytes. */
async function takeRowsAndObjects(taking: Taking, writer: Writer, counts: Counts): Promise<void> {
  const { survey, marker, storage, settings, remarks } = taking;
  const line = progressLine('writing rows and files', survey.file.size);
  const taker = rowTaker(taking, writer, counts);
  const { staging } = survey;
  const objects =
    storage &&
    objectWriter({ bucket: storage.bucket, settings: settings.upload, staging, remarks, uploads: survey.uploads });
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
        if (number > skipped) await taker.take(entityOf(value, { name, line: at }), number);
      }
    }
    await taker.flush();
  }
  await writer.finish();
  await objects?.finish();
  if (taking.content && skipped === 0 && !rowsAreThere(marker)) taker.components.noteUnowned();
  line.done(`${counts.rows.toLocaleString('en')} row(s), ${counts.files.toLocaleString('en')} object(s)`);
}

const MOST_LINKS = 2_000;

/** Lists of values, as many at once as a statement takes. */
function* chunks<T>(values: Iterable<T>, most: number): Generator<readonly T[]> {
  let chunk: T[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < most) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** What sources that were taken had linked to goes; where a running Strapi is followed, when it is not linked again. */
async function unlink({ uid, source, table }: LinkSet, { survey }: Taking, writer: Writer): Promise<void> {
  const statement = survey.metadata.source ? markLinksStatement : unlinkStatement;
  for (const versions of chunks(ownedVersions(uid, source, survey.staging), MOST_LINKS))
    await writer.write([statement(table, versions), RENEWED]);
}

/** The links of one attribute. */
async function takeLinkSet(
  set: LinkSet,
  rows: Iterable<LinkJson>,
  taking: Taking,
  writer: Writer,
  advanced: Statement,
) {
  const follows = taking.marker.mode === 'merge' && taking.survey.metadata.source !== undefined;
  let count = 0;
  if (taking.marker.mode === 'merge') await unlink(set, taking, writer);
  for (const some of chunks(rows, MOST_LINKS)) {
    count += some.length;
    const statements = follows ? relinkStatements(set.table, some) : [linkStatement(set.table, some)];
    await writer.write([...statements, advanced, RENEWED]);
  }
  if (follows) await writer.write([dropMarkedStatement(set.table), RENEWED]);
  return count;
}

async function takeLinks(taking: Taking, writer: Writer, counts: Counts): Promise<void> {
  const { survey, types, marker, remarks } = taking;
  const line = progressLine('writing links', 0);
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
  line.done(`${counts.links.toLocaleString('en')} link(s)`);
}

/** What changed documents show of links that others own, and what is no more. */
async function followSource(taking: Taking, writer: Writer): Promise<void> {
  const { storage, survey, types, registry, gone } = taking;
  if (!storage || taking.marker.mode !== 'merge' || !survey.metadata.source) return;
  for (const set of inverseSets(linkSets(types), types))
    for await (const statements of inverseStatements(storage.db, set, survey.staging))
      await writer.write([...statements, RENEWED]);
  for (const statements of deleteStatements(gone ?? new Map(), registry)) await writer.write([...statements, RENEWED]);
  await writer.finish();
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
    await followSource(taking, writer);
    await writer.write([...recountStatements(registry), finishStatement(marker.archive, Date.now()), RENEWED]);
  } else await writer.write([finishStatement(marker.archive, Date.now())]);
  await writer.finish();
  return counts;
}
