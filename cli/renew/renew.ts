/**
 * @module What `edgewise renew` does: rotates the version stamps, which invalidates the cached responses of all isolates.
 */
import { ROTATE_STAMPS } from '../core/sql/database.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { progress } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';

export async function invalidateResponses(target: Target): Promise<void> {
  await executeSql([ROTATE_STAMPS], target);
  progress(`${databaseName(target)}: cached responses are invalidated`);
}
