/**
 * @module Commands that look at a database say when an import into it, or a restore, was interrupted.
 */

import type { Results } from '../../../src/content/sql/statement.ts';
import { IMPORT_TABLE } from '../../../src/schema/names.ts';
import { identifier } from '../sql/sql-text.ts';
import { progress } from '../terminal.ts';
import type { Target, Wrangler } from '../wrangler/wrangler.ts';
import { executeSql } from './execute-sql.ts';

/** Before the names of tables that a restore is filling. */
export const RESTORE_PREFIX = 'edgewise_restore_';

/** The table of a restored database that still lacks indexes; no content type has such a name. */
export const LACKS_INDEXES = `${RESTORE_PREFIX}$indexes`;
export const LACKS_INDEXES_TEXT =
  'A restore was interrupted at its end. The content is that of the backup, without some indexes: run it again with --replace';

/** For `reportInterrupted`. */
export const INTERRUPTED_SQL: readonly string[] = [
  `SELECT "name" FROM ${identifier(IMPORT_TABLE)} WHERE "finished_at" IS NULL`,
  `SELECT "name" FROM sqlite_master WHERE "type" = 'table' AND substr("name", 1, ${RESTORE_PREFIX.length}) = '${RESTORE_PREFIX}' ORDER BY "name" LIMIT 1`,
];

export const unfinishedText = (name: string): string =>
  `The import of ${name} was interrupted: what is in the database is not whole. Go on with npx edgewise import FILE --resume`;

export function reportInterrupted([imports = [], restored = []]: Results): void {
  for (const { name } of imports) progress(unfinishedText(String(name)));
  const [first] = restored;
  if (first?.name === LACKS_INDEXES) progress(LACKS_INDEXES_TEXT);
  else if (first)
    progress(
      'A restore was interrupted. The content is as it was before; the next npx edgewise restore removes what is left of it',
    );
}

/** Reports an unfinished import or restore. @throws UserError with the error of the database. */
export const tellUnfinished = async (target: Target, run?: Wrangler): Promise<void> =>
  reportInterrupted(await executeSql(INTERRUPTED_SQL, target, run));
