/**
 * @module Commands that look at a database say when an import into it was interrupted.
 */
import { executeSql } from '../platform/execute-sql.ts';
import type { Target, Wrangler } from '../platform/wrangler.ts';
import { progress } from '../terminal.ts';
import { UNFINISHED_SQL, unfinishedText } from './marker.ts';

/** Says it for each answer of `UNFINISHED_SQL`. */
export function reportUnfinished(rows: readonly Readonly<Record<string, unknown>>[] = []): void {
  for (const { name } of rows) progress(unfinishedText(String(name)));
}

/** Asks the database, and says it. @throws UserError with what the database said. */
export async function tellUnfinished(target: Target, run?: Wrangler): Promise<void> {
  const [rows] = await executeSql([UNFINISHED_SQL], target, run);
  reportUnfinished(rows);
}
