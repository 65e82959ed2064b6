/**
 * @module The database that an import goes into gets the tables of the project. What that loses of a deployed one is named
 * before the first file changes, as by `npm run migrate`.
 */

import type { StorageSession } from '../core/storage/storage.ts';
import { progress } from '../core/terminal.ts';
import { type Target, wrangler } from '../core/wrangler/wrangler.ts';
import { catchUp } from '../dev/catch-up.ts';
import { applyDue } from '../migrations/applied.ts';
import { migrate, reportMigrated } from '../migrations/apply.ts';
import { agreedProject } from '../migrations/consent.ts';
import { migrationNames } from '../migrations/migration-files.ts';
import type { MigrationFolder } from '../migrations/revisions.ts';

interface Database {
  /** Migrations that it has. */
  readonly migrations: ReadonlySet<string>;
  /** Its content may be lost, as far as the messages say. */
  readonly allowDrop: boolean;
  /** Was there none at all before? */
  readonly isNew: boolean;
}

/**
 * Names what the migrations that the project will have lose of a deployed database, and the way back. Nothing is written.
 * @throws UserError when it is not confirmed.
 */
export async function agreeToMigrations(
  root: string,
  planned: MigrationFolder,
  { migrations, allowDrop }: Omit<Database, 'isNew'>,
  target: Target,
): Promise<void> {
  if (!target.remote || planned.migrations.every(({ name }) => migrations.has(name))) return;
  await agreedProject(root, target, { allowDrop }, wrangler, planned);
}

/**
 * @param session closed.
 * @throws UserError with wrangler's words.
 */
export async function migrateTarget(
  root: string,
  { migrations, allowDrop, isNew }: Database,
  target: Target,
  session: StorageSession,
): Promise<void> {
  if (migrationNames(root).every((name) => migrations.has(name))) return;
  progress('applying migrations …');
  if (target.remote) return reportMigrated(await migrate(target, wrangler, root), target);
  if (!isNew && (await catchUp(root, target, allowDrop))) return;
  reportMigrated(await session.use(({ db }) => applyDue(root, db)), target);
}
