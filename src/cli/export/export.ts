/**
 * @module Exports the content of a deployment as an archive that `strapi import` takes.
 */
import type { Settings } from '../../config.ts';
import type { Registry } from '../../registry/model.ts';
import { FILE_UID, systemType, USER_UID } from '../../registry/system-types.ts';
import { type ArchiveWriter, writeArchive } from '../core/archive/archive-writer.ts';
import type { Stage } from '../core/archive/entries.ts';
import { counted, listed } from '../core/counted.ts';
import { type ProgressLine, progressLine } from '../core/progress-line.ts';
import { openCopies } from '../core/sql/copies.ts';
import { archivedTypes } from '../core/sql/type-tables.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { readSchemaFiles } from '../project/project.ts';
import { type Content, contentOf, exportedTables } from './content.ts';
import { entityOf } from './entity-lines.ts';
import { type FileEntity, folderLines, writeBytes } from './file-lines.ts';
import { linkLines } from './link-lines.ts';
import { schemaLines } from './schema-lines.ts';
import { configurationLines, localeLines, permissionLines, roleLines } from './setting-lines.ts';

/** The version of Strapi whose format the archive has. */
const VERSION = '5.54.0';

export interface ExportOptions {
  readonly path: string;
  readonly passphrase?: string;
  /** Leaves out the bytes of files. */
  readonly withoutFiles: boolean;
}

interface Exporting extends ExportOptions {
  readonly root: string;
  readonly storage: Storage;
  readonly registry: Registry;
  readonly settings: Settings;
}

const NO_COUNTS = {
  rows: 0,
  links: 0,
  objects: 0,
  /** Objects that files name and the bucket lacks. */
  missing: 0,
  /** Users whose password Strapi cannot check. */
  newPasswords: 0,
};

export type Exported = Readonly<typeof NO_COUNTS>;

interface Work extends Exporting {
  readonly archive: ArchiveWriter;
  readonly content: Content;
  readonly now: string;
  readonly line: ProgressLine;
  readonly counts: typeof NO_COUNTS;
}

const PART_CHARACTERS = 16_000_000;

/** Gathers lines into parts, since a tar says the size of a file before its bytes. @returns the number of lines. */
async function writeStage({ archive, line }: Work, stage: Stage, values: Iterable<object>): Promise<number> {
  let [lines, characters, part, count]: [string[], number, number, number] = [[], 0, 0, 0];
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    part += 1;
    await archive.file(`${stage}/${stage}_${String(part).padStart(5, '0')}.jsonl`, Buffer.from(lines.join('\n')));
    [lines, characters] = [[], 0];
  };
  for (const value of values) {
    const text = JSON.stringify(value);
    if (characters + text.length > PART_CHARACTERS) await flush();
    lines.push(text);
    characters += text.length + 1;
    count += 1;
    line.count(1);
  }
  await flush();
  return count;
}

function* entities({ registry, settings, content, now, counts }: Work): Generator<object> {
  yield* folderLines(content, now);
  yield* localeLines(settings, now);
  yield* permissionLines(content, now);
  yield* roleLines(content, now);
  for (const type of archivedTypes(registry))
    for (const row of content.rowsOf(type)) {
      if (type.uid === USER_UID && String(row.password).startsWith('scrypt$')) counts.newPasswords += 1;
      counts.rows += 1;
      yield entityOf(row, type, content);
    }
}

function* links({ registry, content }: Work): Generator<object> {
  yield* content.keptLinks();
  for (const type of archivedTypes(registry)) yield* linkLines(type, content);
}

async function writeAssets(work: Work): Promise<void> {
  const { registry, storage, archive, content, counts, line } = work;
  const type = systemType(registry, FILE_UID);
  for (const row of content.rowsOf(type)) {
    const { written, missing } = await writeBytes(archive, storage.bucket, entityOf(row, type, content) as FileEntity);
    counts.objects += written;
    counts.missing += missing;
    line.count(0);
  }
}

async function writeStages(work: Work): Promise<void> {
  const { root, registry, archive, settings, now, withoutFiles } = work;
  const tableOf = (name: string) => registry.contentTypes.get(`api::${name}.${name}`)?.table ?? name;
  await writeStage(work, 'schemas', schemaLines((await readSchemaFiles(root)).files, tableOf));
  await writeStage(work, 'entities', entities(work));
  if (!withoutFiles) await writeAssets(work);
  work.counts.links = await writeStage(work, 'links', links(work));
  await writeStage(work, 'configuration', configurationLines(settings));
  const metadata = { createdAt: now, strapi: { version: VERSION } };
  await archive.file('metadata.json', Buffer.from(JSON.stringify(metadata, null, 2)));
}

/** Writes the archive. Rows that are written meanwhile may be missing from it. */
export async function exportArchive(exporting: Exporting): Promise<Exported> {
  const { storage, registry, settings, path } = exporting;
  const archive = writeArchive(path, exporting.passphrase);
  const counts = { ...NO_COUNTS };
  try {
    const reading = progressLine({ name: 'reading rows', thing: 'row' });
    const copies = await openCopies(storage.db, exportedTables(registry), reading.count);
    for (const table of copies.tables) await copies.read(table);
    reading.done();
    const content = contentOf(copies, registry, settings);
    const line = progressLine({ name: 'writing the archive', thing: 'line' });
    await writeStages({ ...exporting, archive, content, counts, line, now: new Date().toISOString() });
    await archive.finish();
    copies.close();
    const all = [counted(counts.rows, 'row'), counted(counts.links, 'link'), counted(counts.objects, 'file')];
    line.done(`exported ${listed(all)} to ${path}`);
    return counts;
  } catch (error) {
    await archive.giveUp();
    throw error;
  }
}
