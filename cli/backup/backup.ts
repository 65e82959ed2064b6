/**
 * @module Writes a backup of a deployment: all rows as of one moment, and all objects of the bucket. Backs up what a command is
 * about to replace.
 */
import { join } from 'node:path';
import type { Registry } from '../../src/registry/model.ts';
import { storedFile } from '../../src/sql/files.ts';
import type { Row } from '../../src/sql/statement.ts';
import { keysOf } from '../../src/upload/call.ts';
import { type ContentCounts, contentText } from '../core/content-counts.ts';
import { counted, megabytes } from '../core/counted.ts';
import { timedName } from '../core/output-file.ts';
import { progressLine } from '../core/progress-line.ts';
import type { Copies } from '../core/sql/copies.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { storedCounts } from '../core/sql/stored-counts.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print, progress, UserError } from '../core/terminal.ts';
import { databaseName, type Target, targetArgs } from '../core/wrangler/wrangler.ts';
import { readSchema } from '../migrations/local-schema.ts';
import { storedRegistry } from '../project/sources.ts';
import { type BackupWriter, openBackup, type TableEntry } from './backup-file.ts';
import { keptObjects, objectCopies } from './object-copies.ts';
import { readSnapshot } from './snapshot.ts';

const CHUNK_CHARACTERS = 1_000_000;

/** The rows of a table: each line a JSON list of the values of one row. */
function* linesOf({ db, columnsIn, selection }: Copies, table: string): Generator<Buffer> {
  const names = columnsIn(table).map(([name]) => name);
  let text = '';
  for (const row of db.prepare(`select ${selection(table)} from ${identifier(table)} order by "_rowid_"`).iterate()) {
    text += `${JSON.stringify(names.map((name) => row[name]))}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** Writes the rows of a table, twice: a tar states the size of a file before its bytes. */
async function writeTable(copies: Copies, name: string, archive: BackupWriter): Promise<TableEntry> {
  const columns = copies.columnsIn(name);
  const file = `tables/${encodeURIComponent(name)}.jsonl`;
  let size = 0;
  for (const chunk of linesOf(copies, name)) size += chunk.length;
  await archive.stream(file, size, linesOf(copies, name));
  const rows = copies.db.prepare(`select count(*) as "rows" from ${identifier(name)}`).get()?.rows;
  return {
    ...{ name, columns: columns.map(([column]) => column), types: columns.map(([, type]) => type) },
    ...{ file, rows: Number(rows) },
  };
}

const namedKeys = ({ db, selection }: Copies): readonly string[] =>
  db
    .prepare(`select ${selection('files')} from "files"`)
    .all()
    .flatMap((row) => keysOf(storedFile(row as Row)));

/**
 * Writes a backup; `path` exists only once it is complete.
 * @returns counts, and the keys that files name and the bucket lacks.
 * @throws UserError for tables that cannot be backed up.
 */
export async function writeBackup({ db, bucket }: Storage, registry: Registry, path: string) {
  const archive = openBackup(path);
  try {
    const bytes = (await keptObjects(bucket)).reduce((sum, { size }) => sum + size, 0);
    const copying = progressLine({ name: 'copying objects', thing: 'object', bytes });
    const { copy, copied } = objectCopies(bucket, archive);
    await copy(copying);
    copying.done(`copied ${counted(copied.size, 'object')} with ${megabytes(bytes)}`);
    const reading = progressLine({ name: 'reading rows', thing: 'row' });
    const createdAt = new Date().toISOString();
    const { copies, ...snapshot } = await readSnapshot(db, registry, reading.count);
    const tables: TableEntry[] = [];
    for (const name of copies.tables) tables.push(await writeTable(copies, name, archive));
    reading.done(`read ${counted(tables.length, 'table')}`);
    const copyingNew = progressLine({ name: 'copying new objects', thing: 'object' });
    const more = await copy(copyingNew);
    copyingNew.done(more > 0 ? `copied ${counted(more, 'object')} that came meanwhile` : undefined);
    const missing = namedKeys(copies).filter((key) => !copied.has(key));
    const content: ContentCounts = { ...storedCounts(copies, registry), files: copied.size };
    copies.close();
    await archive.finish({ ...snapshot, createdAt, tables, content, objects: [...copied.values()] });
    return { content, missing };
  } catch (error) {
    await archive.giveUp();
    throw error;
  }
}

/** @param missing keys of objects. */
const missingText = (missing: readonly string[]): string =>
  `not in the bucket, so not in the backup: ${counted(missing.length, 'object')} of files, such as ${missing[0]}`;

export function restoreCommand(path: string, target: Target): string {
  const options = targetArgs(target).filter((option) => option !== '--local');
  return ['npm run restore --', path, '--replace', ...options].join(' ');
}

/**
 * Writes a backup into the project's folder and prints the command that restores it.
 * @returns its name.
 * @throws UserError for a database that cannot be backed up or whose backup could not be restored.
 */
export async function backUpBefore(root: string, target: Target, storage: Storage, prefix: string): Promise<string> {
  if ((await readSchema(storage.db))?.pushed)
    throw new UserError(
      'The local database has changes of npm run dev that no migration makes, so its backup could not be restored: npm run generate, then npm run migrate; or --no-backup',
    );
  const name = timedName(prefix, new Date());
  progress(`backing up the current content to ${name} …`);
  const { content, missing } = await writeBackup(storage, await storedRegistry(root), join(root, name));
  progress(`backed up ${contentText(content)}`);
  if (missing.length > 0) progress(missingText(missing));
  progress(`to bring the former content back: ${restoreCommand(name, target)}`);
  return name;
}

/** Writes a backup of a project's deployment. */
export async function backUp(root: string, target: Target, path: string): Promise<void> {
  const registry = await storedRegistry(root);
  progress(`backing up the ${databaseName(target)} and its bucket …`);
  const { content, missing } = await withStorage(root, target, (storage) => writeBackup(storage, registry, path));
  progress(`backed up ${contentText(content)}`);
  if (missing.length > 0) print(missingText(missing));
  print(path);
}
