/**
 * @module Commands that look at a database say when an import into it, or a restore, was interrupted.
 */
import { WAITING_SQL } from '../../backup/schema.ts';
import { UNFINISHED_SQL, unfinishedText } from '../../import/marker.ts';
import { progress } from '../terminal.ts';
import type { Target, Wrangler } from '../wrangler/wrangler.ts';
import { executeSql } from './execute-sql.ts';

/** Says it for each answer of `UNFINISHED_SQL`. */
export function reportUnfinished(rows: readonly Readonly<Record<string, unknown>>[] = []): void {
  for (const { name } of rows) progress(unfinishedText(String(name)));
}

/** Asks the database, and says it. @throws UserError with what the database said. */
export async function tellUnfinished(target: Target, run?: Wrangler): Promise<void> {
  const [rows, waiting = []] = await executeSql([UNFINISHED_SQL, WAITING_SQL], target, run);
  reportUnfinished(rows);
  if (waiting.length > 0)
    progress(
      'A restore was interrupted. The content is as it was before; the next npm run restore removes what is left of it',
    );
}
