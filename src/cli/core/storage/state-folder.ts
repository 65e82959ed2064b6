/**
 * @module The folder that lives and dies with a local database.
 */
import { resolve } from 'node:path';
import type { Target } from '../wrangler/wrangler.ts';

export const stateFolder = (root: string, { persistTo }: Target): string =>
  resolve(root, persistTo ?? '.wrangler/state');

/** A file that `npm run dev` keeps beside the local database. */
export const stateFile = (root: string, target: Target, name: string): string =>
  resolve(stateFolder(root, target), 'edgewise', name);
