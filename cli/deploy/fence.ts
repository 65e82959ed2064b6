/**
 * @module What a deployment writes when the new version serves.
 */
import { ROTATE_STAMPS } from '../core/sql/database.ts';
import { NOTE_CHECKED } from '../core/sql/fence.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import type { DeployTools } from './cloudflare-steps.ts';

/**
 * Notes that a version serves which checks the fence. The shared cache is purged of what the previous one has put there.
 * @throws UserError with the error of the database
 */
export async function noteServing({ target, quietly }: DeployTools): Promise<void> {
  await executeSql([ROTATE_STAMPS, NOTE_CHECKED], target, quietly);
}
