/**
 * @module Exports the content of a deployment as an archive that `strapi import` takes.
 */

import { withNamedActions } from '../../src/access/actions.ts';
import { isObject, type JsonObject } from '../../src/common/json.ts';
import type { Row } from '../../src/content/sql/statement.ts';
import { storedFile } from '../../src/features/files/sql/files.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import { PRIVATE_SUFFIX } from '../../src/schema/names.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { FILE_UID, systemType } from '../../src/schema/system-types.ts';
import { type ArchiveWriter, writeArchive } from '../core/archive/archive-writer.ts';
import type { Stage } from '../core/archive/entries.ts';
import { objectKey } from '../core/archive/names.ts';
import { type ContentCounts, contentText, printTally, tallySum } from '../core/content-counts.ts';
import { counted } from '../core/counted.ts';
import { type ProgressLine, progressLine } from '../core/progress-line.ts';
import { openCopies } from '../core/sql/copies.ts';
import { archivedTypes } from '../core/sql/type-tables.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { ownerKey } from '../media/find-mismatches.ts';
import { keysHere } from '../media/objects-here.ts';
import { keptObjects } from '../media/trash.ts';
import { readSchemaFiles } from '../project/project.ts';
import { loadSettings } from '../project/settings.ts';
import { storedRegistry } from '../project/sources.ts';
import { type Content, contentOf, exportedTables } from './content.ts';
import { entityOf } from './entity-lines.ts';
import { limitedGrants, printLimitedGrants } from './limited-grants.ts';
import { linkLines } from './link-lines.ts';
import { configurationLines, folderLines, localeLines, permissionLines, roleLines } from './made-up-lines.ts';
import { schemaLines } from './schema-lines.ts';

/** The version of Strapi whose format the archive has. */
const VERSION = '5.54.0';

export interface ExportOptions {
  readonly path: string;
  readonly passphrase?: string;
  /** Leaves out the bytes of files. */
  readonly withoutFiles: boolean;
  /** Keeps permissions that have conditions here, without these. */
  readonly plainGrants?: boolean;
}

interface Exporting extends ExportOptions {
  readonly root: string;
  readonly storage: Storage;
  readonly registry: Registry;
  readonly settings: Settings;
}

const PART_CHARACTERS = 16_000_000;

/** Gathers lines into parts, since a tar says the size of a file before its bytes. */
async function writeStage(
  archive: ArchiveWriter,
  { count: report }: ProgressLine,
  stage: Stage,
  values: Iterable<object>,
): Promise<void> {
  let [lines, characters, part]: [string[], number, number] = [[], 0, 0];
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
    report(1);
  }
  await flush();
}

function* entities(content: Content, now: string, plainGrants: boolean): Generator<object> {
  yield* folderLines(content, now);
  yield* localeLines(content.settings, now);
  yield* permissionLines(content, now, plainGrants);
  yield* roleLines(content, now);
  for (const type of archivedTypes(content.registry))
    for (const row of content.rowsOf(type)) yield entityOf(row, type, content);
}

