/**
 * @module Changes files of a project atomically, even when the process is killed. New texts are written beside their files
 * first. Renaming the journal commits the changes; from then on the next command completes them.
 */
import { hash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { DISK, type Disk } from '../core/disk.ts';
import { failureText } from '../core/failure-text.ts';
import { UserError } from '../core/terminal.ts';

/** A path from the project root, and the new text; null removes a file or folder. */
export type TextChange = Readonly<{ path: string; text: string | null }>;

/** Renames a folder to a free name. */
export type Move = Readonly<{ path: string; to: string }>;

export type Change = TextChange | Move;

/** The journal before and after the commit. */
const PREPARING = '.edgewise/changes.preparing';
const COMMITTED = '.edgewise/changes.committed';

/** A change in the journal, with the SHA-256 of the file before and after it; null for no file. */
interface JournalEntry {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The new name of a folder. */
  readonly to?: string;
}

/** The hash of a folder. */
const FOLDER = 'folder';

const staged = (path: string): string => `${path}.pending`;

function hashOf(path: string): string | null {
  const present = statSync(path, { throwIfNoEntry: false });
  if (present?.isDirectory()) return FOLDER;
  return present ? hash('sha256', readFileSync(path)) : null;
}

/** @throws the system's error if the path, or a folder that becomes empty, could not be removed after the commit. */
function assertRemovable(root: string, path: string): void {
  accessSync(dirname(path), constants.W_OK);
  for (let folder = dirname(path); folder !== root && isInside(relative(root, folder)); folder = dirname(folder))
    accessSync(folder, constants.W_OK);
  if (!lstatSync(path).isDirectory()) return;
  accessSync(path, constants.W_OK);
  for (const inner of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (inner.isDirectory()) accessSync(join(inner.parentPath, inner.name), constants.W_OK);
}

function entryOf(root: string, change: Change): JournalEntry {
  const file = join(root, change.path);
  const before = hashOf(file);
  if ('to' in change) return { path: change.path, before, after: null, to: change.to };
  const { path, text } = change;
  if (text !== null && before === FOLDER) throw new UserError(`${file} is a folder; expected a file`);
  if (text === null && before !== null) assertRemovable(root, file);
  return { path, before, after: text === null ? null : hash('sha256', text) };
}

const isInside = (path: string): boolean => !isAbsolute(path) && !normalize(path).split(sep).includes('..');

/** @returns no entries for an incomplete journal. */
function readJournal(root: string, journal: string): readonly JournalEntry[] {
  try {
    const entries = JSON.parse(readFileSync(join(root, journal), 'utf8')) as readonly JournalEntry[];
    // `--persist-to` may be outside of the project; renaming a folder overwrites nothing.
    return entries.filter(({ path, to }) => isInside(path) || to !== undefined);
  } catch {
    return [];
  }
}

/** Removes a file or folder, and then folders that are empty, up to the project root. */
function remove(root: string, path: string, disk: Disk): void {
  disk.remove(join(root, path));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (!disk.removeEmptyFolder(join(root, folder))) return;
}

function rollBack(root: string, entries: readonly JournalEntry[], disk: Disk): void {
  for (const { path, after } of entries) if (after !== null) remove(root, staged(path), disk);
  remove(root, PREPARING, disk);
}

function complete(root: string, entries: readonly JournalEntry[], disk: Disk): void {
  for (const { path, after, to } of entries) {
    const [file, waiting] = [join(root, path), join(root, staged(path))];
    if (to !== undefined) {
      if (existsSync(file) && !existsSync(join(root, to))) disk.rename(file, join(root, to));
    } else if (after === null) remove(root, path, disk);
    else if (existsSync(waiting)) disk.rename(waiting, file);
  }
  remove(root, COMMITTED, disk);
}

/**
 * Makes changes that are not made yet.
 * @returns their paths.
 * @throws the disk's error. Nothing has changed then, unless the message states that the next command completes it.
 */
export function changeFiles(root: string, changes: readonly Change[], disk: Disk = DISK): readonly string[] {
  const planned = changes.map((change) => ({ ...change, entry: entryOf(root, change) }));
  const due = planned.filter(({ entry }) => entry.before !== entry.after);
  if (due.length === 0) return [];
  const entries = due.map(({ entry }) => entry);
  try {
    disk.makeFolder(join(root, dirname(PREPARING)));
    disk.write(join(root, PREPARING), JSON.stringify(entries));
    for (const change of due) {
      if ('to' in change || change.text === null) continue;
      disk.makeFolder(dirname(join(root, change.path)));
      disk.write(join(root, staged(change.path)), change.text);
    }
    disk.rename(join(root, PREPARING), join(root, COMMITTED));
  } catch (error) {
    rollBack(root, entries, disk);
    throw error;
  }
  try {
    complete(root, entries, disk);
  } catch (error) {
    const text = failureText(error);
    if (text === undefined) throw error;
    throw new UserError(`${text}. The change is incomplete; the next command completes it`);
  }
  return entries.map(({ path }) => path);
}

export const isUnfinished = (root: string): boolean => existsSync(join(root, COMMITTED));

/** @throws UserError for files that were changed since. */
function assertUnchanged(root: string, entries: readonly JournalEntry[]): void {
  const changed = entries.filter(({ path, before, after }) => {
    const present = hashOf(join(root, path));
    const isReady = after === null || hashOf(join(root, staged(path))) === after;
    return present !== after && !(present === before && isReady);
  });
  if (changed.length === 0) return;
  throw new UserError(
    `A command was interrupted while it changed files, and ${changed[0]?.path} was changed since. Bring the files back from version control, then remove ${COMMITTED}`,
  );
}

/** Completes or rolls back what an interrupted command changed. @throws UserError for files that were changed since */
export function settleFiles(root: string, disk: Disk = DISK): void {
  if (existsSync(join(root, PREPARING))) rollBack(root, readJournal(root, PREPARING), disk);
  if (!isUnfinished(root)) return;
  const entries = readJournal(root, COMMITTED);
  assertUnchanged(root, entries);
  complete(root, entries, disk);
}
