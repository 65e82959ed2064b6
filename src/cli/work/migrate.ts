/**
 * @module What `edgewise migrate` does: a database gets the migrations in drizzle/ that it does not have yet.
 */

import { readPackage } from '../core/package.ts';
import { runBatch } from '../core/sql/database.ts';
import { withStorage } from '../core/storage/storage.ts';
import { INTERRUPTED_SQL, reportInterrupted, tellUnfinished } from '../core/storage/unfinished.ts';
import { progress } from '../core/terminal.ts';
import { databaseName, type Target, wrangler } from '../core/wrangler/wrangler.ts';
import { catchUpDatabase, isFollowed } from '../dev/catch-up.ts';
import { applyDue } from '../migrations/applied.ts';
import { agreedProject, migrate as applyPending, reportMigrated } from '../migrations/apply.ts';
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

async function migrateRemote(root: string, target: Target, allowDrop: boolean): Promise<void> {
  await agreedProject(root, target, { allowDrop }, wrangler);
  progress(`applying migrations to the ${databaseName(target)} …`);
  reportMigrated(await applyPending(target), target);
  await tellUnfinished(target);
}

/** Opens the database once: that takes a process of its own. */
async function migrateLocal(root: string, target: Target, allowDrop: boolean): Promise<void> {
  progress(`applying migrations to the ${databaseName(target)} …`);
  if (isFollowed(root, target, allowDrop)) return tellUnfinished(target);
  await withStorage(root, target, async ({ db }) => {
    if (!(await catchUpDatabase(root, db, allowDrop))) reportMigrated(await applyDue(root, db), target);
    reportInterrupted(await runBatch(db, INTERRUPTED_SQL));
  });
}

async function migrate(root: string, { allowDrop = false, ...target }: MigrateFlags): Promise<void> {
  await takeVersion(root, target, allowDrop);
  await (target.remote ? migrateRemote : migrateLocal)(root, target, allowDrop);
}

export const migrateProject = (root: string, flags: MigrateFlags): Promise<void> =>
  withProjectLock(root, 'npm run migrate', () => migrate(root, flags));