function* links(content: Content): Generator<object> {
  yield* content.keptLinks();
  for (const type of archivedTypes(content.registry)) yield* linkLines(type, content);
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
async function writeAssets(content: Content, bucket: R2Bucket, archive: ArchiveWriter, line: ProgressLine) {
  const counts = { objects: 0, missing: 0 };
  const type = systemType(content.registry, FILE_UID);
  for (const row of content.rowsOf(type)) {
    const here = new Set(keysHere(storedFile(row)));
    for (const sidecar of sidecarsOf(row, type, content)) {
      const key = objectKey(sidecar);
      if (!here.has(key)) continue;
      const object = await bucket.get(key);
      line.count(0);
      counts[object ? 'objects' : 'missing'] += 1;
      if (!object) continue;
      await archive.file(`assets/metadata/${key}.json`, Buffer.from(JSON.stringify(sidecar)));
      await archive.stream(`assets/uploads/${key}`, object.size, object.body);
    }
  }
  return counts;
}

/** Writes the stages of an archive. @returns how many objects were written, and how many that files name are missing. */
async function writeStages(
  { root, storage, withoutFiles, plainGrants = false }: Exporting,
  content: Content,
  archive: ArchiveWriter,
  line: ProgressLine,
) {
  const { registry, settings } = content;
  const write = (stage: Stage, values: Iterable<object>) => writeStage(archive, line, stage, values);
  const now = new Date().toISOString();
  const tableOf = (name: string) => registry.contentTypes.get(`api::${name}.${name}`)?.table ?? name;
  await write('schemas', schemaLines((await readSchemaFiles(root)).files, tableOf));
  await write('entities', entities(content, now, plainGrants));
  const assets = withoutFiles ? { objects: 0, missing: 0 } : await writeAssets(content, storage.bucket, archive, line);
  await write('links', links(content));
  await write('configuration', configurationLines(settings));
  const metadata = { createdAt: now, strapi: { version: VERSION } };
  await archive.file('metadata.json', Buffer.from(JSON.stringify(metadata, null, 2)));
  await archive.finish();
  return assets;
}

/** Writes the archive. Rows that are written meanwhile may be missing from it. */
export async function exportArchive(exporting: Exporting) {
  const { storage, registry, settings, path } = exporting;
  const archive = writeArchive(path, exporting.passphrase);
  try {
    const reading = progressLine({ name: 'reading rows', thing: 'row' });
    const copies = await openCopies(storage.db, exportedTables(registry), reading.count);
    for (const table of copies.tables) await copies.read(table);
    const content = contentOf(copies, registry, settings);
    const { leftOut } = content;
    const files = (await keptObjects(storage.bucket)).filter(({ key }) => ownerKey(key) === key).length;
    const counts: ContentCounts = { ...content.counts, files };
    reading.done(`read ${contentText(counts)}`);
    const line = progressLine({ name: 'writing the archive', thing: 'line' });
    const { objects, missing } = await writeStages(exporting, content, archive, line);
    const reason = exporting.withoutFiles ? 'bytes of files, by --no-files' : 'objects that no file names';
    leftOut.add(reason, { files: files - objects });
    /** Users whose password Strapi cannot check. */
    const newPasswords = copies.count('up_users', `iif("password" like 'scrypt$%', 1, null)`);
    const privates = {
      files: copies.count('files', `iif("hash" like '%${PRIVATE_SUFFIX}', 1, null)`),
      folders: copies.count('upload_folders', `iif("is_private" = 1, 1, null)`),
    };
    copies.close();
    const written: ContentCounts = { ...counts, links: counts.links - tallySum(leftOut).links, files: objects };
    line.done(`exported ${contentText(written)} to ${path}`);
    return { counts, written, leftOut, missing, newPasswords, privates };
  } catch (error) {
    await archive.giveUp();
    throw error;
  }
}

/** Exports a project's deployment. @param options where to, and how */
export async function exportProject(root: string, target: Target, options: ExportOptions): Promise<void> {
  const registry = await storedRegistry(root);
  const settings = withNamedActions(await loadSettings(root), registry);
  const { leftOut, missing, newPasswords, privates } = await withStorage(root, target, (storage) =>
    exportArchive({ ...options, root, storage, registry, settings }),
  );
  printTally('Left out:', leftOut);
  printLimitedGrants(limitedGrants(settings), options.plainGrants === true);
  if (settings.history !== null) print('Former versions of documents are left out; npx edgewise backup keeps them');
  if (settings.upload.placeholders) print('Placeholders of pictures are left out; npx edgewise backup keeps them');
  if (missing > 0) print(`not in the bucket, so not in the archive: ${counted(missing, 'object')} of files`);
  if (newPasswords > 0)
    print(
      `${counted(newPasswords, 'user has', 'users have')} a password that Strapi cannot check: there they ask for a new one`,
    );
  if (privates.files + privates.folders > 0) {
    const what = `${counted(privates.files, 'private file')} and ${counted(privates.folders, 'private folder')}`;
    print(
      `${what}: Strapi knows neither. There everybody reads the files; an import here keeps files private, not folders`,
    );
  }
  if (options.passphrase === undefined)
    print('It is not enciphered, and has the hashes of passwords in it: only you may read it');
  print(`To take it into a Strapi with the same content types: strapi import --file ${options.path} --force`);
}
