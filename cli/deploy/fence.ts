/**
 * @module The fence in a deployment: it keeps the previous version out while stored values move, if that version checks it.
 */
import { ROTATE_STAMPS } from '../core/sql/database.ts';
import { fenceIn, fencesOf, NOTE_CHECKED, READ_FENCE } from '../core/sql/fence.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { UserError } from '../core/terminal.ts';
import type { History } from '../migrations/history.ts';
import type { DeployTools } from './cloudflare-steps.ts';

/**
 * @param isServed does a version serve already?
 * @throws UserError for a database that another checkout has changed, and for a migration that moves stored values while a
 *   version serves that does not check the fence
 */
export async function assertFenced(
  { migrations, applied, pending }: History,
  isServed: boolean,
  { target, quietly }: DeployTools,
): Promise<void> {
  if (applied.length === 0) return;
  const fence = fenceIn(await executeSql([READ_FENCE], target, quietly));
  if (fence && !fencesOf(migrations).includes(fence))
    throw new UserError(
      `The deployed database has the fence ${fence}, which no migration in drizzle/ sets: another checkout was deployed, or its backup restored. Deploy that one, or take its migrations over`,
    );
  const moving = pending.filter((migration) => fencesOf([migration]).length > 0);
  if (!isServed || fence !== undefined || moving.length === 0) return;
  throw new UserError(
    'The version that serves was made by an earlier version of Edgewise. It would go on writing values under their former names while these migrations move them:',
    ...moving.map(({ name }) => `  drizzle/${name}`),
    'Deploy twice: first the project as it was before them, with this version of Edgewise; then these migrations.',
  );
}

/**
 * Notes that a version serves which checks the fence. The shared cache is purged of what the previous one has put there.
 * @throws UserError with the error of the database
 */
export async function noteServing({ target, quietly }: DeployTools): Promise<void> {
  await executeSql([ROTATE_STAMPS, NOTE_CHECKED], target, quietly);
}
