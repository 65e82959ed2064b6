/**
 * @module What `edgewise renew` does: new stamps (`sql/stamps.ts`) invalidate the cached responses of all isolates.
 */
import { RENEW_STAMPS } from '../migrations/renew-stamps.ts';
import { executeSql } from '../platform/execute-sql.ts';
import { databaseName, type Target } from '../platform/wrangler.ts';
import { untilSettled } from '../project/project-lock.ts';
import { progress } from '../terminal.ts';

export async function renewStamps(root: string, target: Target): Promise<void> {
  if (!target.remote) await untilSettled(root, 'npm run renew');
  await executeSql([RENEW_STAMPS], target);
  progress(`${databaseName(target)}: answers are made anew from now on`);
}
