/**
 * @module The steps by which files of a project change. Each is done or not done when the process stops.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';

export interface Disk {
  makeFolder(path: string): void;
  /** The bytes are on the disk when it returns. */
  write(path: string, text: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** @returns false for a folder that stays, since it is not empty. */
  removeEmptyFolder(path: string): boolean;
}

function write(path: string, text: string): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function removeEmptyFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

export const DISK: Disk = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  write,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  removeEmptyFolder,
};
