/**
 * @module What `edgewise migrate` does: a database gets the migrations in drizzle/ that it does not have yet.
 */

import { readPackage } from '../core/package.ts';
import { tellUnfinished } from '../core/storage/unfinished.ts';
import { progress } from '../core/terminal.ts';
import { databaseName, type Target, wrangler } from '../core/wrangler/wrangler.ts';
import { catchUp } from '../dev/catch-up.ts';
import { migrateDatabase } from '../migrations/applied.ts';
import { agreedProject, reportMigrated } from '../migrations/apply.ts';
import { generate, isOtherVersion } from '../project/generate.ts';
import { withProjectLock } from '../project/project-lock.ts';

export interface MigrateFlags extends Target {
  readonly allowDrop?: boolean;
}

/** Makes the migration and the files that the installed version of Edgewise needs. */
async function takeVersion(root: string, target: Target, allowDrop: boolean): Promise<void> {
  if (!isOtherVersion(root)) return;
  const { version } = readPackage();
  progress(`bringing the project to Edgewise ${version} …`);
  const written = await generate(root, { allowDrop, name: `edgewise ${version}`, target });
  for (const path of written) progress(`wrote ${path}`);
}

async function migrate(root: string, { allowDrop = false, ...target }: MigrateFlags): Promise<void> {
  await takeVersion(root, target, allowDrop);
  if (target.remote) await agreedProject(root, target, { allowDrop }, wrangler);
  progress(`applying migrations to the ${databaseName(target)} …`);
  if (!(await catchUp(root, target, allowDrop))) reportMigrated(await migrateDatabase(root, target), target);
  await tellUnfinished(target);
}

export const migrateProject = (root: string, flags: MigrateFlags): Promise<void> =>
  withProjectLock(root, 'npm run migrate', () => migrate(root, flags));
