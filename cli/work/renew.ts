/**
 * @module What `edgewise renew` does: new stamps (`sql/stamps.ts`) invalidate the cached responses of all isolates.
 */
import { RENEW_STAMPS } from '../core/sql/database.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { progress } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';

export async function renewStamps(target: Target): Promise<void> {
  await executeSql([RENEW_STAMPS], target);
  progress(`${databaseName(target)}: cached responses are invalidated`);
}
