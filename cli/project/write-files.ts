/**
 * @module Writes the files of a project, each of them atomically, in the order that a caller gives.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from '../core/replace-file.ts';
import { UserError } from '../core/terminal.ts';
import type { Output } from '../migrations/migration-files.ts';

/** A path from the project root, and the new text; null removes a file or folder. */
export type TextChange = Readonly<{ path: string; text: string | null; claims?: string }>;

export type Change = Output | TextChange;

/** Removes a file or folder, and then folders that are empty, up to the project root. */
function remove(root: string, path: string): void {
  rmSync(join(root, path), { recursive: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if (readdirSync(join(root, folder)).length > 0) return;
    rmdirSync(join(root, folder));
  }
}

const numbersTaken = (path: string): UserError =>
  new UserError(
    `${path} was made meanwhile: another npx edgewise generate is running, or one was interrupted; run it again`,
  );

/**
 * Creates a snapshot, which claims the numbers of its migrations. Each command creates its snapshot before it looks for
 * others, so at most one of two goes on.
 * @throws UserError if another command has claimed one of the numbers
 */
function createSnapshot(root: string, { path, text, claims = '' }: Output): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, text, { flag: 'wx', flush: true });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? numbersTaken(path) : error;
  }
  const isOther = (name: string) => /^\d+_snapshot\.json$/.test(name) && name >= claims && name !== basename(path);
  const other = readdirSync(dirname(file)).find(isOther);
  if (other === undefined) return;
  rmSync(file);
  throw numbersTaken(`${dirname(path)}/${other}`);
}

/** Has a file this text already? */
export function hasText(root: string, { path, text }: Output): boolean {
  const file = join(root, path);
  return existsSync(file) && readFileSync(file, 'utf8') === text;
}

/** @returns whether the change was still to be made */
function applyChange(root: string, change: Change): boolean {
  const file = join(root, change.path);
  if (change.text === null) {
    if (!existsSync(file)) return false;
    remove(root, change.path);
  } else {
    const { path, text, claims } = change;
    if (hasText(root, { path, text })) return false;
    if (claims !== undefined) createSnapshot(root, { path, text, claims });
    else replaceFile(file, text);
  }
  return true;
}

/**
 * Makes changes that are not made yet, in their order.
 * @returns their paths.
 * @throws UserError if another command makes a migration of the same number; the system's error, with what comes before it done
 */
export const writeFiles = (root: string, changes: readonly Change[]): readonly string[] =>
  changes.filter((change) => applyChange(root, change)).map(({ path }) => path);
