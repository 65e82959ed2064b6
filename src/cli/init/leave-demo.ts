/**
 * @module What a fresh clone brings for its demo is taken out of the way: `demo/`, its migrations, its local database.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stateFolder } from '../dev/state-folder.ts';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import type { Target } from '../platform/wrangler.ts';

export const DEMO = 'demo';

type Say = (text: string) => void;

/** A database of the demo is put aside, under a name that is free. */
function putStateAside(root: string, target: Target, say: Say): void {
  const state = stateFolder(root, target);
  if (!existsSync(state)) return;
  let number = 1;
  while (existsSync(`${state}.old-${number}`)) number += 1;
  renameSync(state, `${state}.old-${number}`);
  say(`the local database was put aside: ${relative(root, state)}.old-${number}`);
}

function remove(root: string, folder: string, say: Say): void {
  if (!existsSync(join(root, folder))) return;
  rmSync(join(root, folder), { recursive: true });
  say(`removed ${folder}/`);
}

/**
 * Removes the demo. Its settings are left to `configChange`.
 * @param options `keepsMigrations`: a deployed database has them, so `drizzle/` has to keep them, too.
 */
export function leaveDemo(
  root: string,
  target: Target,
  { keepsMigrations }: { readonly keepsMigrations: boolean },
  say: Say,
): void {
  if (keepsMigrations) say(`${MIGRATIONS}/ keeps the migrations of the demo: the deployed database has them`);
  else {
    putStateAside(root, target, say);
    remove(root, MIGRATIONS, say);
  }
  // Its folder is what tells the next run, after an interruption, that the demo is to go.
  remove(root, DEMO, say);
}
