/**
 * @module The folder that lives and dies with a local database.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeText } from '../disk.ts';
import type { Target } from '../wrangler/wrangler.ts';

export const stateFolder = (root: string, { persistTo }: Target): string =>
  resolve(root, persistTo ?? '.wrangler/state');

/** A local database that was never made has nothing, and is not made to be asked. */
export const hasDatabase = (root: string, target: Target): boolean =>
  target.remote === true || existsSync(join(stateFolder(root, target), 'v3/d1'));

/** A file that `npm run dev` keeps beside the local database. */
export const stateFile = (root: string, target: Target, name: string): string =>
  resolve(stateFolder(root, target), 'edgewise', name);

/** Writes such a file, for its owner alone. */
export function writeState(root: string, target: Target, name: string, text: string): void {
  const path = stateFile(root, target, name);
  mkdirSync(dirname(path), { recursive: true });
  writeText(path, text, 0o600);
}
