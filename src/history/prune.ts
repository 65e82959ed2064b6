/**
 * @module Deletes former versions that are too old or too many, at each cron trigger some.
 */
import type { SystemCall } from '../runtime/call.ts';
import { historyBytes, keptVersions } from '../settings/derived.ts';
import { deleteBefore, deleteBeyond } from '../sql/write/history-pruning.ts';

const DAY = 86_400_000;
const MINUTES_OF_HOUR = 60;

/** What is in the history is summed up once in an hour, since that reads its index. */
const sumsUp = (now: number): boolean => Math.floor(now / 60_000) % MINUTES_OF_HOUR === 0;

export async function pruneHistory({ registry, settings, database, now }: SystemCall): Promise<void> {
  const limits = [...registry.contentTypes.values()].flatMap(({ uid }) => {
    const kept = keptVersions(settings, uid);
    return kept ? [[uid, now - kept.days * DAY] as const] : [];
  });
  const statements = [deleteBefore(limits), ...(sumsUp(now) ? [deleteBeyond(historyBytes(settings))] : [])];
  await database.write(statements);
}
