/**
 * @module The deployed database that an import goes into gets the tables of the project. What that loses is named before
 * the first file changes, as by `npm run migrate`.
 */
import { migrate, reportMigrated } from '../migrations/apply.ts';
import { agreedProject, type Consent } from '../migrations/consent.ts';
import type { Migration } from '../migrations/when.ts';
import { type Target, wrangler } from '../platform/wrangler.ts';
import { progress } from '../terminal.ts';

/** Names of the migrations that the database has. */
type Applied = ReadonlySet<string>;

/**
 * Names what the migrations that the project will have lose, and the way back. Nothing is written.
 * @throws UserError when it is not confirmed.
 */
export async function agreeToMigrations(
  root: string,
  planned: readonly Migration[],
  { applied, allowDrop }: Consent & { readonly applied: Applied },
  target: Target,
): Promise<void> {
  if (planned.every(({ name }) => applied.has(name))) return;
  await agreedProject(root, target, { allowDrop }, wrangler, planned);
}

/** @throws UserError with wrangler's words. */
export async function migrateDeployed(
  root: string,
  planned: readonly Migration[],
  applied: Applied,
  target: Target,
): Promise<void> {
  if (planned.every(({ name }) => applied.has(name))) return;
  progress('applying migrations …');
  reportMigrated(await migrate(target, wrangler, root), target);
}
