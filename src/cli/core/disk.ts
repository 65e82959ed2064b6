/**
 * @module The steps by which files of a project change. Each is done or not done when the process stops.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';

export interface Disk {
  makeFolder(path: string): void;
  /** The bytes are on the disk when it returns. */
  write(path: string, text: string): void;
  rename(from: string, to: string): void;
  /** Removes a file, or a folder with everything in it. */
  remove(path: string): void;
  /** @returns false for a folder that stays, since it is not empty. */
  removeEmptyFolder(path: string): boolean;
}

/** Writes a file to the disk. @throws what the disk refuses, with the path. */
export function writeText(path: string, text: string, mode?: number): void {
  const file = openSync(path, 'w', mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    throw Object.assign(error as Error, { path });
  } finally {
    closeSync(file);
  }
}

const isNothing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

function remove(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch (error) {
    if (!isNothing(error)) throw error;
  }
}

function removeEmptyFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return isNothing(error);
  }
}

export const DISK: Disk = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  write: writeText,
  rename: renameSync,
  remove,
  removeEmptyFolder,
};
