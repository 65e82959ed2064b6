/**
 * @module The steps by which files of a project change. Each is done or not done when the process stops.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file to the disk. @throws what the disk refuses, with the path. */
export function writeText(path: string, text: string | Uint8Array, mode?: number): void {
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

/** Replaces a file atomically, for those who read it meanwhile. */
export function replaceFile(path: string, content: string | Uint8Array, mode?: number): void {
  const part = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeText(part, content, mode);
  renameSync(part, path);
}

const isNothing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

export const DISK = {
  makeFolder: (path: string): void => void mkdirSync(path, { recursive: true }),
  /** The bytes are on the disk when it returns. */
  write: (path: string, text: string): void => writeText(path, text),
  rename: (from: string, to: string): void => renameSync(from, to),
  /** Removes a file, or a folder with everything in it. */
  remove(path: string): void {
    try {
      rmSync(path, { force: true, recursive: true });
    } catch (error) {
      if (!isNothing(error)) throw error;
    }
  },
  /** @returns false for a folder that stays, since it is not empty. */
  removeEmptyFolder(path: string): boolean {
    try {
      rmdirSync(path);
      return true;
    } catch (error) {
      return isNothing(error);
    }
  },
};

export type Disk = Readonly<typeof DISK>;
