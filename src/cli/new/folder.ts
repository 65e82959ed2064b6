/**
 * @module The folder of a new project: absent or empty before, with all files or as it was afterwards.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../core/terminal.ts';
import type { Output } from '../migrations/migration-files.ts';

/** @throws UserError for a folder with something in it, and for a file. */
export function assertFree(root: string, folder: string): void {
  const present = statSync(root, { throwIfNoEntry: false });
  const isFree = !present || (present.isDirectory() && readdirSync(root).length === 0);
  const is = present?.isDirectory() ? 'not empty' : 'a file';
  if (!isFree) throw new UserError(`${folder} is ${is}; name a folder that is absent or empty`);
}

/** Writes all files or none. @throws Error of the system */
export function writeFolder(root: string, outputs: readonly Output[]): void {
  const made = mkdirSync(root, { recursive: true });
  try {
    for (const { path, text } of outputs) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  } catch (error) {
    const written = made === undefined ? readdirSync(root).map((name) => join(root, name)) : [made];
    for (const path of written) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}
