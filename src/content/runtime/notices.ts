/**
 * @module Notices of a commit: what features add to its batch, and a call of the project's code.
 */

import { stampName } from '../../schema/names.ts';
import type { Credential } from '../credentials/credential.ts';
import { leavesLinks } from '../plan/model/op-kinds.ts';
import type { WritePlan } from '../plan/model/write-plan.ts';
import { changesOf, removalsOf, sharedChangesOf } from '../plan/write/changes.ts';
import { together } from '../sql/compiled.ts';
import { endPurge, notedPurge } from '../sql/stamps.ts';
import type { Results } from '../sql/statement.ts';
import { selectRemovals, selectShared } from '../sql/write/row-changes.ts';
import type { Call, Notices, SystemCall } from './call.ts';
import { deleteLeftLinks } from './left-links.ts';

interface AllNotices extends Omit<Notices, 'committed'> {
  /**
   * To be called after the commit, which has confirmed the credential.
   * @param results the rows of `before`; undefined if the response was lost
   */
  committed(results: Results | undefined, credential: Credential): void;
}

export function noticesOf(plan: WritePlan, call: Call): AllNotices {
  const afterCommit = call.hooks?.afterCommit;
  const notices = call.features.flatMap((feature) => feature.notices?.(plan, call) ?? []);
  const others = together(
    afterCommit ? [...removalsOf(plan).map(selectRemovals), ...sharedChangesOf(plan).map(selectShared)] : [],
  );
  return {
    before: [...others.statements, ...notices.flatMap(({ before }) => before)],
    after: notices.flatMap(({ after }) => after),
    committed(results, credential) {
      for (const each of notices) each.committed();
      const found = results ? others.decode(results.slice(0, others.statements.length)).flat() : [];
      const changes = [...changesOf(plan), ...found];
      if (plan.some(leavesLinks))
        call.afterResponse?.((database) => deleteLeftLinks({ database, registry: call.registry }));
      if (changes.length > 0) afterCommit?.(changes, { ...call, credential });
    },
  };
}

/** Purges the shared cache, if commands have changed content since. What fails is tried again by the next run. */
export async function purgeNoted({ settings, registry, database, purge }: SystemCall): Promise<void> {
  if (Object.keys(settings.cache).length === 0) return;
  const noted = notedPurge.decode(await database.read(notedPurge.statements, 'primary'));
  if (noted === undefined) return;
  const names = [...registry.contentTypes.keys()].flatMap((uid) => [
    stampName(uid, 'published'),
    stampName(uid, 'draft'),
  ]);
  if (await purge(names)) await database.write([endPurge(noted)]);
}
