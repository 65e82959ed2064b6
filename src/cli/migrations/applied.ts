/**
 * @module Which migrations a database has.
 */
import { executeSql, type Target, type Wrangler } from '../platform/wrangler.ts';
import { UserError } from '../terminal.ts';

const APPLIED = 'SELECT "name" FROM "d1_migrations" ORDER BY "id"';

/** The names of the migrations that a database has, in the order in which they were applied. */
export async function appliedNames(target: Target, execute: Wrangler): Promise<readonly string[]> {
  try {
    const [rows = []] = await executeSql([APPLIED], target, execute);
    return rows.map(({ name }) => String(name));
  } catch (error) {
    if (error instanceof UserError && /no such table: d1_migrations/.test(error.message)) return [];
    throw error;
  }
}
