/**
 * @module Keeps the versions that a write makes, in its batch.
 */
import { EVERYTHING } from '../auth/grants.ts';
import type { RowRef, WriteOp, WritePlan } from '../plan/model/write-plan.ts';
import { removalsOf } from '../plan/write/changes.ts';
import type { Call, Notices } from '../runtime/call.ts';
import { keptVersions } from '../settings/derived.ts';
import {
  type Actor,
  deleteReplaced,
  keepFormerRow,
  keepFormerRows,
  keepRemoval,
  keepRow,
} from '../sql/write/history.ts';

function actorOf({ credential, isScheduled }: Call): Actor {
  if (credential.kind === 'user') return { kind: 'user', id: credential.id };
  if (credential.kind === 'token') return { kind: 'token', id: credential.key };
  if (isScheduled) return { kind: 'schedule' };
  return { kind: credential.grants === EVERYTHING ? 'code' : 'public' };
}

interface Made {
  readonly row: RowRef;
  readonly operation: string;
}

/** The version that an operation of a plan makes. */
function madeBy(op: WriteOp): readonly Made[] {
  if (op.kind === 'insert') return [{ row: op.row, operation: 'create' }];
  if (op.kind === 'update') return [{ row: op.row, operation: 'update' }];
  if (op.kind === 'publish') return [{ row: { ...op.draft, status: 'published' }, operation: 'publish' }];
  return op.kind === 'discard' ? [{ row: op.draft, operation: 'discardDraft' }] : [];
}

/** Returns the statements that keep what was there, if nothing is kept yet, and what the write makes of it. */
export function historyNotices(plan: WritePlan, call: Call): Notices {
  const { now, settings } = call;
  const actor = actorOf(call);
  const keptOf = (uid: string) => keptVersions(settings, uid);
  const made = plan.flatMap(madeBy).filter(({ row }) => keptOf(row.type.uid));
  const removals = removalsOf(plan).filter(({ rows }) => keptOf(rows.type.uid));
  const changed = made.filter(({ operation }) => operation !== 'create');
  const nameOf = ({ operation }: Made) => (call.isRestoring && operation !== 'publish' ? 'restore' : operation);
  return {
    before: [
      ...changed.map(({ row }) => keepFormerRow(row, now)),
      ...removals.flatMap((removal) => [keepFormerRows(removal.rows, now), keepRemoval(removal, actor, now)]),
    ],
    after: [
      ...changed.flatMap((each) => {
        const kept = keptOf(each.row.type.uid);
        return kept ? [deleteReplaced(each.row, nameOf(each), actor, kept.versions, now)] : [];
      }),
      ...made.map((each) => keepRow(each.row, nameOf(each), actor, now)),
    ],
    committed() {},
  };
}
