/**
 * @module All that Edgewise uses of `drizzle-kit/api`: the form of a snapshot, and the statements between two of them. A test
 * fails if another version of it differs.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DrizzleSQLiteSnapshotJSON } from 'drizzle-kit/api';

export type Snapshot = DrizzleSQLiteSnapshotJSON;
export type TableSnapshot = Snapshot['tables'][string];

/**
 * drizzle-kit ends some statements with a semicolon and some with a line break. It quotes a column that descends together
 * with its direction, or not at all once the index is in a snapshot that was read back.
 */
const bare = (statement: string): string =>
  statement.replace(/;?\s*$/, '').replaceAll(/(`?)"([^"`]+)" desc\1/g, '`$2` DESC');

/**
 * The statements between two snapshots, of which one must have all names of the other: for a name that is removed and one
 * that is added drizzle-kit would ask on the terminal whether it was renamed.
 */
export async function statementsBetween(before: Snapshot, after: Snapshot): Promise<string[]> {
  if (isDeepStrictEqual(before.tables, after.tables)) return [];
  // Loaded on demand, since it takes a second.
  const { generateSQLiteMigration } = await import('drizzle-kit/api');
  return (await generateSQLiteMigration(before, after)).map(bare);
}
