/**
 * @module Does a local database hold anything that a change would lose? What is empty may change at will.
 */
import type { Loss } from '../migrations/migration-work.ts';

async function hasRows(db: D1Database, count: string): Promise<boolean> {
  try {
    return Number(await db.prepare(count).first('rows')) > 0;
  } catch {
    // What cannot be counted may be there.
    return true;
  }
}

async function isStored(db: D1Database, { counts }: Loss): Promise<boolean> {
  for (const count of counts) if (await hasRows(db, count)) return true;
  return counts.length === 0;
}

/** Those of the losses of which something is stored, or may be. */
export async function storedLosses(db: D1Database, losses: readonly Loss[]): Promise<readonly Loss[]> {
  const stored: Loss[] = [];
  for (const loss of losses) if (await isStored(db, loss)) stored.push(loss);
  return stored;
}
