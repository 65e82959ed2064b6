/**
 * @module Follows content-types/ while the development server runs: a saved schema.json is generated and migrated, and
 * the server picks up the new bundle by itself.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { generate } from './generate.ts';
import { migrate, reportMigrated } from './migrate.ts';
import { CONTENT_TYPES } from './project.ts';
import { progress } from './terminal.ts';
import type { Target } from './wrangler.ts';

/** Editors write a file in several steps. */
const QUIET = 200;

async function follow(root: string, target: Target): Promise<void> {
  try {
    const written = await generate(root);
    if (written.some((path) => path.endsWith('.sql'))) reportMigrated(await migrate(target), target);
    for (const path of written) progress(`wrote ${path}`);
  } catch (error) {
    progress((error as Error).message);
  }
}

/** Starts to follow; one change is worked off before the next begins. Undefined when there is no such folder. */
export function watchContentTypes(root: string, target: Target): FSWatcher | undefined {
  const folder = join(root, CONTENT_TYPES);
  if (!existsSync(folder)) return undefined;
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  return watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(() => follow(root, target));
    }, QUIET);
  });
}
