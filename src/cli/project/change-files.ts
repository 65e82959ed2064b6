/**
 * @module Changes files of a project together: all of them or none, wherever the process stops. New texts are written
 * beside their files first. Renaming the journal commits the change; from then on the next command completes it.
 */
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { DISK, type Disk } from '../core/disk.ts';
import { failureText } from '../core/failure-text.ts';
import { UserError } from '../core/terminal.ts';

/** Path from the project root, and the text; null: the file is removed, or the folder with everything in it. */
export interface TextChange {
  readonly path: string;
  readonly text: string | null;
}

/** A folder gets another name, which must be free. */
export interface Move {
  readonly path: string;
  readonly to: string;
}

export type Change = TextChange | Move;

/** Journals: before and after the commit. */
const PREPARING = '.edgewise/changes.preparing';
const COMMITTED = '.edgewise/changes.committed';

/** A change in a journal; SHA-256 of the bytes before and after it, null for no file. */
interface Note {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The new name of a folder. */
  readonly to?: string;
}

/** What stands in a note of a folder in place of a hash. */
const FOLDER = 'folder';

const staged = (path: string): string => `${path}.pending`;

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

function hashOf(path: string): string | null {
  const present = statSync(path, { throwIfNoEntry: false });
  if (present?.isDirectory()) return FOLDER;
  return present ? sha256(readFileSync(path)) : null;
}

/** @throws what the system refuses, where it could not be removed after the commit, with the folders that it empties. */
function assertRemovable(root: string, path: string): void {
  accessSync(dirname(path), constants.W_OK);
  for (let folder = dirname(path); folder !== root && isInside(relative(root, folder)); folder = dirname(folder))
    accessSync(folder, constants.W_OK);
  if (!lstatSync(path).isDirectory()) return;
  accessSync(path, constants.W_OK);
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) accessSync(join(entry.parentPath, entry.name), constants.W_OK);
}

function noteOf(root: string, change: Change): Note {
  const file = join(root, change.path);
  const before = hashOf(file);
  if ('to' in change) return { path: change.path, before, after: null, to: change.to };
  const { path, text } = change;
  if (text !== null && before === FOLDER) throw new UserError(`${file} is a folder; a file is to be written there`);
  if (text === null && before !== null) assertRemovable(root, file);
  return { path, before, after: text === null ? null : sha256(text) };
}

const isInside = (path: string): boolean => !isAbsolute(path) && !normalize(path).split(sep).includes('..');

/** @returns none for a journal whose own writing was interrupted. */
function readNotes(root: string, journal: string): readonly Note[] {
  try {
    const notes = JSON.parse(readFileSync(join(root, journal), 'utf8')) as readonly Note[];
    // The local database may be outside (`--persist-to`); a move overwrites nothing.
    return notes.filter(({ path, to }) => isInside(path) || to !== undefined);
  } catch {
    return [];
  }
}

/** Removes folders that nothing is in, from this one up to the project root. */
function prune(root: string, path: string, disk: Disk): void {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (!disk.removeEmptyFolder(join(root, folder))) return;
}

function rollBack(root: string, notes: readonly Note[], disk: Disk): void {
  for (const { path, after } of notes) {
    if (after === null) continue;
    disk.remove(join(root, staged(path)));
    prune(root, path, disk);
  }
  disk.remove(join(root, PREPARING));
  prune(root, PREPARING, disk);
}

function completeOne(root: string, { path, after, to }: Note, disk: Disk): void {
  const [file, waiting] = [join(root, path), join(root, staged(path))];
  if (to !== undefined) {
    if (existsSync(file) && !existsSync(join(root, to))) disk.rename(file, join(root, to));
  } else if (after === null) disk.remove(file);
  else if (existsSync(waiting)) disk.rename(waiting, file);
}

function complete(root: string, notes: readonly Note[], disk: Disk): void {
  for (const note of notes) completeOne(root, note, disk);
  for (const { path, after } of notes) if (after === null) prune(root, path, disk);
  disk.remove(join(root, COMMITTED));
  prune(root, COMMITTED, disk);
}

function prepare(root: string, changes: readonly Change[], notes: readonly Note[], disk: Disk): void {
  disk.makeFolder(join(root, dirname(PREPARING)));
  disk.write(join(root, PREPARING), JSON.stringify(notes));
  for (const change of changes) {
    if ('to' in change || change.text === null) continue;
    disk.makeFolder(dirname(join(root, change.path)));
    disk.write(join(root, staged(change.path)), change.text);
  }
  disk.rename(join(root, PREPARING), join(root, COMMITTED));
}

/**
 * Makes the changes that are not made yet.
 * @returns their paths.
 * @throws what the disk refuses; nothing has changed then, unless the message says that the next command completes it.
 */
export function changeFiles(root: string, changes: readonly Change[], disk: Disk = DISK): readonly string[] {
  const noted = changes.map((change) => ({ change, note: noteOf(root, change) }));
  const due = noted.filter(({ note }) => note.before !== note.after);
  if (due.length === 0) return [];
  const notes = due.map(({ note }) => note);
  try {
    prepare(
      root,
      due.map(({ change }) => change),
      notes,
      disk,
    );
  } catch (error) {
    rollBack(root, notes, disk);
    throw error;
  }
  try {
    complete(root, notes, disk);
  } catch (error) {
    const text = failureText(error);
    if (text === undefined) throw error;
    throw new UserError(`${text}. The change is half done; the next command completes it`);
  }
  return notes.map(({ path }) => path);
}

/** Was a change committed and not completed? */
export const isUnfinished = (root: string): boolean => existsSync(join(root, COMMITTED));

/** @throws UserError where files are neither as before the change nor as after it. */
function assertUntouched(root: string, notes: readonly Note[]): void {
  const touched = notes.filter(({ path, before, after }) => {
    const present = hashOf(join(root, path));
    const isReady = after === null || hashOf(join(root, staged(path))) === after;
    return present !== after && !(present === before && isReady);
  });
  if (touched.length === 0) return;
  throw new UserError(
    `A command was interrupted while it changed files, and ${touched[0]?.path} is another one since. Bring the files back from version control, then remove ${COMMITTED}`,
  );
}

/**
 * Completes or takes back the changes of a command that was interrupted.
 * @throws UserError where files were changed since.
 */
export function settleFiles(root: string, disk: Disk = DISK): void {
  if (existsSync(join(root, PREPARING))) rollBack(root, readNotes(root, PREPARING), disk);
  if (!isUnfinished(root)) return;
  const notes = readNotes(root, COMMITTED);
  assertUntouched(root, notes);
  complete(root, notes, disk);
}
