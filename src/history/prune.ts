/**
 * @module Deletes former versions that are too old or too many, some at each cron trigger.
 */
import type { SystemCall } from '../runtime/call.ts';
import { historyBytes, keptVersions } from '../settings/derived.ts';
import type { Statement } from '../sql/statement.ts';
import { deleteBefore, deleteBeyond, keptBytes } from '../sql/write/history-pruning.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** The history is summed up once in an hour, since that reads an index as a whole. */
const sumsUp = (now: number): boolean => now % HOUR < MINUTE;

/** Deletes some of what is older than the settings allow. */
export const deleteOld = ({ registry, settings, now }: Pick<SystemCall, 'registry' | 'settings' | 'now'>): Statement =>
  deleteBefore(
    [...registry.contentTypes.values()].flatMap(({ uid }) => {
      const kept = keptVersions(settings, uid);
      return kept ? [[uid, now - kept.days * DAY] as const] : [];
    }),
  );

/** Statements of one hour that delete what is too much. */
const MAX_STATEMENTS = 20;

export async function pruneHistory(call: SystemCall): Promise<void> {
  const { database, settings, now } = call;
  await database.write([deleteOld(call)]);
  const bytes = historyBytes(settings);
  if (!sumsUp(now) || keptBytes.decode(await database.read(keptBytes.statements, 'primary')) <= bytes) return;
  await database.write(Array.from({ length: MAX_STATEMENTS }, () => deleteBeyond(bytes)));
}
