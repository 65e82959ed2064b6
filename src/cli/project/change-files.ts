/**
 * @module Changes files of a project together: all of them or none, wherever the process stops. New texts are written
 * beside their files first. Renaming the journal commits the change; from then on the next command completes it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import { UserError } from '../terminal.ts';
import { DISK, type Disk } from './disk.ts';

/** Path from the project root, and the text; null: the file is removed. */
export interface Change {
  readonly path: string;
  readonly text: string | null;
}

/** Journals: before and after the commit. */
const PREPARING = `${MIGRATIONS}/.preparing`;
const COMMITTED = `${MIGRATIONS}/.committed`;

/** A change in a journal; SHA-256 of the bytes before and after it, null for no file. */
interface Note {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const staged = (path: string): string => `${path}.pending`;

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

function hashOf(path: string): string | null {
  const present = statSync(path, { throwIfNoEntry: false });
  if (present?.isDirectory()) throw new UserError(`${path} is a folder; a file is to be written there`);
  return present ? sha256(readFileSync(path)) : null;
}

const noteOf = (root: string, { path, text }: Change): Note => ({
  path,
  before: hashOf(join(root, path)),
  after: text === null ? null : sha256(text),
});

const isInside = (path: string): boolean => !isAbsolute(path) && !normalize(path).split(sep).includes('..');

/** @returns none for a journal whose own writing was interrupted. */
function readNotes(root: string, journal: string): readonly Note[] {
  try {
    const notes = JSON.parse(readFileSync(join(root, journal), 'utf8')) as readonly Note[];
    return notes.filter(({ path }) => isInside(path));
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
  for (const { path } of notes) {
    disk.remove(join(root, staged(path)));
    prune(root, path, disk);
  }
  disk.remove(join(root, PREPARING));
  prune(root, PREPARING, disk);
}

function complete(root: string, notes: readonly Note[], disk: Disk): void {
  for (const { path, after } of notes) {
    const [file, waiting] = [join(root, path), join(root, staged(path))];
    if (after === null) disk.remove(file);
    else if (existsSync(waiting)) disk.rename(waiting, file);
  }
  for (const { path, after } of notes) if (after === null) prune(root, path, disk);
  disk.remove(join(root, COMMITTED));
  prune(root, COMMITTED, disk);
}

function prepare(root: string, changes: readonly Change[], notes: readonly Note[], disk: Disk): void {
  disk.makeFolder(join(root, MIGRATIONS));
  disk.write(join(root, PREPARING), JSON.stringify(notes));
  for (const { path, text } of changes) {
    if (text === null) continue;
    disk.makeFolder(dirname(join(root, path)));
    disk.write(join(root, staged(path)), text);
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
  complete(root, notes, disk);
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
