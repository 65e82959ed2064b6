/**
 * @module Deletes former versions that are too old or too many, some at each cron trigger.
 */
import type { SystemCall } from '../../content/runtime/call.ts';
import type { Statement } from '../../content/sql/statement.ts';
import { historyBytes, keptVersions } from '../../schema/settings/derived.ts';
import { deleteBefore, deleteBeyond, MAX_DELETED } from './sql/prune.ts';

const DAY = 86_400_000;

/** Deletes some of what is older than the settings allow. */
export const deleteOld = ({ registry, settings, now }: Pick<SystemCall, 'registry' | 'settings' | 'now'>): Statement =>
  deleteBefore(
    [...registry.contentTypes.values()].flatMap(({ uid }) => {
      const kept = keptVersions(settings, uid);
      return kept ? [[uid, now - kept.days * DAY] as const] : [];
    }),
  );

/** Statements of one run, each of which deletes `MAX_DELETED` rows at most: the next run goes on. */
const MAX_STATEMENTS = 20;

export async function pruneHistory(call: SystemCall): Promise<void> {
  let left = MAX_STATEMENTS;
  for (const statement of [deleteOld(call), deleteBeyond(historyBytes(call.settings))])
    for (let isDone = false; !isDone && left > 0; left -= 1) {
      const [deleted = []] = await call.database.write([statement]);
      isDone = deleted.length < MAX_DELETED;
    }
}
