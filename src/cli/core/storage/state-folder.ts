/**
 * @module The folder that lives and dies with a local database.
 */
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeText } from '../disk.ts';
import type { Target } from '../wrangler/wrangler.ts';

export const stateFolder = (root: string, { persistTo }: Target): string =>
  resolve(root, persistTo ?? '.wrangler/state');

/** A file that `npm run dev` keeps beside the local database. */
export const stateFile = (root: string, target: Target, name: string): string =>
  resolve(stateFolder(root, target), 'edgewise', name);

/** Writes such a file, for its owner alone. */
export function writeState(root: string, target: Target, name: string, text: string): void {
  const path = stateFile(root, target, name);
  mkdirSync(dirname(path), { recursive: true });
  writeText(path, text, 0o600);
}
