/**
 * @module Exports the content of a deployment as an archive that `strapi import` takes.
 */
import type { Settings } from '../../config.ts';
import type { Registry } from '../../registry/model.ts';
import { FILE_UID, ROLE_UID, systemType, USER_UID } from '../../registry/system-types.ts';
import type { Row } from '../../sql/statement.ts';
import { type ArchiveWriter, writeArchive } from '../core/archive/archive-writer.ts';
import type { Stage } from '../core/archive/entries.ts';
import { counted, listed } from '../core/counted.ts';
import { type ProgressLine, progressLine } from '../core/progress-line.ts';
import { archivedTypes } from '../core/sql/type-tables.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { readSchemaFiles } from '../project/project.ts';
import { entityOf } from './entity-lines.ts';
import { type FileEntity, folderLines, keepFolder, writeBytes } from './file-lines.ts';
import { linkLines } from './link-lines.ts';
import { rowsOf, versionsOf } from './read-tables.ts';
import { openRowIndex, type RowIndex } from './row-index.ts';
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
  readonly index: RowIndex;
  readonly now: string;
  readonly line: ProgressLine;
  readonly counts: typeof NO_COUNTS;
}

async function indexRows({ storage, registry, index }: Work): Promise<void> {
  for (const type of archivedTypes(registry))
    for await (const { id, document_id, locale, published } of versionsOf(storage.db, type))
      index.add(type.uid, Number(id), String(document_id), String(locale), published === 1 ? 'published' : 'draft');
}

const PART_CHARACTERS = 16_000_000;

/** Gathers lines into parts, since a tar says the size of a file before its bytes. @returns the number of lines. */
async function writeStage(
  { archive, line }: Work,
  stage: Stage,
  values: Iterable<object> | AsyncIterable<object>,
): Promise<number> {
  let [lines, characters, part, count]: [string[], number, number, number] = [[], 0, 0, 0];
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    part += 1;
    await archive.file(`${stage}/${stage}_${String(part).padStart(5, '0')}.jsonl`, Buffer.from(lines.join('\n')));
    [lines, characters] = [[], 0];
  };
  for await (const value of values) {
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

async function* settingEntities({ settings, now, index, storage, registry }: Work): AsyncGenerator<object> {
  const rows: Row[] = [];
  for await (const row of rowsOf(storage.db, systemType(registry, ROLE_UID))) rows.push(row);
  yield* localeLines(settings, now);
  // Permissions link to the roles, which have their ids from here.
  const roles = roleLines(settings, rows, now, index);
  yield* permissionLines(settings, now, index);
  yield* roles;
}

async function* entities(work: Work): AsyncGenerator<object> {
  const { storage, registry, index, now, counts } = work;
  const { results } = await storage.db
    .prepare('select distinct "folder_path" as "path" from "files" where "folder_path" is not null')
    .all<{ path: string }>();
  const paths = results.map(({ path }) => path);
  yield* folderLines(paths, now, index);
  yield* settingEntities(work);
  for (const type of archivedTypes(registry))
    for await (const row of rowsOf(storage.db, type)) {
      const entity = entityOf(row, type, work);
      if (type.uid === FILE_UID) keepFolder(entity as FileEntity, index);
      if (type.uid === USER_UID && String(row.password).startsWith('scrypt$')) counts.newPasswords += 1;
      counts.rows += 1;
      yield entity;
    }
}

async function* links({ registry, storage, index }: Work): AsyncGenerator<object> {
  yield* index.kept();
  for (const type of archivedTypes(registry)) yield* linkLines(storage.db, type, { registry, index });
}

async function writeAssets(work: Work): Promise<void> {
  const { registry, storage, archive, counts, line } = work;
  const type = systemType(registry, FILE_UID);
  for await (const row of rowsOf(storage.db, type)) {
    const { written, missing } = await writeBytes(archive, storage.bucket, entityOf(row, type, work) as FileEntity);
    counts.objects += written;
    counts.missing += missing;
    line.count(0);
  }
}

async function writeStages(work: Work): Promise<void> {
  const { root, registry, archive, settings, now, withoutFiles } = work;
  await indexRows(work);
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
  const line = progressLine({ name: 'writing the archive', thing: 'line' });
  const archive = writeArchive(exporting.path, exporting.passphrase);
  const index = openRowIndex();
  const counts = { ...NO_COUNTS };
  try {
    await writeStages({ ...exporting, archive, index, counts, line, now: new Date().toISOString() });
    await archive.finish();
  } catch (error) {
    await archive.giveUp();
    throw error;
  } finally {
    index.close();
  }
  line.done(
    `exported ${listed([counted(counts.rows, 'row'), counted(counts.links, 'link'), counted(counts.objects, 'file')])} to ${exporting.path}`,
  );
  return counts;
}
