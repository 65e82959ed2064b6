/**
 * @module The fence of a deployed database before it is migrated: it keeps the version that serves out while stored values move,
 * if that version checks it.
 */
import { fenceIn, fencesOf, READ_FENCE } from '../core/sql/fence.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { UserError } from '../core/terminal.ts';
import { secretNames } from '../core/wrangler/secrets.ts';
import type { Target, Wrangler } from '../core/wrangler/wrangler.ts';
import type { History } from './history.ts';
import type { Migration } from './migration-files.ts';

/**
 * @param due migrations that will be applied @param fence of the deployed database
 * @throws UserError for a migration that moves stored values while a version serves that does not check the fence
 */
export async function assertChecked(
  due: readonly Migration[],
  fence: string | undefined,
  target: Target,
  execute: Wrangler,
): Promise<void> {
  const moving = due.filter((migration) => fencesOf([migration]).length > 0);
  if (fence !== undefined || moving.length === 0 || (await secretNames(target, execute)) === undefined) return;
  throw new UserError(
    'The version that serves was made by an earlier version of Edgewise. It would go on writing values under their former names while these migrations move them:',
    ...moving.map(({ name }) => `  drizzle/${name}`),
    'Deploy twice: first the project as it was before them, with this version of Edgewise; then these migrations.',
  );
}

/** @throws UserError for a database that another checkout has changed, and as `assertChecked` */
export async function assertFenced(
  { migrations, applied, pending }: History,
  target: Target,
  execute: Wrangler,
): Promise<void> {
  if (applied.length === 0) return;
  const fence = fenceIn(await executeSql([READ_FENCE], target, execute));
  if (fence && !fencesOf(migrations).includes(fence))
    throw new UserError(
      `The deployed database has the fence ${fence}, which no migration in drizzle/ sets: another checkout was deployed, or its backup restored. Deploy that one, or take its migrations over`,
    );
  await assertChecked(pending, fence, target, execute);
}
