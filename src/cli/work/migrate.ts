/**
 * @module What `edgewise migrate` does: a database gets the migrations in drizzle/ that it does not have yet.
 */

import { tellUnfinished } from '../core/storage/unfinished.ts';
import { progress } from '../core/terminal.ts';
import { databaseName, type Target, wrangler } from '../core/wrangler/wrangler.ts';
import { catchUp } from '../dev/catch-up.ts';
import { migrateDatabase } from '../migrations/applied.ts';
import { reportMigrated } from '../migrations/apply.ts';
import { agreedProject } from '../migrations/consent.ts';
import { withProjectLock } from '../project/project-lock.ts';

export interface MigrateFlags extends Target {
  readonly allowDrop?: boolean;
}

async function migrate(root: string, { allowDrop = false, ...target }: MigrateFlags): Promise<void> {
  if (target.remote) await agreedProject(root, target, { allowDrop }, wrangler);
  progress(`applying migrations to the ${databaseName(target)} …`);
  if (!(await catchUp(root, target, allowDrop))) reportMigrated(await migrateDatabase(root, target), target);
  await tellUnfinished(target);
}

export const migrateProject = (root: string, flags: MigrateFlags): Promise<void> =>
  withProjectLock(root, 'npm run migrate', () => migrate(root, flags));
