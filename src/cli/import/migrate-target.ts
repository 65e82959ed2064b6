/**
 * @module The database that an import goes into gets the tables of the project. Of a deployed one it is named first what
 * that loses, as by `npm run migrate`.
 */
import { applyDue } from '../dev/applied.ts';
import { catchUp } from '../dev/catch-up.ts';
import { migrate, reportMigrated } from '../migrations/apply.ts';
import { agreedProject } from '../migrations/consent.ts';
import { migrationNames } from '../migrations/migration-files.ts';
import type { StorageSession } from '../platform/storage.ts';
import { type Target, type Wrangler, wrangler } from '../platform/wrangler.ts';
import { advised, progress } from '../terminal.ts';

interface Database {
  /** Migrations that it has. */
  readonly migrations: ReadonlySet<string>;
  /** Its content may be lost, as far as the messages say. */
  readonly allowDrop: boolean;
  /** Was there none at all before? */
  readonly isNew: boolean;
}

/** @throws UserError when it is not confirmed, and with wrangler's words. */
export async function migrateTarget(
  root: string,
  { migrations, allowDrop, isNew }: Database,
  target: Target,
  session: StorageSession,
  execute: Wrangler = wrangler,
): Promise<void> {
  if (migrationNames(root).every((name) => migrations.has(name))) return;
  if (target.remote)
    await advised(
      agreedProject(root, target, { allowDrop }, execute),
      'The database is as it was. What was written into the project stays there.',
    );
  progress('applying migrations …');
  if (target.remote || !isNew) await session.close();
  if (!isNew && (await catchUp(root, target, allowDrop))) return;
  const inHere = () => session.use(({ db }) => applyDue(root, db));
  reportMigrated(target.remote ? await migrate(target, execute, root) : await inHere(), target);
}
