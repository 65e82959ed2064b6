/**
 * @module The content of a deployment → an archive that `strapi import` takes.
 */
import type { Settings } from '../../config.ts';
import type { ContentType, Registry } from '../../registry/model.ts';
import { FILE_UID, ROLE_UID, systemType, USER_UID } from '../../registry/system-types.ts';
import type { Row } from '../../sql/statement.ts';
import { type ArchiveWriter, type LineWriter, writeArchive } from '../core/archive/archive-writer.ts';
import { counted } from '../core/counted.ts';
import { progressLine } from '../core/progress-line.ts';
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

/** The version of Strapi whose format it is. */
const VERSION = '5.54.0';

export interface Exporting {
  readonly root: string;
  readonly storage: Storage;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly path: string;
  readonly passphrase?: string;
  /** Without the bytes of files. */
  readonly withoutFiles: boolean;
}

export interface Exported {
  readonly rows: number;
  readonly links: number;
  readonly objects: number;
  /** Objects that files name and that are not there. */
  readonly missing: number;
  /** Users whose password Strapi cannot check. */
  readonly newPasswords: number;
}

interface Work extends Exporting {
  readonly archive: ArchiveWriter;
  readonly index: RowIndex;
  readonly now: string;
  readonly counts: { rows: number; links: number; objects: number; missing: number; newPasswords: number };
}

async function indexRows({ storage, registry, index }: Work): Promise<void> {
  for (const type of archivedTypes(registry))
    for await (const page of versionsOf(storage.db, type))
      for (const { id, document_id, locale, published } of page)
        index.add(type.uid, Number(id), String(document_id), String(locale), published === 1 ? 'published' : 'draft');
}

async function writeAll(lines: LineWriter, values: Iterable<object>): Promise<void> {
  for (const value of values) await lines.add(value);
}

async function settingEntities(work: Work, lines: LineWriter): Promise<void> {
  const { settings, now, index, storage, registry } = work;
  const roles: Row[] = [];
  for await (const page of rowsOf(storage.db, systemType(registry, ROLE_UID))) roles.push(...page);
  await writeAll(lines, localeLines(settings, now));
  const roleEntities = roleLines(settings, roles, now, index);
  await writeAll(lines, permissionLines(settings, now, index));
  await writeAll(lines, roleEntities);
}

async function folderEntities({ storage, now, index }: Work, lines: LineWriter): Promise<void> {
  const { results } = await storage.db
    .prepare('select distinct "folder_path" as "path" from "files" where "folder_path" is not null')
    .all<{ path: string }>();
  await writeAll(
    lines,
    folderLines(
      results.map(({ path }) => path),
      now,
      index,
    ),
  );
}

async function typeEntities(type: ContentType, work: Work, lines: LineWriter): Promise<void> {
  for await (const page of rowsOf(work.storage.db, type)) {
    for (const row of page) {
      const entity = entityOf(row, type, work);
      if (type.uid === FILE_UID) keepFolder(entity as FileEntity, work.index);
      if (type.uid === USER_UID && String(row.password).startsWith('scrypt$')) work.counts.newPasswords += 1;
      await lines.add(entity);
    }
    work.counts.rows += page.length;
  }
}

async function writeEntities(work: Work): Promise<void> {
  const { registry, archive } = work;
  const lines = archive.lines('entities');
  await folderEntities(work, lines);
  await settingEntities(work, lines);
  for (const type of archivedTypes(registry)) await typeEntities(type, work, lines);
  await lines.finish();
}

async function writeAssets(work: Work): Promise<void> {
  const { registry, storage, archive, counts } = work;
  const type = systemType(registry, FILE_UID);
  for await (const page of rowsOf(storage.db, type))
    for (const row of page) {
      const { written, missing } = await writeBytes(archive, storage.bucket, entityOf(row, type, work) as FileEntity);
      counts.objects += written;
      counts.missing += missing;
    }
}

async function writeLinks(work: Work): Promise<void> {
  const { registry, storage, archive, index, counts } = work;
  const lines = archive.lines('links');
  const add = async (link: object): Promise<void> => {
    await lines.add(link);
    counts.links += 1;
  };
  for (const link of index.kept()) await add(link);
  for (const type of archivedTypes(registry))
    for await (const link of linkLines(storage.db, type, work)) await add(link);
  await lines.finish();
}

async function writeSchemas({ root, archive, registry }: Work): Promise<void> {
  const lines = archive.lines('schemas');
  const tableOf = (name: string) => registry.contentTypes.get(`api::${name}.${name}`)?.table ?? name;
  const { files } = await readSchemaFiles(root);
  await writeAll(lines, schemaLines(files, tableOf));
  await lines.finish();
}

async function writeStages(work: Work): Promise<void> {
  const { archive, settings, now, withoutFiles } = work;
  await indexRows(work);
  await writeSchemas(work);
  await writeEntities(work);
  if (!withoutFiles) await writeAssets(work);
  await writeLinks(work);
  const configuration = archive.lines('configuration');
  await writeAll(configuration, configurationLines(settings));
  await configuration.finish();
  const metadata = { createdAt: now, strapi: { version: VERSION } };
  await archive.file('metadata.json', Buffer.from(JSON.stringify(metadata, null, 2)));
}

/** Writes the archive; rows that are written meanwhile are in it or not. */
export async function exportArchive(exporting: Exporting): Promise<Exported> {
  const line = progressLine('writing the archive', 0);
  const archive = writeArchive(exporting.path, exporting.passphrase);
  const index = openRowIndex();
  const counts = { rows: 0, links: 0, objects: 0, missing: 0, newPasswords: 0 };
  try {
    await writeStages({ ...exporting, archive, index, counts, now: new Date().toISOString() });
    await archive.finish();
  } catch (error) {
    await archive.giveUp();
    throw error;
  } finally {
    index.close();
  }
  line.done(
    `${exporting.path}: ${counted(counts.rows, 'row')}, ${counted(counts.links, 'link')}, ${counted(counts.objects, 'object')}`,
  );
  return counts;
}
