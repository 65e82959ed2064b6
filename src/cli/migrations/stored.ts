/**
 * @module Does a local database hold anything that a change would lose? What is empty may change at will.
 */
import type { CountedLoss } from './losses.ts';
import type { Loss } from './migration-work.ts';

/** Undefined for what cannot be counted: it may be there. */
async function rowsOf(db: D1Database, { counts }: Loss): Promise<number | undefined> {
  try {
    const rows = await Promise.all(counts.map((count) => db.prepare(count).first<number>('rows')));
    return counts.length === 0 ? undefined : rows.reduce<number>((sum, number) => sum + (number ?? 0), 0);
  } catch {
    return undefined;
  }
}

/** Those of the losses of which something is stored, or may be. */
export async function storedLosses(db: D1Database, losses: readonly Loss[]): Promise<readonly CountedLoss[]> {
  const stored: CountedLoss[] = [];
  for (const loss of losses) {
    const rows = await rowsOf(db, loss);
    if (rows !== 0) stored.push({ ...loss, rows });
  }
  return stored;
}
