/**
 * @module Follows content-types/ and edgewise.config.ts while the development server runs: what is saved is generated and
 * migrated, and the server picks up the new bundle by itself.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { migrate, reportMigrated } from '../migrations/apply.ts';
import type { Target } from '../platform/wrangler.ts';
import { generate } from '../project/generate.ts';
import { CONFIG, CONTENT_TYPES } from '../project/project.ts';
import { progress } from '../terminal.ts';

/** Editors write a file in several steps. */
const QUIET = 200;

async function follow(root: string, target: Target): Promise<void> {
  try {
    const written = await generate(root, { target });
    if (written.some((path) => path.endsWith('.sql'))) reportMigrated(await migrate(target), target);
    for (const path of written) progress(`wrote ${path}`);
  } catch (error) {
    progress((error as Error).message);
  }
}

/** Starts to follow; one change is worked off before the next begins. */
export function watchSources(root: string, target: Target): readonly FSWatcher[] {
  const folder = join(root, CONTENT_TYPES);
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(() => follow(root, target));
    }, QUIET);
  };
  // The folder is watched for the one file in it: editors put a new file in its place.
  const settings = watch(root, (_, name) => name === CONFIG && changed());
  return existsSync(folder) ? [settings, watch(folder, { recursive: true }, changed)] : [settings];
}
