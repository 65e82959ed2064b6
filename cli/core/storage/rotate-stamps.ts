/**
 * @module What `edgewise renew` does: rotates the version stamps (`sql/stamps.ts`), which invalidates the cached responses
 * of all isolates.
 */
import { ROTATE_STAMPS } from '../sql/database.ts';
import { progress } from '../terminal.ts';
import { databaseName, type Target } from '../wrangler/wrangler.ts';
import { executeSql } from './execute-sql.ts';

export async function rotateStamps(target: Target): Promise<void> {
  await executeSql([ROTATE_STAMPS], target);
  progress(`${databaseName(target)}: cached responses are invalidated`);
}
